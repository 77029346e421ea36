import { isUtf8 } from "node:buffer";
import { constants } from "node:fs";
import { lstat, open, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { codeOf, isMissing, NEITHER_FILE_NOR_FOLDER, unreadable } from "../unreadable.ts";
import { type IgnoreFiles, Selecting, type Selection, UnreadableIgnoreFileError } from "./gathering/selection.ts";

/** A file to be ingested. */
export interface FoundFile {
  /** Absolute path with every link resolved. */
  readonly path: string;
  /** The name a person knows it by: relative to the folder that was pointed at, with `/` between parts. */
  readonly name: string;
  /** Absolute path of that folder, links resolved. */
  readonly folder: string;
}

/** A path that is not ingested, and why, in plain words. */
export interface Refusal {
  readonly name: string;
  readonly reason: string;
}

/** How to walk. */
export interface WalkOptions {
  /** Folder relative paths start from. */
  readonly from: string;
  /** Links inside folders are followed, as long as they stay inside the folder. Default: refused. */
  readonly followSymlinks?: boolean;
  /** What is taken. Default: everything. */
  readonly selection?: Selection | undefined;
  /** The outermost folder whose ignore files hold for a folder that is pointed at. Default: that folder. */
  readonly topOf?: (folder: string) => string;
  /** Takes entries for what their folder's listing says they are: for whoever only counts them, ten times as quick. */
  readonly trustsListing?: boolean;
  /** Called with each file and folder that is not taken, by its name. */
  readonly onLeftOut?: (name: string) => void;
}

/** Folders nobody means when they point at the folder above. */
const SKIPPED_FOLDERS = new Set(["node_modules", "__pycache__"]);

/** Files above this many bytes are refused rather than read into memory. */
export const MAX_FILE_BYTES = 20_000_000;

/**
 * All files under the paths, in a stable order, each as soon as it is found; no more than the names of the folders it
 * stands in are kept. Dotfiles and node_modules are passed over in silence. Links, devices, anything whose real path
 * leaves the folder pointed at (docs/threats.md, T25), and whatever cannot be looked at come as refusals: no entry ends
 * the walk.
 */
export async function* walkFiles(
  paths: readonly string[],
  options: WalkOptions,
): AsyncGenerator<FoundFile | Refusal, void, undefined> {
  const selecting = new Selecting(options.selection ?? { rules: [], ignoreFiles: [] });
  const topOf = options.topOf ?? ((folder: string) => folder);
  for (const path of paths) {
    const absolute = resolve(options.from, path);
    try {
      const root = await realpath(absolute);
      const kind = await stat(root);
      if (kind.isDirectory()) {
        const files = await selecting.above(root, topOf(root));
        if (files === undefined) options.onLeftOut?.(path);
        else yield* walkFolder(root, options, selecting, files);
      } else if (kind.isFile()) {
        const found = { path: root, name: basename(absolute), folder: await realpath(dirname(absolute)) };
        const place = join(found.folder, found.name);
        const files = await selecting.above(found.folder, topOf(found.folder));
        if (files !== undefined && selecting.takes({ place, name: found.name }, false, files)) yield found;
        else options.onLeftOut?.(found.name);
      } else yield { name: path, reason: NEITHER_FILE_NOR_FOLDER };
    } catch (error) {
      if (error instanceof UnreadableIgnoreFileError) yield { name: path, reason: error.message };
      else yield { name: path, reason: isMissing(error) ? "there is no such file or folder" : unreadable(error) };
    }
  }
}

async function* walkFolder(
  root: string,
  { followSymlinks = false, trustsListing = false, onLeftOut }: WalkOptions,
  selecting: Selecting,
  ofRoot: IgnoreFiles,
): AsyncGenerator<FoundFile | Refusal> {
  const shown = (path: string): string => relative(root, path).split(sep).join("/");
  /** Real paths of folders seen, so that a circle of links ends. Without links there are none. */
  const visited = new Set<string>();
  /**
   * @param shownAs below which path its entries are shown: the link's, where it was reached through one
   * @param outer the ignore files of the folders around it; undefined: those of the root, which are read
   */
  const walk = async function* (
    folder: string,
    shownAs: string,
    outer?: IgnoreFiles,
  ): AsyncGenerator<FoundFile | Refusal> {
    if (visited.has(folder)) return;
    if (followSymlinks) visited.add(folder);
    const names = await (trustsListing ? kindsIn(folder) : namesIn(folder)).catch(unreadable);
    if (typeof names === "string") {
      yield { name: shown(shownAs) || root, reason: `what is in it was not looked at: ${names}` };
      return;
    }
    let files: IgnoreFiles;
    try {
      files = outer === undefined ? ofRoot : await selecting.inFolder(shownAs, outer);
    } catch (error) {
      yield { name: shown(shownAs) || root, reason: `nothing of it was sent: ${messageOf(error)}` };
      return;
    }
    for (const { name: bytes, isFolder: known } of names) {
      const raw = Buffer.from(bytes, "latin1");
      if (!isUtf8(raw)) {
        yield { name: shown(join(shownAs, escapedName(raw))), reason: NOT_UTF8 };
        continue;
      }
      const place = join(shownAs, raw.toString("utf8"));
      const path = join(folder, raw.toString("utf8"));
      const entry =
        known === undefined ? await lookAt(path, root, followSymlinks) : ({ real: path, isFolder: known } as const);
      const name = shown(place);
      // What is left out on purpose is not complained of either.
      if (!selecting.takes({ place, name }, "isFolder" in entry && entry.isFolder, files)) onLeftOut?.(name);
      else if ("reason" in entry) yield { name, reason: entry.reason };
      else if (entry.isFolder) yield* walk(entry.real, place, files);
      else yield { path: entry.real, name, folder: root };
    }
  };
  yield* walk(root, root);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const NOT_UTF8 = "its name is no valid UTF-8, so it has no name that could be kept. Rename it.";

/** An entry of a folder by its name byte by byte (`latin1`): as text, a name that is no UTF-8 would lead nowhere. */
interface NamedEntry {
  readonly name: string;
  /** Whether it is a folder or a plain file, where the listing says so. */
  readonly isFolder?: boolean | undefined;
}

const isMeant = ({ name }: NamedEntry): boolean => !name.startsWith(".") && !SKIPPED_FOLDERS.has(name);

async function namesIn(folder: string): Promise<NamedEntry[]> {
  const names = await readdir(folder, { encoding: "latin1" });
  return names
    .toSorted()
    .map((name) => ({ name }))
    .filter(isMeant);
}

/** In no order. */
async function kindsIn(folder: string): Promise<NamedEntry[]> {
  const entries = await readdir(folder, { encoding: "latin1", withFileTypes: true });
  return entries
    .map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory() ? true : entry.isFile() ? false : undefined,
    }))
    .filter(isMeant);
}

