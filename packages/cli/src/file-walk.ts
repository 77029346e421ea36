import { constants } from "node:fs";
import { lstat, open, readdir, realpath, stat } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";

/** A file to be ingested. */
export interface FoundFile {
  /** Absolute path with every link resolved. */
  readonly path: string;
  /** The name a person knows it by: relative to the folder that was pointed at, with `/` between parts. */
  readonly name: string;
}

/** A path that is not ingested, and why, in plain words. */
export interface Refusal {
  readonly name: string;
  readonly reason: string;
}

/** What a walk found. */
export interface Walk {
  /** In a stable order. */
  readonly files: readonly FoundFile[];
  /** What was passed over aloud: links, devices, paths that are not there. */
  readonly refused: readonly Refusal[];
}

/** How to walk. */
export interface WalkOptions {
  /** Folder relative paths start from. */
  readonly from: string;
  /** Links inside folders are followed, as long as they stay inside the folder. Default: refused. */
  readonly followSymlinks?: boolean;
}

/** Folders nobody means when they point at the folder above. */
const SKIPPED_FOLDERS = new Set(["node_modules", "__pycache__"]);

/** Files above this many bytes are refused rather than read into memory. */
export const LARGEST_FILE = 20_000_000;

/**
 * All files under the paths, in a stable order. Dotfiles and node_modules are passed over in silence; links, devices
 * and anything whose real path leaves the folder pointed at are refused (facts: security T25).
 */
export async function walkFiles(paths: readonly string[], options: WalkOptions): Promise<Walk> {
  const files: FoundFile[] = [];
  const refused: Refusal[] = [];
  for (const path of paths) {
    const absolute = resolve(options.from, path);
    let root: string;
    try {
      root = await realpath(absolute);
    } catch {
      refused.push({ name: path, reason: "there is no such file or folder" });
      continue;
    }
    const kind = await stat(root);
    if (kind.isFile()) files.push({ path: root, name: basename(absolute) });
    else if (kind.isDirectory()) await walkFolder({ root, options, files, refused, visited: new Set() }, root);
    else refused.push({ name: path, reason: "it is neither a file nor a folder" });
  }
  return { files, refused };
}

interface FolderWalk {
  readonly root: string;
  readonly options: WalkOptions;
  readonly files: FoundFile[];
  readonly refused: Refusal[];
  /** Real paths of folders seen, so that a circle of links ends. */
  readonly visited: Set<string>;
}

async function walkFolder(walk: FolderWalk, folder: string, shownAs: string = folder): Promise<void> {
  if (walk.visited.has(folder)) return;
  walk.visited.add(folder);
  const names = (await readdir(folder)).filter((name) => !name.startsWith(".") && !SKIPPED_FOLDERS.has(name));
  for (const name of names.toSorted()) await walkEntry(walk, join(folder, name), join(shownAs, name));
}

async function walkEntry(walk: FolderWalk, path: string, shownAs: string): Promise<void> {
  const name = relative(walk.root, shownAs).split(sep).join("/");
  const entry = await lstat(path);
  let real = path;
  if (entry.isSymbolicLink()) {
    if (walk.options.followSymlinks !== true) {
      walk.refused.push({ name, reason: "it is a link; --follow-symlinks takes links inside the folder" });
      return;
    }
    const target = await realpath(path).catch(() => undefined);
    if (target === undefined || !isInside(walk.root, target)) {
      walk.refused.push({ name, reason: "the link leads out of the folder, or nowhere" });
      return;
    }
    real = target;
  }
  const kind = await stat(real);
  if (kind.isDirectory()) await walkFolder(walk, real, shownAs);
  else if (kind.isFile()) walk.files.push({ path: real, name });
  else walk.refused.push({ name, reason: "it is neither a file nor a folder" });
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/**
 * The file's bytes and its time of change. Opened without following a link and checked after opening, so that a path
 * exchanged since the walk cannot lead elsewhere. Throws an Error with a plain reason.
 */
export async function readFoundFile(found: FoundFile): Promise<{ bytes: Uint8Array; changedAt: Date }> {
  // Without O_NONBLOCK the opening of a pipe that took the file's place would wait for ever.
  const file = await open(found.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const kind = await file.stat();
    if (!kind.isFile()) throw new Error("it is not a plain file any more");
    if (kind.size > LARGEST_FILE) {
      throw new Error(`it is ${megabytes(kind.size)} MB; the most is ${megabytes(LARGEST_FILE)} MB`);
    }
    return { bytes: await file.readFile(), changedAt: kind.mtime };
  } finally {
    await file.close();
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0);
}
