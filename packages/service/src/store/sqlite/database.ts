import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { Ballast, freeBytes } from "./ballast.ts";
import {
  corrupt,
  DatabaseError,
  explainFailure,
  isDamage,
  isOutOfSpace,
  mayLackRoom,
  newerSchema,
} from "./database-error.ts";
import { migrate, SCHEMA_VERSION, versionOf } from "./migrations.ts";
import { performed, type Row, sqliteText, type Steps } from "../steps.ts";

/** How to open a database. */
export interface DatabaseOptions {
  /**
   * Most bytes the file may grow to, with what stands beside it (`noteBeside`); writes beyond are refused with status 507.
   * Absent: the disk is the limit.
   */
  readonly limit?: number;
  /** How long a call waits for another program's lock, milliseconds. Default 5,000. */
  readonly lockWaitMs?: number;
  /** Keep some room of the disk back, for taking things out of a database whose disk is full. Default false. */
  readonly ballast?: boolean;
}

/** Whether a database can be worked with: all is well, nothing more can be kept, or parts of it cannot be read. */
export type StorageState = "ok" | "disk_full" | "damaged";

/** With less room than this nothing more is likely to be kept, bytes. */
const FULL_BELOW = 64 * 1024;
/** With more than this a write that failed for want of room is worth another try. */
const ROOM_AGAIN = 512 * 1024;

/** Largest file whose every page is checked at each start; it takes about a millisecond per megabyte. */
const CHECKED_AT_START = 64 * 1024 * 1024;

/**
 * The one SQLite connection of a service. WAL, so that reads go on while a write commits; synchronous FULL, so that
 * what was acknowledged survives a power cut (docs/threats.md, fact 11).
 */
export class Database {
  readonly sqlite: DatabaseSync;
  readonly path: string;
  readonly #statements = new Map<string, StatementSync>();
  /** Whether a statement returns rows. */
  readonly #returning = new Map<string, boolean>();
  /** Most pages the file and what stands beside it may have; undefined: as many as the disk holds. */
  readonly #mostPages: number | undefined;
  /** Pages as large as its own that stand beside it. */
  #besidePages = 0;
  readonly #ballast: Ballast | undefined;
  #damaged = false;
  /** A write failed for want of room, and there has been no more of it since. */
  #ranFull = false;
  readonly #ends: (() => void)[] = [];

  /**
   * @param path a file, created with its tables where absent, or ":memory:". Tables of an older version are brought up
   * to date after a copy was put beside the file. Throws DatabaseError where that cannot be done.
   */
  constructor(path: string, options: DatabaseOptions = {}) {
    this.path = path;
    this.#ballast = options.ballast === true && path !== ":memory:" ? new Ballast(path) : undefined;
    const sqlite = this.#open(options.lockWaitMs);
    this.sqlite = sqlite;
    try {
      const version = versionOf(sqlite);
      if (version > SCHEMA_VERSION) throw newerSchema(path, version);
      checkPages(sqlite, path);
      if (version === 0) refuseForeignTables(sqlite, path);
      sqlite.exec(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;" +
          // Pages that bulk ingestion touches again and again stay in memory, and go to the file less often.
          "PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 4000;",
      );
      if (version > 0 && version < SCHEMA_VERSION) copyBeforeMigration(sqlite, path, version);
      migrate(sqlite);
      tryWriting(sqlite);
      this.#mostPages = limitInPages(sqlite, options.limit);
      this.#allow(this.#limitPages);
      this.#ballast?.restore(0);
    } catch (error) {
      sqlite.close();
      throw explainFailure(error, path);
    }
  }

  /** Opening takes some room, too: on a full disk that of the ballast. */
  #open(lockWaitMs: number | undefined): DatabaseSync {
    try {
      return openFile(this.path, lockWaitMs);
    } catch (error) {
      if (!mayLackRoom(error) || this.#ballast?.give() !== true) throw error;
      return openFile(this.path, lockWaitMs);
    }
  }

  // Tables are STRICT: a row is what its statement selects, and is told so where the statement stands.

  /** The first row; undefined where there is none. */
  get<Found = Row>(sql: string, ...values: SQLInputValue[]): Found | undefined {
    return this.#watched(() => this.#prepared(sql).get(...values)) as Found | undefined;
  }

  all<Found = Row>(sql: string, ...values: SQLInputValue[]): Found[] {
    return this.#watched(() => this.#prepared(sql).all(...values)) as Found[];
  }

  /** What a statement with one column gives, row by row. */
  values<Value extends SQLInputValue>(sql: string, ...values: SQLInputValue[]): Value[] {
    return this.all<Record<string, Value>>(sql, ...values).flatMap((row) => Object.values(row));
  }

