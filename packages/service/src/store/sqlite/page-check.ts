import { Worker } from "node:worker_threads";
import type { Log } from "../../log.ts";
import type { Database } from "./database.ts";

/** A connection of its own, in a thread of its own: a check takes about a millisecond per megabyte. */
const CHECK = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { DatabaseSync } = require("node:sqlite");
  try {
    const sqlite = new DatabaseSync(workerData, { readOnly: true, timeout: 1_000 });
    const [finding] = sqlite.prepare("PRAGMA quick_check(1)").all();
    sqlite.close();
    parentPort.postMessage({ sound: finding?.quick_check === "ok" });
  } catch (error) {
    // Damaged, or no database any more; whatever else it is says nothing about the pages.
    parentPort.postMessage({ sound: ![11, 26].includes(Number(error.errcode) & 0xff) });
  }
`;

/** The first check comes soon: large files are not checked when the service starts. */
const FIRST_MS = 60_000;

/** A file whose pages are checked. */
export interface CheckedFile {
  readonly path: string;
  /** To be called before a check; answers what takes a finding about the pages as they are then. */
  begin(): (() => void) | undefined;
}

/**
 * Looks at every page again and again, so that damage is known before somebody asks for what it took. Answers what ends it.
 * @param file where `begin` answers nothing, it is checked no more
 * @param everyMs from the end of one check to the beginning of the next, milliseconds
 */
export function startPageCheck(file: CheckedFile, log: Log, everyMs: number): () => Promise<void> {
  if (file.path === ":memory:") return async () => undefined;
  let worker: Worker | undefined;
  let stopped = false;
  const check = (): void => {
    const damaged = file.begin();
    if (damaged === undefined) return;
    worker = new Worker(CHECK, { eval: true, workerData: file.path, resourceLimits: { maxOldGenerationSizeMb: 64 } });
    worker.unref();
    worker.once("message", ({ sound }: { sound: boolean }) => {
      if (!sound) damaged();
    });
    worker.once("error", (cause) => log.warn("the database could not be checked", { cause }));
    worker.once("exit", () => {
      worker = undefined;
      if (!stopped) timer = setTimeout(check, everyMs).unref();
    });
  };
  let timer = setTimeout(check, Math.min(everyMs, FIRST_MS)).unref();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await worker?.terminate();
  };
}

/** The pages of a database. What is found is noted there, once. */
export function pagesOf(db: Database, log: Log): CheckedFile {
  const damaged = (): void => {
    db.noteDamage();
    log.warn("the database is damaged: restore a backup");
  };
  return { path: db.path, begin: () => (db.isDamaged ? undefined : damaged) };
}
