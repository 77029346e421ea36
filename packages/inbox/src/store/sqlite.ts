import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { delay } from "@threadlore/client/delay";
import { DatabaseSync } from "node:sqlite";
import { decoded, type SqlDialect, encoded, Engine, type Queries, StoreError, type Value } from "./engine.ts";
import { codeOf, primaryCode } from "./trouble.ts";

const DIALECT: SqlDialect = {
  sequence: "INTEGER PRIMARY KEY AUTOINCREMENT",
  forUpdate: "",
  moment: "wall_ms()",
  leaseMoment: "machine_ms()",
  placeIn: "instr",
  bytewise: "BINARY",
  member: (column, name) => `json_extract(${column}, '$.${name}')`,
  lockSchema: "",
  emptying: (tables) => tables.map((table) => `DELETE FROM ${table}`),
  afterForgetting: "PRAGMA wal_checkpoint(TRUNCATE)",
};

/** How long a call waits for another connection's lock, milliseconds. */
const LOCK_WAIT_MS = 5_000;
const LOCK_PAUSE_MS = 10;
/** So long the event loop is kept at most by one statement after another, milliseconds. */
const BREATH_MS = 20;

/**
 * A SQLite file, made for one instance. A second process that opens it too loses nothing, but finds leases of the
 * first only by their end. WAL and synchronous FULL: what was kept survives a power cut. Throws StoreError.
 *
 * @param path a file, created with mode 0600 where absent, or ":memory:".
 */
export async function openSqlite(path: string): Promise<Engine> {
  try {
    if (path !== ":memory:") createPrivately(path);
    const alone = tryLock(path);
    const sqlite = new DatabaseSync(path);
    sqlite.function("wall_ms", () => Date.now());
    sqlite.function("machine_ms", machineMs);
    try {
      await patiently(async () => {
        refuseForeignTables(sqlite, path);
        sqlite.exec(
          "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; " +
            "PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON;",
        );
      });
    } catch (error) {
      sqlite.close();
      alone?.close();
      throw error;
    }
    return new SqliteEngine(sqlite, alone);
  } catch (error) {
    throw explained(error, path);
  }
}

class SqliteEngine extends Engine {
  readonly dialect = DIALECT;
  readonly clockAhead = 0;
  readonly alone: boolean;
  readonly #sqlite: DatabaseSync;
  readonly #lock: DatabaseSync | undefined;
  /** There is one connection, so whatever comes while a transaction is open waits for its end. */
  #turn: Promise<unknown> = Promise.resolve();
  #closed = false;
  /** Since when nothing but statements can have happened; undefined: something else could. */
  #keptSince: number | undefined;

  constructor(sqlite: DatabaseSync, lock: DatabaseSync | undefined) {
    super();
    this.#sqlite = sqlite;
    this.#lock = lock;
    this.alone = lock !== undefined;
  }

  protected once<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#inTurn(() => patiently(() => work(this.#queries)));
  }

  transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    return this.#inTurn(async () => {
      await patiently(async () => this.#sqlite.exec("BEGIN IMMEDIATE"));
      try {
        const result = await work(this.#queries);
        this.#sqlite.exec("COMMIT");
        return result;
      } catch (error) {
        if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK");
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#closed) return;
      this.#closed = true;
      this.#sqlite.close();
      this.#lock?.close();
    });
  }

  readonly #queries: Queries = {
    query: async (sql, ...values) => this.#sqlite.prepare(sql).all(named(values)).map(decoded),
    run: async (sql, ...values) => Number(this.#sqlite.prepare(sql).run(named(values)).changes),
    script: async (sql) => this.#sqlite.exec(sql),
  };

  /** No statement waits for anything, so whoever asks many in a row would let nothing else happen, a lease be renewed neither. */
  async #breathe(): Promise<void> {
    if (this.#keptSince === undefined) {
      this.#keptSince = performance.now();
      setImmediate(() => (this.#keptSince = undefined));
    } else if (performance.now() - this.#keptSince > BREATH_MS) await turn();
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(() => this.#breathe()).then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}

/**
 * Milliseconds since the machine began: one clock for all its processes, which nobody sets. After a restart of the machine
 * it begins anew; by then nobody has the file open, and whoever opens it first ends all leases.
 */
const machineMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/**
 * Tries again while another connection holds the lock. SQLite's own waiting would stop the whole process meanwhile, and
 * for ever where the holder is in this process.
 */
async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (primaryCode(error) !== SQLITE_BUSY || performance.now() > end) throw error;
    }
    await delay(LOCK_PAUSE_MS);
  }
}

const SQLITE_BUSY = 5;

function named(values: readonly Value[]): Record<string, Value> {
  return Object.fromEntries(values.map((value, index) => [`$${index + 1}`, encoded(value)]));
}

/**
 * SQLite would make a new file readable by everyone. A file that is there is not opened to look at it: closing it would
 * drop the locks of any connection this process has to it.
 */
function createPrivately(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  else if (!statSync(path).isFile()) throw notOurs(path, `${path} is not a file.`);
}

function refuseForeignTables(sqlite: DatabaseSync, path: string): void {
  const names = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  if (names.length === 0 || names.some(({ name }) => name === "schema_version")) return;
  throw notOurs(path, `${path} is a database of another program.`);
}

function notOurs(path: string, found: string): StoreError {
  return new StoreError(`${found} Name another file for the bot's database; ${path} was left as it is.`);
}

/**
 * A lock of the operating system's, on a file beside the database, so that a killed process leaves none behind.
 * Undefined while another process has it.
 */
function tryLock(database: string): DatabaseSync | undefined {
  if (database === ":memory:") return new DatabaseSync(":memory:");
  const path = `${database}.lock`;
  createPrivately(path);
  const sqlite = new DatabaseSync(path);
  try {
    sqlite.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return sqlite;
  } catch {
    sqlite.close();
    return undefined;
  }
}

function explained(error: unknown, path: string): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error;
  const primary = primaryCode(error);
  // SQLITE_NOTADB
  if (primary === 26) return notOurs(path, `${path} is not a database, or its beginning is damaged.`);
  // SQLITE_CORRUPT
  if (primary === 11) {
    return new StoreError(
      `The bot's database ${path} is damaged. It was left as it is. Restore a copy, or move the file away to begin anew.`,
      { cause: error },
    );
  }
  const isSystems = ["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR"].includes(codeOf(error));
  // SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN
  if (!isSystems && ![3, 8, 14].includes(primary)) return error;
  return new StoreError(
    `The bot's database ${path} cannot be written. Does its folder exist, and may you write there?`,
    { cause: error },
  );
}
