import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const WORKSPACE = join(import.meta.dirname, "../../..");

/** The packages of this workspace that the extension is built from, by their folders' names. */
export const SOURCE_PACKAGES: readonly string[] = ["ask", "client", "documents", "files", "language"];

/** Whatever a build is made of. */
const SOURCES = [
  "extension/{entrypoints,locales,public,src}/**/*",
  "extension/{package.json,wxt.config.ts,tsconfig.json}",
  `packages/{${SOURCE_PACKAGES.join(",")}}/{package.json,src/**/*}`,
  "pnpm-lock.yaml",
];

/** Sources that no build reads: tests, and what only they use. */
const ONLY_TESTED = /\.(?:test|long|harness)\.tsx?$|\/(?:testing|__snapshots__)\/|^extension\/src\/kinds\//;

/** A short word for the sources as they are now: the same word, the same build. Tests do not count. */
export function wordForSources(): string {
  const hash = createHash("sha256").update(process.versions.node);
  for (const path of globSync(SOURCES, { cwd: WORKSPACE }).toSorted()) {
    if (ONLY_TESTED.test(path) || !statSync(join(WORKSPACE, path)).isFile()) continue;
    hash.update(`${path}\n`).update(
      createHash("sha256")
        .update(readFileSync(join(WORKSPACE, path)))
        .digest(),
    );
  }
  return hash.digest("hex").slice(0, 16);
}
