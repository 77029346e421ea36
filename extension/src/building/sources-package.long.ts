import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unzip } from "../testing/unzip.ts";
import { SOURCE_PACKAGES } from "./sources.ts";

const run = promisify(execFile);

const OUTPUT = fileURLToPath(new URL("../../dist", import.meta.url));

/** What a build is made from, and what says how; the tests, and whatever else lies in a working copy, are not. */
const EXPECTED = [
  /^(?:LICENSE|package\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|tsconfig\.base\.json)$/,
  /^(?:bot|packages\/[a-z-]+)\/package\.json$/,
  new RegExp(`^packages/(?:${SOURCE_PACKAGES.join("|")})/(?:tsconfig(?:\\.page)?\\.json|src/.+\\.(?:ts|json))$`),
  /^extension\/(?:[A-Z]+\.md|icon\.svg|package\.json|tsconfig\.json|wxt\.config\.ts)$/,
  /^extension\/(?:entrypoints|locales|public|src)\/.+\.(?:css|html|json|png|tsx?|yml)$/,
];

describe("the package of sources for Mozilla's reviewers", () => {
  const empty = mkdtempSync(join(tmpdir(), "threadlore-sources-"));
  // Inside of the extension: from elsewhere WXT searches everything in between for sources.
  const made = join(OUTPUT, `packed-${process.pid}`);
  let sources: Map<string, Buffer>;
  let shipped: Map<string, Buffer>;
  beforeAll(async () => {
    const script = fileURLToPath(new URL("build-folder.ts", import.meta.url));
    const env = { ...process.env, NODE_ENV: "production" };
    await run(process.execPath, [script, "firefox", made, "packed"], { env, timeout: 300_000 });
    const [sourcesZip = "", shippedZip = ""] = ["sources", "firefox"].map(
      (what) => globSync(join(made, `threadlore-*-${what}.zip`))[0],
    );
    sources = unzip(sourcesZip);
    shipped = unzip(shippedZip);
  }, 600_000);
  afterAll(() => [empty, made].forEach((folder) => rmSync(folder, { recursive: true, force: true })));

  it("holds what the build is made from, and nothing else", () => {
    const others = [...sources.keys()].filter((path) => !EXPECTED.some((pattern) => pattern.test(path)));
    expect(others).toEqual([]);
    const tests = [...sources.keys()].filter((path) => /\.(?:test|long|harness)\.|\/(?:testing|fixtures)\//.test(path));
    expect(tests).toEqual([]);
    expect(sources.size).toBeGreaterThan(200);
    expect(sources.has("extension/README.md")).toBe(true);
  });

  it("makes the very extension that is shipped, in an empty folder", async () => {
    for (const [path, content] of sources) {
      mkdirSync(dirname(join(empty, path)), { recursive: true });
      writeFileSync(join(empty, path), content);
    }
    // Nothing that a run of tests sets: a reviewer has none of it.
    const { NODE_ENV: _, VITEST: __, ...env } = process.env;
    const options = { cwd: empty, env, timeout: 600_000, maxBuffer: 100_000_000 };
    await run("npx", ["-y", "pnpm@12", "install", "--frozen-lockfile"], options);
    await run("npx", ["-y", "pnpm@12", "build"], options);
    const built = join(empty, "extension/dist/firefox-mv3");
    const files = globSync("**/*", { cwd: built, withFileTypes: true }).filter((entry) => entry.isFile());
    const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(built.length + 1));
    expect(paths.toSorted()).toEqual([...shipped.keys()].toSorted());
    const different = paths.filter((path) => shipped.get(path)?.equals(readFileSync(join(built, path))) !== true);
    expect(different).toEqual([]);
  });
});
