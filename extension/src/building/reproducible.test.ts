import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { builtPackages } from "../testing/build-once.ts";

const OUTPUT = fileURLToPath(new URL("../../dist", import.meta.url));
const SCRIPT = fileURLToPath(new URL("build-folder.ts", import.meta.url));

describe("the packages for the stores", () => {
  // Inside of the extension: from elsewhere WXT searches everything in between for sources.
  const again = join(OUTPUT, `again-${process.pid}`);
  afterAll(() => rmSync(again, { recursive: true, force: true }));

  it.each([
    ["chrome", 1],
    ["firefox", 2],
  ] as const)(
    "for %s are the same bytes, whenever, where and by whom they are made",
    { timeout: 900_000 },
    async (browser, count) => {
      const shipped = await builtPackages(browser);
      const first = digestsIn(shipped);
      // Times of files are told in seconds or two: a later one is another.
      const early = 2_100 - (Date.now() - statSync(join(shipped, `${browser}-mv3/manifest.json`)).mtimeMs);
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      const folder = join(again, `another-with-a-longer-name-${browser}`);
      const elsewhere = { TZ: "Pacific/Auckland", LANG: "de_DE.UTF-8", USER: "somebody-else" };
      const env = { ...process.env, ...elsewhere, NODE_ENV: "production" };
      await promisify(execFile)(process.execPath, [SCRIPT, browser, folder, "packed"], { env, timeout: 400_000 });
      expect(Object.keys(first)).toHaveLength(count);
      expect(digestsIn(folder)).toEqual(first);
    },
  );
});

/** What each package in a folder holds, in short. */
function digestsIn(folder: string): Record<string, string> {
  const packages = globSync(join(folder, "threadlore-*.zip")).toSorted();
  return Object.fromEntries(packages.map((path) => [basename(path), digestOf(path)]));
}

function digestOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
