import { constants, type Stats } from "node:fs";
import { mkdir, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { UsageError } from "../exit-codes.ts";
import { note, type Terminal } from "../terminal/output.ts";
import { codeOf, isMissing, unwritable } from "../unreadable.ts";

/** Which folder paths begin in, and where is said what was written. */
type Place = Pick<Terminal, "folder" | "err">;

/** Looks whether a report can be written, so that a path that cannot be is told before questions are asked. */
export async function checkReport(terminal: Place, path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const place = resolve(terminal.folder, path);
  await naming(path, async () => {
    await mkdir(dirname(place), { recursive: true });
    const there = await lookAt(place);
    if (there === undefined) await rm(await drafted(place, "", undefined), { force: true });
    // Nobody may read from a pipe yet, and who opens it would wait for them.
    else if (there.isFile() || there.isDirectory()) await (await open(place, constants.O_WRONLY)).close();
  });
}

/** Writes a report whole or not at all, for whoever may read files there: a run that is killed leaves the one before. */
export async function writeReport(terminal: Place, path: string | undefined, text: string): Promise<void> {
  if (path === undefined) return;
  const place = resolve(terminal.folder, path);
  await naming(path, async () => {
    const there = await lookAt(place);
    if (there === undefined || there.isFile()) await replace(place, text, there);
    else await writeFile(place, text);
  });
  note(terminal, `Wrote ${path}.`);
}

/** A folder nobody may add files to, or a file that was mounted by itself: it can be written, and not replaced. */
const NOT_REPLACED: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EBUSY", "EROFS"]);

async function replace(place: string, text: string, there: Stats | undefined): Promise<void> {
  // A link stays one: what it leads to is replaced.
  const target = there === undefined ? place : await realpath(place);
  try {
    const draft = await drafted(target, text, there);
    await rename(draft, target).catch(async (error: unknown) => {
      await rm(draft, { force: true });
      throw error;
    });
  } catch (error) {
    if (there === undefined || !NOT_REPLACED.has(codeOf(error) ?? "")) throw error;
    await writeFile(target, text);
  }
}

/** A new file beside a place, with what it will hold and for whom. */
async function drafted(place: string, text: string, there: Stats | undefined): Promise<string> {
  const draft = `${place}.${process.pid}.draft`;
  await rm(draft, { force: true });
  const file = await open(draft, "wx", 0o666);
  try {
    await file.writeFile(text);
    if (there !== undefined) await file.chmod(there.mode & 0o777);
    await file.sync();
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return draft;
}

async function lookAt(place: string): Promise<Stats | undefined> {
  try {
    return await stat(place);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function naming(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new UsageError(`The report ${path} cannot be written: ${unwritable(error)}.`);
  }
}