  /** What a statement with one column and one row gives. Throws where there is no row. */
  value<Value extends SQLInputValue>(sql: string, ...values: SQLInputValue[]): Value {
    const [value] = this.values<Value>(sql, ...values);
    if (value === undefined) throw new Error("a row that must be there is missing");
    return value;
  }

  /** Runs a statement that returns no rows; answers how many rows changed and the id of the last one inserted. */
  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastId: number } {
    const { changes, lastInsertRowid } = this.#watched(() => this.#prepared(sql).run(...values));
    return { changes: Number(changes), lastId: Number(lastInsertRowid) };
  }

  /** Performs steps of the store in one transaction. */
  transact<Result>(steps: Steps<Result>): Result {
    return this.transaction(() => this.perform(steps));
  }

  /** Performs steps of the store at one go; in a transaction only where the caller opened one. */
  perform<Result>(steps: Steps<Result>): Result {
    return performed(steps, ({ sql, given }) => {
      const text = sqliteText(sql);
      if (this.#watched(() => this.#returnsRows(text))) return { rows: this.all(text, ...given), changes: 0 };
      return { rows: [], changes: this.run(text, ...given).changes };
    });
  }

  // ── What state it is in ───────────────────────────────────────────────────────────────────────────────────────

  /** Whoever met damage or the end of the room, it is known from then on. */
  #watched<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (isDamage(error)) this.#damaged = true;
      else if (isOutOfSpace(error)) this.#ranFull = true;
      throw error;
    }
  }

  /** Pages were met that cannot be read. They stay so until a backup is restored. */
  get isDamaged(): boolean {
    return this.#damaged;
  }

  noteDamage(): void {
    this.#damaged = true;
  }

  /** Asks the disk anew, so it says when there is room again. */
  get state(): StorageState {
    if (this.#damaged) return "damaged";
    const room = this.#watched(() => this.#room());
    if (room >= ROOM_AGAIN) {
      this.#ranFull = false;
      this.#ballast?.restore();
    }
    return this.#ranFull || room < FULL_BELOW ? "disk_full" : "ok";
  }

  /** Whether so much can be written in several transactions: until the log is emptied, it stands there as well. */
  hasRoomFor(bytes: number): boolean {
    return this.#watched(() => this.#room()) >= 2 * bytes + ROOM_AGAIN;
  }

  /** Notes how many bytes stand beside it that are made of it: its limit is for both. */
  noteBeside(bytes: number): void {
    if (this.#mostPages === undefined) return;
    this.#besidePages = Math.ceil(bytes / pageSizeOf(this.sqlite));
    this.#allow(this.#limitPages);
  }

  /** Whether its limit leaves room for more beside it. The disk tells by itself. */
  get hasRoomBeside(): boolean {
    return this.#mostPages === undefined || this.#room() >= FULL_BELOW;
  }

  /** Most pages the file may have by itself. */
  get #limitPages(): number | undefined {
    return this.#mostPages === undefined ? undefined : Math.max(1, this.#mostPages - this.#besidePages);
  }

  /** Bytes that can still be kept. */
  #room(): number {
    const onDisk = this.path === ":memory:" ? Number.POSITIVE_INFINITY : freeBytes(dirname(this.path));
    const limitPages = this.#limitPages;
    if (limitPages === undefined) return onDisk;
    const { pages, free, size } = this.sqlite
      .prepare(
        "SELECT page_count AS pages, freelist_count AS free, page_size AS size FROM pragma_page_count, pragma_freelist_count, pragma_page_size",
      )
      .get() as Record<"pages" | "free" | "size", number>;
    return Math.min(onDisk, Math.max(0, limitPages - pages + free) * size);
  }

  /**
   * Runs `work` in one write transaction; whatever it throws undoes all of it. Within another transaction, what it did is
   * undone alone, and kept only with the rest.
   */
  transaction<Result>(work: () => Result): Result {
    const [begin, keep, undo] = this.sqlite.isTransaction
      ? ["SAVEPOINT inner", "RELEASE inner", "ROLLBACK TO inner; RELEASE inner"]
      : ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"];
    this.#watched(() => this.sqlite.exec(begin));
    try {
      const result = work();
      this.#watched(() => this.sqlite.exec(keep));
      return result;
    } catch (error) {
      if (this.sqlite.isTransaction) this.sqlite.exec(undo);
      throw error;
    }
  }

  /**
   * Runs work that makes room, or ends what was begun while there was some, with some pages beyond the limit, and on a
   * full disk with the ballast's room: taking a document out of the index writes to it first, and a file that is full to
   * its last page could never be emptied otherwise. Work that fails for want of room is done again, so it must be one
   * transaction.
   */
  makingRoom<Result>(work: () => Result): Result {
    if (this.#limitPages !== undefined) this.#allow(this.#limitPages + PAGES_TO_MAKE_ROOM);
    try {
      return work();
    } catch (error) {
      if (!isOutOfSpace(error) || this.sqlite.isTransaction) throw error;
      this.#emptyLog();
      if (this.#ballast?.give() !== true) throw error;
      const result = work();
      // What was written stands in the log and in the file: with the log empty there may be room for the ballast again.
      this.#emptyLog();
      this.#ballast.restore(0);
      return result;
    } finally {
      this.#allow(this.#limitPages);
    }
  }

  /** Puts what stands in the log into the file, and gives the log's room back, as far as that can be done. */
  #emptyLog(): void {
    try {
      this.sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // It stays as it is, and is whole.
    }
  }

  /** To be called when the database is closed, before it is. */
  onClose(end: () => void): void {
    this.#ends.push(end);
  }

  close(): void {
    for (const end of this.#ends.splice(0)) end();
    this.#statements.clear();
    this.sqlite.close();
  }

  #allow(pages: number | undefined): void {
    if (pages !== undefined) this.sqlite.exec(`PRAGMA max_page_count = ${pages}`);
  }

  /** Asked of the statement, not of its words. */
  #returnsRows(sql: string): boolean {
    let known = this.#returning.get(sql);
    if (known === undefined) {
      known = this.#prepared(sql).columns().length > 0;
      this.#returning.set(sql, known);
    }
    return known;
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.sqlite.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** Pages that taking documents out may need at the most before it frees any: one megabyte. */
const PAGES_TO_MAKE_ROOM = 256;

/** Opens a file that is a database, or that is not there yet. Throws DatabaseError where it cannot. */
export function openFile(path: string, lockWaitMs: number = 5_000): DatabaseSync {
  let sqlite: DatabaseSync | undefined;
  try {
    if (path !== ":memory:") makeFile(path);
    sqlite = new DatabaseSync(path, { timeout: lockWaitMs });
    // Its beginning is looked at by SQLite, never by hand: closing any other handle of a file drops, on POSIX systems,
    // the locks that this process's connections to it hold.
    sqlite.prepare("PRAGMA schema_version").get();
    return sqlite;
  } catch (error) {
    sqlite?.close();
    throw explainFailure(error, path);
  }
}

/** SQLite would make a new file readable by everyone. */
function makeFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  else if (!statSync(path).isFile()) throw new DatabaseError("not_a_database", path, `${path} is not a file.`);
}

