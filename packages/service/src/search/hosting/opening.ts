import { existsSync, lstatSync, readlinkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { lastChange, queueAgain } from "../../store/changes.ts";
import { instanceOf } from "../../store/instance.ts";
import type { Database } from "../../store/sqlite/database.ts";
import { conditionOf, type DataState, type IndexCondition, mayAnswer } from "../succession/condition.ts";
import { IndexFile } from "./index-file.ts";
import { isSpoilt } from "./index-trouble.ts";

/** How long a write in the service's thread waits for another program's, milliseconds: questions wait with it. */
const HERE_WAIT_MS = 50;

/** Where the index of a database stands: beside it, or where a link there leads, which stays. */
export function indexPathOf(database: string): string {
  if (database === ":memory:") return database;
  const path = `${database}.search.sqlite`;
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? resolve(dirname(path), readlinkSync(path)) : path;
}

/** Where the index stands that was before it, until that one is whole: on the same disk. */
export function formerPathOf(database: string): string {
  return `${indexPathOf(database).replace(/\.sqlite$/, "")}-former.sqlite`;
}

/** Which data a database has now. */
function dataStateOf(db: Database): DataState {
  return { ...db.perform(instanceOf()), lastChange: db.perform(lastChange()) };
}

/**
 * Opens the index of a database. One that is not of its data and today's rules steps aside, where it can still answer or
 * has vectors, and is made anew.
 * @param isAnswered whether another one answers until it is whole
 */
export function openIndex(db: Database, isAnswered: boolean): IndexFile {
  const path = indexPathOf(db.path);
  const found = existsSync(path) ? openSound(path) : undefined;
  const condition =
    found === undefined ? (existsSync(path) ? "damaged" : "missing") : conditionOf(found, dataStateOf(db));
  if (found !== undefined && condition === "sound") return found;
  const isKept = found !== undefined && isWorthKeeping(found, condition);
  found?.close();
  // With a log left beside it another program reads it: then it is not whole without that.
  const stepsAside = isKept && !existsSync(`${path}-wal`);
  if (stepsAside) stepAside(path, formerPathOf(db.path));
  else removeIndex(path);
  return beginAnew(db, condition, isAnswered || (stepsAside && mayAnswer(condition)));
}

/** Opens what was the index before, where there is one, and says whether it may still answer. */
export function openFormer(db: Database): { readonly index: IndexFile; readonly mayAnswer: boolean } | undefined {
  const path = formerPathOf(db.path);
  if (db.path === ":memory:" || !existsSync(path)) return undefined;
  const index = openSound(path);
  if (index === undefined) {
    removeIndex(path);
    return undefined;
  }
  return { index, mayAnswer: mayAnswer(conditionOf(index, dataStateOf(db))) };
}

/**
 * Begins an index where there is none: everything is queued.
 * @param isAnswered whether another one answers until it is whole: then no document is told to be waiting
 */
export function beginAnew(db: Database, why: IndexCondition, isAnswered: boolean): IndexFile {
  // The file first: where it cannot be made, nothing is queued for it again and again. Killed before it is begun, it is
  // one that says nothing of itself, and is begun anew.
  const index = new IndexFile(indexPathOf(db.path), HERE_WAIT_MS);
  try {
    db.transaction(() => db.perform(queueAgain(0, isAnswered)));
    index.begin(dataStateOf(db), why);
    return index;
  } catch (error) {
    index.close();
    throw error;
  }
}

/** Bytes of what a database is searched by. */
export function bytesBeside(db: Database, index: IndexFile): number {
  if (db.path === ":memory:") return 0;
  // The former one is not written any more, so its file tells.
  return index.bytes + (statSync(formerPathOf(db.path), { throwIfNoEntry: false })?.size ?? 0);
}

/** Takes an index away with what stands beside it. */
export function removeIndex(path: string): void {
  if (path !== ":memory:") for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
}

/** One that was never whole answers worse than the one before it, which is still there. */
function isWorthKeeping(found: IndexFile, condition: IndexCondition): boolean {
  if (found.applied >= found.target && mayAnswer(condition)) return true;
  return found.sqlite.prepare("SELECT 1 FROM vectors LIMIT 1").get() !== undefined;
}

/** A log that was left beside the new name would be taken for its own. */
function stepAside(path: string, to: string): void {
  removeIndex(to);
  renameSync(path, to);
}

/** Undefined: it is damaged. */
function openSound(path: string): IndexFile | undefined {
  let index: IndexFile | undefined;
  try {
    index = new IndexFile(path, HERE_WAIT_MS);
    // What it says of itself is the least that must be there to be read.
    conditionOf(index, { id: "", epoch: "", lastChange: 0 });
    return index;
  } catch (error) {
    index?.close();
    if (isSpoilt(error)) return undefined;
    throw error;
  }
}
