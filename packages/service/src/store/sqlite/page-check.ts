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

/**
 * Looks at every page again and again, so that damage is known before somebody asks for what it took. What is found is
 * noted at the database. Answers what ends it.
 * @param everyMs from the end of one check to the beginning of the next, milliseconds
 */
export function startPageCheck(db: Database, log: Log, everyMs: number): () => Promise<void> {
  if (db.path === ":memory:") return async () => undefined;
  let worker: Worker | undefined;
  let stopped = false;
  const check = (): void => {
    worker = new Worker(CHECK, { eval: true, workerData: db.path, resourceLimits: { maxOldGenerationSizeMb: 64 } });
    worker.unref();
    worker.once("message", ({ sound }: { sound: boolean }) => {
      if (sound) return;
      db.noteDamage();
      log.warn("the database is damaged: restore a backup");
    });
    worker.once("error", (cause) => log.warn("the database could not be checked", { cause }));
    worker.once("exit", () => {
      worker = undefined;
      if (!stopped && !db.isDamaged) timer = setTimeout(check, everyMs).unref();
    });
  };
  let timer = setTimeout(check, Math.min(everyMs, FIRST_MS)).unref();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await worker?.terminate();
  };
}
