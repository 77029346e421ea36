import { constants } from "node:fs";
import { access, chmod, chown, lstat, mkdir, open, readlink, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { codeOf, isMissing, NEITHER_FILE_NOR_FOLDER, unreadable, unwritable } from "../unreadable.ts";
import { BrokenConfigError } from "./edit/config-language.ts";

/** The largest file that is edited, bytes. */
const MAX_BYTES = 50_000_000;

/** A config file as it was found. */
export interface FileBefore {
  /** The file itself, behind all links. */
  readonly path: string;
  /** Its text; undefined where there is none yet. */
  readonly text: string | undefined;
  /** Its bits of permission; those of a new one. */
  readonly mode: number;
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/** Reads a config file. Throws BrokenConfigError where what is there cannot be read, or is no text. */
export async function findFile(path: string): Promise<FileBefore> {
  const target = await behindLinks(path);
  // Opening a pipe would wait for whoever writes into it.
  const file = await open(target, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new BrokenConfigError(
      codeOf(error) === "ENOTDIR" ? "what should be a folder on its path is a file" : unreadable(error),
    );
  });
  if (file === undefined) return { path: target, text: undefined, mode: 0o600 };
  try {
    const found = await file.stat();
    if (found.isDirectory()) throw new BrokenConfigError("it is a folder");
    if (!found.isFile()) throw new BrokenConfigError(NEITHER_FILE_NOR_FOLDER);
    if (found.size > MAX_BYTES) throw new BrokenConfigError(`it is larger than ${MAX_BYTES / 1_000_000} MB`);
    const text = textOf(await file.readFile());
    return { path: target, text, mode: found.mode & 0o777, owner: { uid: found.uid, gid: found.gid } };
  } finally {
    await file.close();
  }
}

/** Where links lead, those to folders too. The file need not be there yet, nor its folders. */
async function behindLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) === "ELOOP") throw new BrokenConfigError("its links lead in a circle");
    if (!isMissing(error)) throw new BrokenConfigError(unreadable(error));
  }
  const link = await lstat(path).catch(() => undefined);
  const folder = dirname(path);
  if (folder === path) return path;
  const found = await behindLinks(folder);
  return link?.isSymbolicLink() === true
    ? await behindLinks(resolve(found, await readlink(path)))
    : join(found, basename(path));
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BrokenConfigError("it is no text in UTF-8; save it anew in that encoding");
  }
}

/**
 * Puts a text in the file's place, or takes the file away where it is undefined: whole or not at all. What was there is
 * kept beside it. Throws BrokenConfigError where it may not be written, or where somebody else has written meanwhile.
 * @returns where the former text is kept; undefined where there was none
 */
export async function replaceFile(found: FileBefore, text: string | undefined): Promise<string | undefined> {
  const { path, mode, owner } = found;
  try {
    if (found.text !== undefined) await checkWritable(found);
    await mkdir(dirname(path), { recursive: true });
    const backup = found.text === undefined ? undefined : backupOf(path);
    if (backup !== undefined) await writeWhole(backup, found.text ?? "", { mode, owner });
    const draft = `${path}.${process.pid}.draft`;
    if (text !== undefined) await writeDraft(draft, text, { mode, owner });
    try {
      if ((await findFile(path)).text !== found.text) {
        throw new BrokenConfigError("it changed while this ran; run the command again");
      }
      await (text === undefined ? rm(path) : rename(draft, path));
    } finally {
      await rm(draft, { force: true });
    }
    return backup;
  } catch (error) {
    if (error instanceof BrokenConfigError) throw error;
    throw new BrokenConfigError(unwritable(error));
  }
}

/** Where the text that was there before the last change is kept. */
const backupOf = (path: string): string => `${path}.before-threadlore`;

/** A file can be replaced where its folder can be written, also one that is not to be changed. */
async function checkWritable({ path, mode }: FileBefore): Promise<void> {
  if ((mode & 0o222) === 0) throw new BrokenConfigError("it may only be read; make it writable first");
  await access(path, constants.W_OK);
}

type Permissions = Pick<FileBefore, "mode" | "owner">;

async function writeWhole(path: string, text: string, permissions: Permissions): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  await writeDraft(draft, text, permissions);
  await rename(draft, path);
}

async function writeDraft(draft: string, text: string, { mode, owner }: Permissions): Promise<void> {
  // What lies there was left by a run that was killed, or is a link somebody put there.
  await rm(draft, { force: true });
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await chmod(draft, mode);
  // Only root can write a file of somebody else's, and it shall stay theirs.
  if (owner !== undefined && process.getuid?.() === 0) await chown(draft, owner.uid, owner.gid);
}
