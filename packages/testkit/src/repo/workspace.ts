import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { repositoryRoot } from "../shared-folder.ts";

/** Where an entry is found once published. */
export interface PublishedEntry {
  types: string;
  default: string;
}

/** The parts of a package.json the checks look at. */
export interface Manifest {
  name: string;
  version?: string;
  private?: boolean;
  license?: string;
  files?: string[];
  exports?: Record<string, string>;
  bin?: Record<string, string>;
  publishConfig?: { exports?: Record<string, PublishedEntry>; bin?: Record<string, string> };
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** A package of the workspace, as it lies on disk. */
export interface WorkspacePackage {
  /** Name without the scope: `client`, `bot`. */
  name: string;
  /** Absolute path. */
  folder: string;
  manifest: Manifest;
  /** Its TypeScript files, relative to `folder`, with `/`. */
  sources: string[];
}

/** Every package there is; those the plan names but nobody has begun are simply not in it. */
export function workspacePackages(): WorkspacePackage[] {
  return globSync("{packages/*,bot,extension}/package.json", { cwd: repositoryRoot })
    .toSorted()
    .map((path) => {
      const folder = join(repositoryRoot, dirname(path));
      const manifest = readManifest(join(repositoryRoot, path));
      const sources = globSync("{src,entrypoints}/**/*.{ts,tsx}", { cwd: folder });
      const slashed = sources.map((source) => source.split(sep).join("/")).toSorted();
      return { name: manifest.name.replace("@threadlore/", ""), folder, manifest, sources: slashed };
    });
}

/** Reads a package.json. */
export function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Files that are committed or would be by `git add`, relative to the root. */
export function committedFiles(): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const listed = execFileSync("git", args, { cwd: repositoryRoot, encoding: "utf8" }).split("\0");
  return listed.filter((path) => path !== "").toSorted();
}

/** Everything a package.json asks for, with the kind of dependency. */
export function dependenciesOf(manifest: Manifest): { kind: string; name: string; version: string }[] {
  const kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] as const;
  return kinds.flatMap((kind) =>
    Object.entries(manifest[kind] ?? {}).map(([name, version]) => ({ kind, name, version })),
  );
}

/**
 * Whether a file is a test or serves tests only (`*.harness.ts`, `testing/`): it may use Node, the testkit and whatever
 * else devDependencies name, and is never published.
 */
export function isTest(path: string): boolean {
  return /\.(test|long|harness)\.tsx?$|(^|\/)testing\//.test(path);
}
