import type { DatabaseSync } from "node:sqlite";

/** Runs a term can have at the most. */
export const RUNS = 2 ** 20;

/** A term as it is kept. */
export interface TermRow {
  readonly number: number | null;
  readonly runs: number;
  readonly passages: number;
  readonly tail: Uint8Array;
}

/** The tables of the index. All that is in them can be made again from the documents. */
const TABLES = `
  CREATE TABLE state (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE documents (
    number INTEGER PRIMARY KEY,             -- as in the service's database
    version INTEGER,                        -- its sequence there, of what is indexed; NULL: not all of it yet
    pair INTEGER,
    source TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    title TEXT NOT NULL
  ) STRICT;
  CREATE TABLE passages (
    id INTEGER PRIMARY KEY,                 -- ascending, and never given twice
    document INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,               -- position in the document, from 0
    heading TEXT NOT NULL,
    text TEXT NOT NULL,
    about TEXT NOT NULL,
    link TEXT,
    language TEXT NOT NULL
  ) STRICT;
  CREATE INDEX passages_by_document ON passages (document);
  CREATE TABLE vectors (
    passage INTEGER PRIMARY KEY,
    model TEXT NOT NULL,
    vector BLOB                             -- 32-bit floats, little-endian, of length 1; NULL: the model refused it
  ) STRICT;
  -- A term's postings: the full blocks in runs, what is behind them with the term itself, so that one row is read and
  -- written for a term that is rare, as most are.
  CREATE TABLE terms (
    term TEXT PRIMARY KEY,
    number INTEGER,                         -- of its runs; NULL: it has none yet
    runs INTEGER NOT NULL,
    passages INTEGER NOT NULL,              -- that hold it
    tail BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE runs (
    id INTEGER PRIMARY KEY,                 -- the term's number, and behind it which of its runs
    blocks BLOB NOT NULL
  ) STRICT;
  CREATE TABLE dead (
    chunk INTEGER PRIMARY KEY,              -- of so many ids
    ids BLOB NOT NULL                       -- a bit for each that is there no more, the lowest first
  ) STRICT;
  CREATE TABLE moments (
    first INTEGER PRIMARY KEY,              -- id
    moments BLOB NOT NULL                   -- of the documents of it and the next ones: 64-bit floats, little-endian
  ) STRICT;
  -- The words texts are written with, folded: an unknown one is taken for one of these.
  CREATE TABLE words (
    id INTEGER PRIMARY KEY,                 -- one after the other, from 1
    word TEXT NOT NULL UNIQUE
  ) STRICT;
  -- Of every word its length and which letters it has, many in one row: all of them are looked through for one.
  CREATE TABLE shapes (
    first INTEGER PRIMARY KEY,              -- id of a word
    shapes BLOB NOT NULL                    -- of it and the next ones, 0 for those that are not there: 32-bit, little-endian
  ) STRICT;
  -- Of languages that write compounds, read from the end: what they end with is found as what they begin with.
  CREATE TABLE endings (reversed TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`;

/** Opens the settings of a connection to the index: what is lost in it is made again, so no write waits for the disk. */
export function createIndex(sqlite: DatabaseSync): void {
  sqlite.exec("PRAGMA page_size = 8192");
  sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -64000;");
  sqlite.exec("PRAGMA wal_autocheckpoint = 8000");
  if (sqlite.prepare("SELECT 1 FROM sqlite_schema").get() === undefined) sqlite.exec(TABLES);
}
