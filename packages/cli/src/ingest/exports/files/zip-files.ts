import { isUtf8 } from "node:buffer";
import { crc32 } from "node:zlib";
import yauzl from "yauzl";
import { UsageError } from "../../../exit-codes.ts";
import type { Refusal } from "../../file-walk.ts";
import { eachOnce, type ExportFile, type ExportFiles, isLeftBehind, MAX_FILES, TooLargeError } from "./export-files.ts";

/** What of an entry is kept: its own object holds ten times as much, and there may be a million of them. */
interface KeptEntry {
  readonly offset: number;
  readonly packed: number;
  readonly bytes: number;
  readonly method: number;
  readonly flags: number;
  readonly sum: number;
}

/** What is written before the bytes of an entry, at least. */
const LOCAL_HEADER_BYTES = 30;

/**
 * The files of a ZIP archive of any size. Its directory is read; a file is unpacked when it is read, and nothing is ever
 * written under a name that stands in it. Throws UsageError where it is no whole archive, or one that is made to unfold
 * without end.
 */
export async function zipFiles(path: string, name: string): Promise<ExportFiles> {
  const zip = await openZip(path, name);
  try {
    const refused: Refusal[] = [];
    const files: ExportFile[] = [];
    const places: { readonly from: number; readonly to: number }[] = [];
    for await (const entry of zip.eachEntry()) {
      const named = nameOf(entry);
      if (named.endsWith("/")) continue;
      const from = entry.relativeOffsetOfLocalHeader;
      places.push({ from, to: from + LOCAL_HEADER_BYTES + entry.compressedSize });
      const lead = yauzl.validateFileName(named);
      if (lead !== null) refused.push({ name: named, reason: "its name leads out of the archive, so it is not taken" });
      else if (!isLeftBehind(named)) files.push(fileOf(zip, entry, named));
    }
    refuseOverlaps(places, name);
    return {
      files: eachOnce(files, refused),
      refused,
      close: async () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error instanceof UsageError ? error : damaged(name, error);
  }
}

/** The names in an archive, the first so many; undefined: it is none. */
export async function zipNames(path: string, most: number): Promise<string[] | undefined> {
  let zip: yauzl.ZipFile | undefined;
  try {
    zip = await yauzl.openPromise(path, OPTIONS);
    const names: string[] = [];
    for await (const entry of zip.eachEntry()) {
      names.push(nameOf(entry));
      if (names.length >= most) break;
    }
    return names;
  } catch {
    return undefined;
  } finally {
    zip?.close();
  }
}

/** Names are read by us: their encoding is often another than the archive says. */
const OPTIONS = { autoClose: false, lazyEntries: true, decodeStrings: false, validateEntrySizes: true };

async function openZip(path: string, name: string): Promise<yauzl.ZipFile> {
  const zip = await yauzl.openPromise(path, OPTIONS).catch((error: unknown) => {
    throw damaged(name, error);
  });
  if (zip.entryCount <= MAX_FILES) return zip;
  zip.close();
  throw new UsageError(`Nothing was sent: ${name} has over ${MAX_FILES} files in it. Export less at once.`);
}

function damaged(name: string, cause: unknown): UsageError {
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  return new UsageError(
    `Nothing was sent: ${name} is no whole ZIP archive${why}. A download that broke off looks like that: fetch it once more, or name the folder it was unpacked to.`,
  );
}

/**
 * UTF-8 where it is that, whatever the archive says: programs that write names so often do not set the mark. Else what
 * the format tells: its old code page, or a name that stands beside.
 */
function nameOf(entry: yauzl.Entry): string {
  const raw = entry.fileNameRaw;
  const told = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, raw, entry.extraFields, false);
  const name = isUtf8(raw) && /[^\0-\u007F]/.test(raw.toString()) ? raw.toString().replaceAll("\\", "/") : told;
  return name.normalize();
}

/** Entries that lie over each other unfold to more than any archive holds; no program that packs files writes them. */
function refuseOverlaps(places: readonly { readonly from: number; readonly to: number }[], name: string): void {
  let end = 0;
  for (const { from, to } of places.toSorted((a, b) => a.from - b.from)) {
    if (from < end) {
      throw new UsageError(
        `Nothing was sent: files in ${name} lie over each other, as in an archive that is made to do harm. Fetch the export once more.`,
      );
    }
    end = to;
  }
}

function fileOf(zip: yauzl.ZipFile, entry: yauzl.Entry, path: string): ExportFile {
  const kept: KeptEntry = {
    offset: entry.relativeOffsetOfLocalHeader,
    packed: entry.compressedSize,
    bytes: entry.uncompressedSize,
    method: entry.compressionMethod,
    flags: entry.generalPurposeBitFlag,
    sum: entry.crc32,
  };
  return {
    path,
    bytes: kept.bytes,
    read: (most) => unpacked(zip, kept, most),
    pieces: () => piecesOfArchive(zip, kept),
  };
}

async function unpacked(zip: yauzl.ZipFile, kept: KeptEntry, most: number): Promise<Uint8Array<ArrayBuffer>> {
  if (kept.bytes > most) throw new TooLargeError(kept.bytes, most);
  const bytes = new Uint8Array(kept.bytes);
  let at = 0;
  for await (const piece of piecesOf(zip, kept)) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** No more comes than the directory says, and at the end it is known whether it was what was packed. */
async function* piecesOf(zip: yauzl.ZipFile, kept: KeptEntry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  try {
    for await (const piece of await streamOf(zip, kept)) {
      sum = crc32(piece as Uint8Array, sum);
      yield piece as Uint8Array;
    }
  } catch (error) {
    throw error instanceof ProtectedError ? error : new Error(DAMAGED, { cause: error });
  }
  if (sum !== kept.sum) throw new Error(DAMAGED);
}

/** An archive hardly gets smaller by being packed once more: one that does unfolds to what nobody has a disk for. */
const MAX_UNFOLDED = 20;

async function* piecesOfArchive(zip: yauzl.ZipFile, kept: KeptEntry): AsyncGenerator<Uint8Array> {
  if (kept.bytes > MAX_UNFOLDED * kept.packed) throw new Error("it unfolds to far more than an archive can hold");
  yield* piecesOf(zip, kept);
}

const DAMAGED = "it is damaged in the ZIP archive. Fetch the export once more";

class ProtectedError extends Error {
  override readonly name = "ProtectedError";
}

async function streamOf(zip: yauzl.ZipFile, kept: KeptEntry) {
  const entry = Object.assign(new yauzl.Entry(), {
    relativeOffsetOfLocalHeader: kept.offset,
    compressedSize: kept.packed,
    uncompressedSize: kept.bytes,
    compressionMethod: kept.method,
    generalPurposeBitFlag: kept.flags,
  });
  if (entry.isEncrypted()) throw new ProtectedError("it is protected by a password. Pack it without one");
  return await zip.openReadStreamPromise(entry);
}
