import { StoreError } from "./engine.ts";

/** What is wrong with a database, in plain words and by what can be done about it. */
const WORDS = {
  full: "the database is full: make room where it is kept",
  damaged: "the database is damaged: stop the bot and restore a copy, or move it away to begin anew",
  tables: "tables of the database are gone: restore a copy of it, or start the bot anew on an empty one",
  locked: "another program holds the lock of the database",
  readOnly: "the database cannot be written: look at the rights and the disk of where it is kept",
  silent: "the database does not answer",
} as const;

/** Primary result codes of SQLite: BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB. */
const OF_SQLITE: Readonly<Record<number, keyof typeof WORDS>> = {
  5: "locked",
  6: "locked",
  8: "readOnly",
  10: "readOnly",
  11: "damaged",
  13: "full",
  14: "readOnly",
  26: "damaged",
};

/** SQLSTATE of PostgreSQL: disk full, data or index corrupted, undefined table, read-only transaction. */
const OF_POSTGRES: Readonly<Record<string, keyof typeof WORDS>> = {
  "53100": "full",
  XX001: "damaged",
  XX002: "damaged",
  "42P01": "tables",
  "3F000": "tables",
  "25006": "readOnly",
  "55P03": "locked",
};

/** What is wrong with the database, from what it said. Never what was to be kept. */
export function storeTrouble(error: unknown): string {
  return WORDS[kindOf(error) ?? "silent"];
}

/** Whether an error is the database's, of whichever engine, rather than anything else's. */
export function isStoreTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof StoreError || codeOf(error) === "ERR_SQLITE_ERROR" || kindOf(error) !== undefined) return true;
  // The client of PostgreSQL: what the server said has a severity, what its connection said these words.
  return (
    "severity" in error || /query read timeout|connection terminated|timeout exceeded when trying/i.test(error.message)
  );
}

function kindOf(error: unknown): keyof typeof WORDS | undefined {
  const primary = primaryCode(error);
  if (primary !== 0 && error instanceof Error && /no such (?:table|column)/.test(error.message)) return "tables";
  return OF_SQLITE[primary] ?? OF_POSTGRES[codeOf(error)];
}

/** Whether an error says that a unique index had the value already. */
export const isTaken = (error: unknown): boolean =>
  // SQLITE_CONSTRAINT_UNIQUE, and its like of PostgreSQL
  (error instanceof Error && "errcode" in error && error.errcode === 2067) || codeOf(error) === "23505";

/** SQLite's result code without its details; 0 for any other error. */
export const primaryCode = (error: unknown): number =>
  error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : 0;

/** The code of an error of PostgreSQL's, or of the system's; empty where it has none. */
export const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");
