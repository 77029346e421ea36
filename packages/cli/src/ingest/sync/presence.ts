import { lstat, readdir } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { codeOf } from "../../unreadable.ts";

/** The names in a folder; undefined where there is no such folder any more. Anything else that is wrong is thrown. */
export type Listing = (folder: string) => Promise<readonly string[] | undefined>;

/**
 * Whether a file is where it was. Nobody can tell where a folder on the way cannot be looked at, or is there and empty, as
 * one is whose disk is not mounted.
 */
export type Presence = "there" | "gone" | "empty" | "unreadable";

/** Folders whose names are kept in mind, at most. */
const MAX_FOLDERS = 2_000;

/**
 * Looks for files by the names their folders list, from the folder that was pointed at downwards. Names are compared to
 * the letter: where capital and small letters are one to the disk, a file that was renamed from one to the other is gone
 * under its former name.
 */
export class Presences {
  readonly #list: Listing;
  readonly #isMissing: (path: string) => Promise<boolean>;
  readonly #listed = new Map<string, Promise<ReadonlySet<string> | "gone" | "unreadable">>();

  /** @param missing whether nothing is found under a path, in capital or small letters */
  constructor(list: Listing = listNames, missing: (path: string) => Promise<boolean> = isMissing) {
    this.#list = list;
    this.#isMissing = missing;
  }

  /** @param path absolute, in the folder `from` */
  async of(path: string, from: string): Promise<Presence> {
    let folder = from;
    for (const part of relative(from, path).split(sep)) {
      const names = await this.#namesIn(folder);
      if (names === "gone") return folder === from ? "unreadable" : "gone";
      if (names === "unreadable") return names;
      if (names.size === 0) return "empty";
      if (!names.has(part)) return "gone";
      folder = join(folder, part);
    }
    return "there";
  }

  /** Whether a folder is there and shows nothing. */
  async isEmpty(folder: string): Promise<boolean> {
    const names = await this.#namesIn(folder);
    return typeof names !== "string" && names.size === 0;
  }

  /**
   * Whether a file that was gone is there now. Its folder's names are read again only where something answers to its path:
   * of a folder of many files, all names would be read for each that is gone.
   */
  async isBack(path: string, from: string): Promise<boolean> {
    if (await this.#isMissing(path)) return false;
    this.forget(path, from);
    return (await this.of(path, from)) === "there";
  }

  /** Looks anew from now on. */
  forget(path: string, from: string): void {
    for (let folder = dirname(path); folder.length >= from.length; folder = dirname(folder)) {
      this.#listed.delete(folder);
      if (folder === dirname(folder)) break;
    }
  }

  #namesIn(folder: string): Promise<ReadonlySet<string> | "gone" | "unreadable"> {
    const known = this.#listed.get(folder);
    if (known !== undefined) return known;
    if (this.#listed.size >= MAX_FOLDERS) this.#listed.clear();
    const names = this.#list(folder).then(
      (listed) => (listed === undefined ? ("gone" as const) : new Set(listed)),
      () => "unreadable" as const,
    );
    this.#listed.set(folder, names);
    return names;
  }
}

/** Names nobody counts who asks whether a folder is empty: disks and desktops leave them behind. */
const TRACES = new Set(["lost+found", "System Volume Information", "$RECYCLE.BIN"]);

async function listNames(folder: string): Promise<readonly string[] | undefined> {
  try {
    const names = await readdir(folder);
    return names.every((name) => name.startsWith(".") || TRACES.has(name)) ? [] : names;
  } catch (error) {
    // A file that took the folder's place is there; what was in the folder is not.
    if (codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

async function isMissing(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";
  }
}
