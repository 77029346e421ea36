import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { UsageError } from "../../../exit-codes.ts";
import type { Refusal } from "../../file-walk.ts";
import { eachOnce, type ExportFile, type ExportFiles } from "./export-files.ts";
import { zipFiles } from "./zip-files.ts";

/** Archives within an archive that are opened, at most. */
const MAX_NESTED = 1_000;

/**
 * An export with the archives that lie in it in parts, as one. Each is put aside as a file, since it is read here and there;
 * archives in those are not opened. What was put aside is deleted when the export is closed.
 */
export async function withNested(outer: ExportFiles, isPart: RegExp): Promise<ExportFiles> {
  const parts = outer.files.filter(({ path }) => isPart.test(path));
  if (parts.length === 0) return outer;
  const folder = await mkdtemp(join(tmpdir(), "threadlore-export-"));
  const opened: ExportFiles[] = [];
  const close = async (): Promise<void> => {
    for (const one of opened) await one.close();
    await rm(folder, { recursive: true, force: true });
    await outer.close();
  };
  try {
    if (parts.length > MAX_NESTED) throw new UsageError(`Nothing was sent: over ${MAX_NESTED} ZIP archives in one.`);
    for (const [index, part] of parts.entries()) {
      const path = join(folder, `${index}.zip`);
      await putAside(part, path);
      opened.push(await zipFiles(path, part.path));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const refused: Refusal[] = [...outer.refused, ...opened.flatMap((one) => one.refused)];
  const own = outer.files.filter(({ path }) => !isPart.test(path));
  return { files: eachOnce([...own, ...opened.flatMap(({ files }) => files)], refused), refused, close };
}

async function putAside(part: ExportFile, path: string): Promise<void> {
  try {
    await pipeline(Readable.from(part.pieces()), createWriteStream(path, { mode: 0o600, flags: "wx" }));
  } catch (error) {
    throw new UsageError(
      `Nothing was sent: ${part.path} within the export: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}