/** A name with every byte beyond ASCII as `\xE9`. */
function escapedName(raw: Buffer): string {
  return Array.from(raw, (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16).toUpperCase()}`,
  ).join("");
}

type Entry = { readonly real: string; readonly isFolder: boolean } | { readonly reason: string };

async function lookAt(path: string, root: string, followSymlinks: boolean): Promise<Entry> {
  try {
    let real = path;
    let kind = await lstat(path);
    if (kind.isSymbolicLink()) {
      if (!followSymlinks) return { reason: "it is a link; --follow-symlinks takes links inside the folder" };
      const target = await realpath(path).catch(() => undefined);
      if (target === undefined || !isInside(root, target)) {
        return { reason: "the link leads out of the folder, or nowhere" };
      }
      real = target;
      kind = await stat(real);
    }
    if (kind.isDirectory() || kind.isFile()) return { real, isFolder: kind.isDirectory() };
    return { reason: NEITHER_FILE_NOR_FOLDER };
  } catch (error) {
    return { reason: unreadable(error) };
  }
}

/** Whether a path is this folder or in it. Both are absolute. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** A file that was read. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  readonly changedAt: Date;
  /** Somebody wrote into it while it was read, twice: what was read may be neither what it was nor what it is now. */
  readonly isTorn: boolean;
}

/**
 * The file's bytes and its time of change. Opened without following a link and checked after opening, so that a path
 * exchanged since the walk cannot lead elsewhere. Throws an Error with a plain reason.
 */
export async function readFoundFile(found: Pick<FoundFile, "path">): Promise<ReadFile> {
  const read = await readOnce(found);
  return read.isTorn ? await readOnce(found) : read;
}

async function readOnce(found: Pick<FoundFile, "path">): Promise<ReadFile> {
  // Without O_NONBLOCK the opening of a pipe that took the file's place would wait for ever.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(found.path, flags).catch((error: unknown) => {
    throw new Error(unreadable(error), { cause: error });
  });
  try {
    const kind = await file.stat();
    if (!kind.isFile()) throw new Error("it is not a plain file any more");
    if (kind.size > MAX_FILE_BYTES) {
      throw new Error(`it is ${megabytes(kind.size)} MB; the most is ${megabytes(MAX_FILE_BYTES)} MB`);
    }
    const bytes = await file.readFile();
    const after = await file.stat();
    const isTorn = after.mtimeMs !== kind.mtimeMs || after.size !== kind.size;
    return { bytes, changedAt: kind.mtime, isTorn };
  } catch (error) {
    throw codeOf(error) === undefined ? error : new Error(unreadable(error), { cause: error });
  } finally {
    await file.close();
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0);
}
