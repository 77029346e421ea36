import { DatabaseSync } from "node:sqlite";
import { DatabaseError } from "./database-error.ts";

/** Held by the one service that works with a database. */
export interface DatabaseLock {
  release(): void;
}

/**
 * Takes a database for one service; throws DatabaseError ("in_use") while another has it. The lock is the operating
 * system's, on a file beside the database, so a killed service leaves none behind. Reading and adding keys or pairs
 * from the terminal needs no lock: only a second service would index the same queue.
 */
export function lockDatabase(database: string): DatabaseLock {
  if (database === ":memory:") return { release: () => undefined };
  const path = `${database}.lock`;
  const sqlite = open(path, database);
  try {
    sqlite.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (error) {
    sqlite.close();
    throw inUse(database, error);
  }
  return { release: () => sqlite.close() };
}

function open(path: string, database: string): DatabaseSync {
  try {
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

function inUse(database: string, cause: unknown): DatabaseError {
  return new DatabaseError(
    "in_use",
    database,
    `Another Threadlore service already works with ${database}. Stop it first, or give this one another database.`,
    cause,
  );
}
