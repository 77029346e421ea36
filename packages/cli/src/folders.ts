import { constants, openAsBlob } from "node:fs";
import { chmod, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { xdgFolder } from "./cache-folder.ts";
import { UsageError } from "./exit-codes.ts";
import type { Terminal } from "./terminal/output.ts";
import { isMissing, unreadable } from "./unreadable.ts";

type World = Pick<Terminal, "env" | "folder">;

/** Where settings live: `$XDG_CONFIG_HOME/threadlore`, by default `~/.config/threadlore`. */
export function configFolder({ env }: World): string {
  return xdgFolder(env, "XDG_CONFIG_HOME", ".config");
}

/** Where conversations and ingestion journals live: `$XDG_STATE_HOME/threadlore`, by default `~/.local/state/threadlore`. */
export function stateFolder({ env }: World): string {
  return xdgFolder(env, "XDG_STATE_HOME", ".local/state");
}

/** Where the embedded service keeps its data: `--data`, THREADLORE_DATA, or `$XDG_DATA_HOME/threadlore`. */
export function dataFolder({ env, folder }: World, chosen?: string): string {
  const named = chosen ?? env["THREADLORE_DATA"];
  if (named !== undefined && named !== "") return resolve(folder, named);
  return xdgFolder(env, "XDG_DATA_HOME", ".local/share");
}

/** Writes a file only its owner can read, whole or not at all. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.draft`;
  // Of a process that was killed, or a link somebody put there: what is written is a new file.
  await rm(draft, { force: true });
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await chmod(draft, 0o600);
  await rename(draft, path);
}

/** The file's text; undefined where there is none. Any other trouble is thrown. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A text a person named: of a file, or with `-` of standard input. Throws UsageError where `what` it is cannot be read. */
export async function readNamed(terminal: Terminal, from: string, what: string): Promise<string> {
  if (from === "-") return await terminal.readStdin();
  return await readFile(resolve(terminal.folder, from), "utf8").catch(refusalOf(from, what));
}

/** A file a person named, read when it is needed. Throws UsageError where it cannot be read. */
export async function openNamed(terminal: Terminal, from: string): Promise<Blob> {
  const path = resolve(terminal.folder, from);
  // A blob is opened with no word of what is wrong; and opening a pipe would wait for whoever writes into it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(refusalOf(from, "file"));
  const kind = await file.stat();
  await file.close();
  if (!kind.isFile()) throw new UsageError(`The file ${from} cannot be read: it is no plain file.`);
  return await openAsBlob(path);
}

function refusalOf(from: string, what: string): (error: unknown) => never {
  return (error) => {
    const why = isMissing(error) ? "there is no such file" : unreadable(error);
    throw new UsageError(`The ${what} ${from} cannot be read: ${why}.`);
  };
}
