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

/** What reviewers of the Firefox package get, to build it from: named one by one, so that nothing else ever gets in. */
export const SHOWN_SOURCES: readonly string[] = [
  "{LICENSE,package.json,pnpm-lock.yaml,pnpm-workspace.yaml,tsconfig.base.json}",
  "{bot,extension,packages/*}/package.json",
  `packages/{${SOURCE_PACKAGES.join(",")}}/{tsconfig.json,tsconfig.page.json,src/**/*.{ts,json}}`,
  "extension/{*.md,icon.svg,tsconfig.json,wxt.config.ts}",
  "extension/{entrypoints,locales,public,src}/**/*.{css,html,json,png,ts,tsx,yml}",
];

/** A short word for the sources as they are now: the same word, the same build. Tests do not count. */
export function wordForSources(): string {
  return wordFor(SOURCES);
}

/** The same for the packages of the stores, which show more than a build is made from. */
export function wordForPackages(): string {
  return wordFor([...SOURCES, ...SHOWN_SOURCES]);
}

function wordFor(patterns: readonly string[]): string {
  const hash = createHash("sha256").update(process.versions.node);
  for (const path of globSync(patterns, { cwd: WORKSPACE }).toSorted()) {
    if (ONLY_TESTED.test(path) || !statSync(join(WORKSPACE, path)).isFile()) continue;
    hash.update(`${path}\n`).update(
      createHash("sha256")
        .update(readFileSync(join(WORKSPACE, path)))
        .digest(),
    );
  }
  return hash.digest("hex").slice(0, 16);
}
