import { constants, createReadStream } from "node:fs";
import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../../../exit-codes.ts";
import { unreadable } from "../../../unreadable.ts";
import type { Refusal } from "../../file-walk.ts";
import { eachOnce, type ExportFile, type ExportFiles, isLeftBehind, MAX_FILES, TooLargeError } from "./export-files.ts";

/** The files of an export that was unpacked. Links are refused, so nothing outside of the folder is read. */
export async function folderFiles(root: string, name: string): Promise<ExportFiles> {
  const refused: Refusal[] = [];
  const files: ExportFile[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
      refused.push({ name: folder || name, reason: `nothing of it was sent: ${unreadable(error)}` });
      return [];
    });
    for (const entry of entries) {
      const own = `${folder}${entry.name}`;
      if (isLeftBehind(entry.name)) continue;
      if (entry.isDirectory()) folders.push(`${own}/`);
      else if (entry.isFile()) files.push(fileAt(join(root, own), own.normalize()));
      else refused.push({ name: own, reason: "it is a link or a device, and no file of the export" });
    }
    if (files.length > MAX_FILES) {
      throw new UsageError(`Nothing was sent: ${name} has over ${MAX_FILES} files in it. Name a folder of it.`);
    }
  }
  return { files: eachOnce(files, refused), refused, close: async () => {} };
}

const fileAt = (place: string, path: string): ExportFile => ({
  path,
  bytes: 0,
  read: (most) => bytesOf(place, most),
  pieces: () => createReadStream(place),
});

async function bytesOf(path: string, most: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { size } = await file.stat();
      if (size > most) throw new TooLargeError(size, most);
      return new Uint8Array(await file.readFile());
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof TooLargeError) throw error;
    throw new Error(unreadable(error), { cause: error });
  }
}