function refuseForeignTables(sqlite: DatabaseSync, path: string): void {
  if (sqlite.prepare("SELECT 1 FROM sqlite_schema").get() === undefined) return;
  throw new DatabaseError(
    "not_a_database",
    path,
    `${path} is a database of another program. Name another file: it was left as it is.`,
  );
}

function checkPages(sqlite: DatabaseSync, path: string): void {
  if (path === ":memory:" || statSync(path).size > CHECKED_AT_START) return;
  const [finding] = sqlite.prepare("PRAGMA quick_check(1)").all();
  if (finding?.["quick_check"] !== "ok") throw corrupt(path);
}

/**
 * Reading alone succeeds on a file that cannot be written; better to say so now than at the first document. A full
 * disk is no reason not to start: what is there can still be asked.
 */
function tryWriting(sqlite: DatabaseSync): void {
  try {
    sqlite.exec("BEGIN IMMEDIATE");
    sqlite.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    sqlite.exec("COMMIT");
  } catch (error) {
    if (sqlite.isTransaction) sqlite.exec("ROLLBACK");
    if (!isOutOfSpace(error)) throw error;
  }
}

function copyBeforeMigration(sqlite: DatabaseSync, path: string, version: number): void {
  if (path === ":memory:") return;
  const copy = `${path}.before-schema-${SCHEMA_VERSION}-was-${version}`;
  if (existsSync(copy)) return;
  // Under its own name only when it is whole: a start that was killed meanwhile leaves nothing that looks like a copy.
  const draft = `${copy}.draft`;
  rmSync(draft, { force: true });
  // Into an empty file that is the owner's alone: SQLite would make it readable by everyone.
  closeSync(openSync(draft, "wx", 0o600));
  sqlite.prepare("VACUUM INTO ?").run(draft);
  renameSync(draft, copy);
}

function limitInPages(sqlite: DatabaseSync, limit: number | undefined): number | undefined {
  if (limit === undefined) return undefined;
  return Math.max(1, Math.floor(limit / pageSizeOf(sqlite)));
}

function pageSizeOf(sqlite: DatabaseSync): number {
  return Number(sqlite.prepare("PRAGMA page_size").get()?.["page_size"]);
}
