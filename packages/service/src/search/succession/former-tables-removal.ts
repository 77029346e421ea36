import type { Database } from "../../store/sqlite/database.ts";

/** What that version's index was kept in, in the order it goes: what refers to others first. */
const TABLES = [
  "passages",
  "vectors",
  "leaving_passages",
  "passages_index_data",
  "passages_index_idx",
  "passages_index_docsize",
  "passages_index_config",
] as const;

/** What a row of a table is named by. */
const KEYS: Readonly<Partial<Record<string, string>>> = {
  passages_index_idx: "segid, term",
  passages_index_config: "k",
};

/** Time that one slice may take, milliseconds: a write of somebody else waits no longer for it. */
const SLICE_MS = 15;
const MIN_ROWS = 16;
const MAX_ROWS = 4_096;

/** Tables that are left of it. */
export function tablesLeft(db: Database): string[] {
  return db.values(
    "SELECT name FROM sqlite_schema WHERE name IN (SELECT value FROM json_each(?))",
    JSON.stringify(TABLES),
  );
}

/** Takes them away. */
export class LeavingTables {
  readonly #db: Database;
  /** Rows of the next slice, by how long the last one took. */
  #rows = 256;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Takes some away, in one short transaction. Answers whether there is more. To drop a large table at once would hold the
   * database for seconds: its rows go first.
   */
  removeSome(): boolean {
    const left = tablesLeft(this.#db);
    const table = TABLES.find((name) => left.includes(name));
    if (table === undefined) return false;
    if (table === "passages") setAside(this.#db);
    else this.#removeRows(table);
    return true;
  }

  #removeRows(table: string): void {
    const began = performance.now();
    const removed = removeRows(this.#db, table, this.#rows);
    const times = Math.min(2, SLICE_MS / Math.max(0.1, performance.now() - began));
    if (removed === this.#rows) {
      this.#rows = Math.min(MAX_ROWS, Math.max(MIN_ROWS, Math.floor(this.#rows * times)));
    }
  }
}

/**
 * What is left of them from here on is no index any more, and is called so: whoever finds the table under another name asks
 * it nothing. Its full-text index leaves the schema first, and its tables stay behind as common ones: emptied while they
 * are an index, they would be one that is damaged, for whatever checks the database after a kill.
 */
function setAside(db: Database): void {
  const { sqlite } = db;
  // Absent in older versions of Node, where nothing is held back.
  const defend = (isOn: boolean): void => (sqlite as Partial<typeof sqlite>).enableDefensive?.call(sqlite, isOn);
  try {
    defend(false);
    sqlite.exec("PRAGMA writable_schema = ON");
    db.transaction(() => {
      sqlite.exec("DROP TRIGGER IF EXISTS passages_deleted");
      sqlite.exec("DELETE FROM sqlite_schema WHERE type = 'table' AND name = 'passages_index'");
      sqlite.exec("ALTER TABLE passages RENAME TO leaving_passages");
    });
  } finally {
    // Reads the schema anew.
    sqlite.exec("PRAGMA writable_schema = RESET");
    defend(true);
  }
}

/** Removes so many rows, and the table with its last ones. Answers how many there were. */
function removeRows(db: Database, table: string, most: number): number {
  const key = KEYS[table] ?? "rowid";
  return db.makingRoom(() =>
    db.transaction(() => {
      const { changes } = db.run(
        `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} ORDER BY ${key} LIMIT ?)`,
        most,
      );
      if (changes < most) db.sqlite.exec(`DROP TABLE ${table}`);
      return changes;
    }),
  );
}
