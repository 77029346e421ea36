import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { UsageError } from "../../../exit-codes.ts";
import { isMissing, unreadable } from "../../../unreadable.ts";
import type { ExportFile, ExportFiles } from "./export-files.ts";
import { folderFiles } from "./folder-files.ts";
import { withNested } from "./nested-zips.ts";
import { zipFiles } from "./zip-files.ts";

/** An export that was named: a ZIP archive as it was fetched, or the folder it was unpacked to. */
export interface OpenedExport extends ExportFiles {
  /** As it was named. */
  readonly name: string;
  /** Absolute path, links resolved. */
  readonly root: string;
}

/**
 * Opens what was named. Throws UsageError where something is not there or is no archive, and leaves nothing open then.
 * @param nested which archives within it are a part of it
 */
export async function openExports(
  from: string,
  paths: readonly string[],
  nested: RegExp | undefined,
): Promise<OpenedExport[]> {
  const opened: OpenedExport[] = [];
  try {
    for (const name of paths) {
      const { root, isFolder } = await placeOf(from, name);
      const files = isFolder ? await folderFiles(root, name) : await zipFiles(root, name);
      opened.push({ ...files, name, root });
      if (nested !== undefined) opened.push({ ...(await withNested(opened.pop() ?? files, nested)), name, root });
    }
    return opened;
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

/** Lets go of all of them. */
export async function closeAll(opened: readonly ExportFiles[]): Promise<void> {
  for (const one of opened) await one.close();
}

async function placeOf(from: string, name: string): Promise<{ root: string; isFolder: boolean }> {
  try {
    const root = await realpath(resolve(from, name));
    return { root, isFolder: (await stat(root)).isDirectory() };
  } catch (error) {
    const why = isMissing(error) ? "there is no such file or folder" : unreadable(error);
    throw new UsageError(`Nothing was sent: ${name}: ${why}.`);
  }
}

/** The files beneath the folder in which a file of this name lies least deep, seen from there; undefined: there is none. */
export function beneath(files: readonly ExportFile[], marker: string): ExportFile[] | undefined {
  const places = files.flatMap(({ path }) =>
    path === marker ? [""] : path.endsWith(`/${marker}`) ? [path.slice(0, -marker.length)] : [],
  );
  const [top] = places.toSorted((a, b) => a.split("/").length - b.split("/").length || a.length - b.length);
  if (top === undefined) return undefined;
  return files.flatMap((file) => (file.path.startsWith(top) ? [{ ...file, path: file.path.slice(top.length) }] : []));
}
