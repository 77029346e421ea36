import type { Refusal } from "../../file-walk.ts";

/** A file of an export, not yet read. */
export interface ExportFile {
  /** Below the export's root, with `/` between parts and letters put together as one does who types them (NFC). */
  readonly path: string;
  /** How large it is, or says that it is; 0 where nobody looked. */
  readonly bytes: number;
  /**
   * Its bytes. Throws an Error with a plain reason where it is damaged, protected, or larger than `mostBytes`.
   */
  read(mostBytes: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Its bytes piece by piece, for a file of any size that is an archive itself. Throws like `read`. */
  pieces(): AsyncIterable<Uint8Array>;
}

/** The files of an export, wherever they lie. */
export interface ExportFiles {
  /** By path. */
  readonly files: readonly ExportFile[];
  /** Those that cannot be taken, whatever is in them. */
  readonly refused: readonly Refusal[];
  /** Lets go of what is open, and deletes what was put aside. */
  close(): Promise<void>;
}

/** Files that are looked at, at most. A workspace of ten years with a thousand channels has fewer. */
export const MAX_FILES = 2_000_000;

/** What a desktop or a disk leaves behind, and nobody means. */
export const isLeftBehind = (path: string): boolean =>
  path.split("/").some((part) => part === "__MACOSX" || part.startsWith(".") || part === "Thumbs.db");

/** A file that is larger than may be read at once. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";

  constructor(bytes: number, most: number) {
    const [is, may] = [Math.ceil(bytes / 1_000_000), Math.floor(most / 1_000_000)];
    super(`it is larger than ${may} MB (${is} MB). Split it.`);
  }
}

/** Files in the order of their paths; of two with one path the first, the other refused. */
export function eachOnce(files: readonly ExportFile[], refused: Refusal[]): ExportFile[] {
  const each = new Map<string, ExportFile>();
  for (const file of files) {
    if (each.has(file.path)) refused.push({ name: file.path, reason: DOUBLED });
    else each.set(file.path, file);
  }
  return inOrder([...each.values()]);
}

const DOUBLED =
  "the export has a second file of this name (or of one that differs only in how its letters are put together), and nobody knows which is meant. The first one is taken; rename one of them in the unpacked folder.";

/** By path, and by nothing else: the order is the same on every machine. */
const inOrder = (files: readonly ExportFile[]): ExportFile[] =>
  files.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
