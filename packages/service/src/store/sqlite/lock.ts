import { chmodSync, closeSync, existsSync, lstatSync, openSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DatabaseError } from "./database-error.ts";

/** Held by the one service that works with a database. */
export interface DatabaseLock {
  release(): void;
}

/**
 * Takes a database for one service; throws DatabaseError ("in_use") while another has it. The lock is the operating
 * system's, on a file beside the database itself, whatever link led there, so a killed service leaves none behind. Reading
 * and adding keys or pairs from the terminal needs no lock: only a second service would index the same queue.
 */
export function lockDatabase(database: string): DatabaseLock {
  if (database === ":memory:") return { release: () => undefined };
  const sqlite = open(database);
  try {
    // Nothing is written to it, so that it can be had on a full disk too.
    sqlite.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    sqlite.close();
    const words = `Another Threadlore service already works with ${database}. Stop it first, or give this one another database.`;
    throw new DatabaseError("in_use", database, words, error);
  }
  return { release: () => sqlite.close() };
}

function open(database: string): DatabaseSync {
  try {
    const path = `${realPathOf(database)}.lock`;
    makeFile(path);
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw new DatabaseError(
      "read_only",
      database,
      `Nothing can be written beside the database ${database}. Does its folder exist, and may you write there?`,
      error,
    );
  }
}

/** The path without links in it, as SQLite finds the file: of one that is yet to be made, where it will be. */
function realPathOf(path: string): string {
  try {
    // The system's own: it knows that ".." behind a link leads elsewhere than the text says.
    return realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const folder = realpathSync.native(dirname(path));
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (!isLink) return `${folder}/${basename(path)}`;
  const target = readlinkSync(path);
  return realPathOf(isAbsolute(target) ? target : `${folder}/${target}`);
}

/** SQLite would make it readable by everyone. Never opened by hand while another holds it: that drops its locks. */
function makeFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  else if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
}
