import { existsSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { dataFolder, readIfPresent, writePrivateFile } from "../folders.ts";
import type { Terminal } from "../terminal/output.ts";

/** Port of the embedded service; fixed, so that the browser extension finds it. */
export const EMBEDDED_PORT = 8411;

/** Name of the embedded service in the journal beside its database: its address may change, its data does not. */
export const EMBEDDED_NAME = "embedded";

/** Files of one data folder. */
export interface DataFiles {
  readonly folder: string;
  /** The SQLite database that holds everything. */
  readonly database: string;
  /** This machine's copy of the documents, where everything is in PostgreSQL. */
  readonly copy: string;
  /** The owner's key, readable by its owner only. */
  readonly key: string;
  /** What the commands of this folder's owner have sent; it goes when the database goes. */
  readonly journal: string;
  /** Where the service of this folder listens, and its process; there while it runs. */
  readonly running: string;
}

/** The files of the data folder at this path. */
export function dataFiles(folder: string): DataFiles {
  return {
    folder,
    database: join(folder, "threadlore.db"),
    copy: join(folder, "copy.db"),
    key: join(folder, "key"),
    journal: join(folder, "ingested.jsonl"),
    running: join(folder, "running.json"),
  };
}

/** An embedded service that runs on this machine and whose data folder this person owns. */
export interface RunningService {
  readonly url: string;
  readonly apiKey: string;
  readonly files: DataFiles;
  readonly isSilent?: false;
}

/** An embedded service whose process is there, and which does not answer. */
export interface SilentService {
  readonly url: string;
  readonly pid: number;
  readonly files: DataFiles;
  readonly isSilent: true;
}

/** Says in the data folder where the service listens. */
export async function announce(files: DataFiles, url: string): Promise<void> {
  await writePrivateFile(files.running, `${JSON.stringify({ url, pid: process.pid })}\n`);
}

/**
 * The embedded service of the `.threadlore` in this folder or one above it, or of the person's data folder. Its process
 * must be alive: a key is not sent to whatever else has taken the port since.
 */
export async function findRunningService(
  terminal: Pick<Terminal, "env" | "folder">,
): Promise<RunningService | undefined> {
  const found = await findService(terminal);
  return found?.isSilent === true ? undefined : found;
}

/** As `findRunningService`; where none runs, one whose process is there and does not answer: it is paused, or has too much to do. */
export async function findService(
  terminal: Pick<Terminal, "env" | "folder">,
): Promise<RunningService | SilentService | undefined> {
  let silent: SilentService | undefined;
  for (const folder of foldersInReach(terminal)) {
    const found = await serviceIn(dataFiles(folder));
    if (found?.isSilent !== true && found !== undefined) return found;
    silent ??= found;
  }
  return silent;
}

/** The data folder of the service that `findRunningService` finds, or else would find once it runs: one that has a key. */
export async function findDataFolder(terminal: Pick<Terminal, "env" | "folder">): Promise<string | undefined> {
  const running = await findRunningService(terminal);
  if (running !== undefined) return running.files.folder;
  for (const folder of foldersInReach(terminal)) if (await isOurs(dataFiles(folder).key)) return folder;
  return undefined;
}

function foldersInReach(terminal: Pick<Terminal, "env" | "folder">): string[] {
  return [...foldersAbove(terminal.folder), dataFolder(terminal)];
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return [join(folder, ".threadlore"), ...(above === folder ? [] : foldersAbove(above))];
}

/** The service that runs on this data folder now, if one does. */
export async function runningIn(files: DataFiles): Promise<RunningService | undefined> {
  const found = await serviceIn(files);
  return found?.isSilent === true ? undefined : found;
}

/** The same, also where its process is there and does not answer. */
export async function serviceIn(files: DataFiles): Promise<RunningService | SilentService | undefined> {
  // In a folder others can write to, anybody could announce a service of their own.
  if (!(await isOurs(files.key)) || !(await isOurs(files.running))) return undefined;
  const text = await readIfPresent(files.running);
  const apiKey = (await readIfPresent(files.key))?.trim();
  if (text === undefined || apiKey === undefined || apiKey === "") return undefined;
  const { url, pid } = parseAnnouncement(text);
  if (url === undefined || pid === undefined || !isAlive(pid)) return undefined;
  const state = await stateOf(url);
  if (state === "silent") return { url, pid, files, isSilent: true };
  return state === "answers" ? { url, apiKey, files } : undefined;
}

async function isOurs(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() === true && (process.getuid === undefined || found.uid === process.getuid());
}

function parseAnnouncement(text: string): { url?: string; pid?: number } {
  try {
    const { url, pid } = JSON.parse(text) as Record<string, unknown>;
    return {
      url: typeof url === "string" && /^http:\/\/127\.0\.0\.1:\d+$/.test(url) ? url : undefined,
      pid: typeof pid === "number" ? pid : undefined,
    };
  } catch {
    return {};
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // Gone, or another person's process, which is none of ours either.
    return false;
  }
}

/** `silent`: something listens there, and says nothing in time. */
async function stateOf(url: string): Promise<"answers" | "silent" | "other"> {
  try {
    const reply = await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000), redirect: "error" });
    return reply.ok ? "answers" : "other";
  } catch (error) {
    return error instanceof DOMException && error.name === "TimeoutError" ? "silent" : "other";
  }
}

/** What to say of a service that does not answer. */
export function silentWords({ url, pid, files: { folder } }: SilentService): string {
  return (
    `The service of ${folder} does not answer at ${url}, though its process ${pid} is there: it is paused, or has too much ` +
    "to do. Try again in a moment; if it stays so, stop it and start it again with `threadlore serve`."
  );
}

/**
 * The files the owner's commands work on: of the folder that was named, else of the service `ask` would find, else of
 * the person's data folder. So `key add` and `ask` never mean different services.
 */
export async function ownedFiles(terminal: Pick<Terminal, "env" | "folder">, chosen?: string): Promise<DataFiles> {
  const named = chosen ?? terminal.env["THREADLORE_DATA"] ?? "";
  const found = named === "" ? await findService(terminal) : undefined;
  return found?.files ?? dataFiles(dataFolder(terminal, chosen));
}

/** What to say where no embedded service ever ran. */
export function noDatabase(database: string): string {
  if (existsSync(dataFiles(dirname(database)).copy)) {
    return `There is no database at ${database}: the service of this folder keeps everything in PostgreSQL. Set DATABASE_URL as it has it.`;
  }
  return `There is no database at ${database}. \`threadlore serve\` makes one; --data names another folder.`;
}
