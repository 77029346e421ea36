import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";

const OUTPUT = fileURLToPath(new URL("../../dist", import.meta.url));
const SCRIPT = fileURLToPath(new URL("build-folder.ts", import.meta.url));

describe("the packages for the stores", () => {
  // Inside of the extension: from elsewhere WXT searches everything in between for sources.
  const folders = ["one", "another-with-a-longer-name"].map((name) => join(OUTPUT, `twice-${process.pid}`, name));
  afterAll(() => rmSync(join(OUTPUT, `twice-${process.pid}`), { recursive: true, force: true }));

  it.each([
    ["chrome", 1],
    ["firefox", 2],
  ])(
    "for %s are the same bytes, whenever, where and by whom they are made",
    { timeout: 900_000 },
    async (browser, count) => {
      const made: Record<string, string>[] = [];
      for (const [index, folder] of folders.entries()) {
        const elsewhere = index === 0 ? {} : { TZ: "Pacific/Auckland", LANG: "de_DE.UTF-8", USER: "somebody-else" };
        const env = { ...process.env, ...elsewhere, NODE_ENV: "production" };
        const begun = performance.now();
        await promisify(execFile)(process.execPath, [SCRIPT, browser, folder, "packed"], { env, timeout: 400_000 });
        const packages = globSync(join(folder, "threadlore-*.zip")).toSorted();
        made.push(Object.fromEntries(packages.map((path) => [basename(path), digestOf(path)])));
        for (const path of packages) rmSync(path);
        // Times of files are told in seconds or two: a later one would be another.
        const early = index === 0 ? 2_100 - (performance.now() - begun) : 0;
        if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      }
      expect(Object.keys(made[0] ?? {})).toHaveLength(count);
      expect(made[1]).toEqual(made[0]);
    },
  );
});

function digestOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
