import { createHash } from "node:crypto";
import { instanceOf } from "../instance.ts";
import type { Database } from "../sqlite/database.ts";
import { DatabaseError } from "../sqlite/database-error.ts";
import { all, get, type Row, run, type SqlValue, type Steps, value } from "../steps.ts";
import type { Store } from "../store.ts";
import { MOVED_TABLES, type MovedTable } from "./moved-tables.ts";

/** How far a table is. */
export interface MovingProgress {
  readonly table: string;
  /** Whether its rows are being moved, or compared on both sides. */
  readonly step: "moved" | "compared";
  readonly done: number;
  readonly of: number;
}

/** What arrived of a table, by the same sum over every value of every row on both sides. */
export interface Arrived {
  readonly table: string;
  readonly rows: number;
  /** SHA-256, hex. */
  readonly sum: string;
  /** The other side has the same rows with the same values. */
  readonly isSame: boolean;
}

/**
 * Moves everything a service has in SQLite into an empty PostgreSQL: documents keep their numbers, keys stay valid, and it is
 * the same data to whoever keeps a record of what was sent. Ended on the way, it goes on where it was when it is called again.
 * Nothing is taken away where it came from; no service may work on it meanwhile.
 * @param from the SQLite database, which nobody else writes to
 * @param tell called now and then
 * Answers what arrived. Throws DatabaseError where the other database holds something else.
 */
export async function moveData(
  from: Database,
  to: Store,
  tell: (progress: MovingProgress) => void,
): Promise<readonly Arrived[]> {
  const source = from.perform(instanceOf());
  await to.write(() => begin(source));
  for (const table of MOVED_TABLES) await moveTable(from, to, table, tell);
  await finishDocuments(to);
  const arrived: Arrived[] = [];
  for (const table of MOVED_TABLES) arrived.push(await compare(from, to, table, tell));
  if (arrived.every(({ isSame }) => isSame)) await to.write(() => run("DELETE FROM moving"));
  return arrived;
}

/** Notes whose data is coming, so that nobody serves a part of it. */
function* begin({ id, epoch }: { readonly id: string; readonly epoch: string }): Steps<void> {
  const begun = yield* get<{ source: string }>("SELECT source FROM moving");
  if (begun?.source === `${id} ${epoch}`) return;
  const documents = yield* value<number>("SELECT count(*) FROM documents");
  const keys = yield* value<number>("SELECT count(*) FROM keys");
  const persons = yield* value<number>("SELECT count(*) FROM persons");
  if (begun !== undefined || documents > 0 || keys > 0 || persons > 0) {
    throw new DatabaseError(
      "in_use",
      "the target",
      `The database to move to is not empty (${documents} documents, ${keys} keys, ${persons} persons). Name an empty one: nothing was changed in it.`,
    );
  }
  yield* run("INSERT INTO moving (source) VALUES (?)", `${id} ${epoch}`);
  yield* run("UPDATE instance SET id = ?, epoch = ?", id, epoch);
}

/** Rows and bytes that are written in one transaction. */
const MAX_ROWS = 500;
const MAX_BYTES = 4_000_000;

async function moveTable(
  from: Database,
  to: Store,
  table: MovedTable,
  tell: (progress: MovingProgress) => void,
): Promise<void> {
  const of = from.perform(value<number>(`SELECT count(*) FROM ${table.table}`));
  const last = await to.read(lastKey(table));
  let done =
    last === undefined ? 0 : of - from.perform(value<number>(`SELECT count(*) ${behind(table, true)}`, ...last));
  // What a new database has of itself is written over: it has the first number of its table.
  const isFresh = last === undefined || done <= 1;
  if (isFresh) done = 0;
  let rows: Row[] = [];
  let bytes = 0;
  const write = async (): Promise<void> => {
    const some = rows;
    rows = [];
    bytes = 0;
    if (some.length === 0) return;
    await to.write(() => writeRows(table, some));
    done += some.length;
    tell({ table: table.table, step: "moved", done, of });
  };
  for (const row of rowsOf(from, table, isFresh ? undefined : last)) {
    rows.push(row);
    for (const one of Object.values(row))
      bytes += typeof one === "string" || one instanceof Uint8Array ? one.length : 8;
    if (rows.length >= MAX_ROWS || bytes >= MAX_BYTES) await write();
  }
  await write();
  if (table.isNumbered === true) await to.write(() => goOnBehind(table));
}

const columnsOf = ({ key, columns }: MovedTable): string[] => [...key, ...columns];
const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");

/** Rows behind a key. */
function behind({ table, key }: MovedTable, hasLast: boolean): string {
  const after = hasLast ? ` WHERE (${quoted(key)}) > (${key.map(() => "?").join(", ")})` : "";
  return `FROM ${table}${after}`;
}

function* rowsOf(from: Database, table: MovedTable, last: readonly SqlValue[] | undefined): Generator<Row> {
  // rowid has a name of its own only where it is asked for by it.
  const columns = columnsOf(table).map((name) => `"${name}" AS "${name}"`);
  const sql = `SELECT ${columns.join(", ")} ${behind(table, last !== undefined)} ORDER BY ${quoted(table.key)}`;
  for (const row of from.sqlite.prepare(sql).iterate(...(last ?? []))) yield row as Row;
}

function* lastKey({ table, key }: MovedTable): Steps<SqlValue[] | undefined> {
  const order = key.map((name) => `"${name}" DESC`).join(", ");
  const row = yield* get(`SELECT ${quoted(key)} FROM ${table} ORDER BY ${order} LIMIT 1`);
  return row && Object.values(row);
}

function* writeRows(table: MovedTable, rows: readonly Row[]): Steps<void> {
  const names = columnsOf(table);
  const isDocuments = table.table === "documents";
  const named = isDocuments ? [...names, "status"] : names;
  const places = `(${named.map(() => "?").join(", ")})`;
  const changes = names.filter((name) => !table.key.includes(name)).map((name) => `"${name}" = excluded."${name}"`);
  yield* run(
    `INSERT INTO ${table.table} (${quoted(named)}) VALUES ${rows.map(() => places).join(", ")}
     ON CONFLICT (${table.unique ?? quoted(table.key)}) DO ${changes.length === 0 ? "NOTHING" : `UPDATE SET ${changes.join(", ")}`}`,
    ...rows.flatMap((row) => [...names.map((name) => row[name] ?? null), ...(isDocuments ? ["pending"] : [])]),
  );
  if (isDocuments) yield* writeTagsOf(rows);
}

function* writeTagsOf(rows: readonly Row[]): Steps<void> {
  const numbers = JSON.stringify(rows.map((row) => row["number"]));
  yield* run("DELETE FROM tags WHERE document IN (SELECT CAST(value AS BIGINT) FROM json_each(?))", numbers);
  const tags = rows.flatMap((row) =>
    Object.entries(JSON.parse(String(row["metadata"])) as Record<string, string | string[]>).flatMap(([key, values]) =>
      [...new Set([values].flat())].map((one) => [row["number"] ?? 0, key, one]),
    ),
  );
  // Each by itself would be a way there and back.
  for (let at = 0; at < tags.length; at += MAX_TAGS) {
    const some = tags.slice(at, at + MAX_TAGS);
    const places = some.map(() => "(?, ?, ?)").join(", ");
    yield* run(`INSERT INTO tags (document, tag_key, tag_value) VALUES ${places}`, ...some.flat());
  }
}

/** Tags that are written with one statement. */
const MAX_TAGS = 500;

function* goOnBehind({ table, key: [key = "id"] }: MovedTable): Steps<void> {
  yield* all(
    `SELECT setval(pg_get_serial_sequence('${table}', '${key}'), greatest(1, coalesce((SELECT max("${key}") FROM ${table}), 1)))`,
  );
}

/** Documents that are put into the queue with one statement, which has seconds to end, however many there are. */
const MAX_QUEUED = 5_000;

/** Everything is still to be indexed, in the order it was written; what had failed may be tried again. */
async function finishDocuments(to: Store): Promise<void> {
  await to.write(() => run("TRUNCATE queue, changes"));
  let [queued, last] = [0, 0];
  for (let more = true; more;) {
    const part = await to.write(() => queueNext(last, queued));
    more = part.count === MAX_QUEUED;
    queued += part.count;
    last = part.last ?? last;
  }
  await to.write(function* () {
    yield* all("SELECT setval('writes', greatest(1, coalesce((SELECT max(sequence) FROM documents), 1)))");
    yield* run("UPDATE feed SET last = (SELECT count(*) FROM changes)");
  });
}

/**
 * @param after the sequence of the last document that is in the queue
 * @param queued how many are
 */
function* queueNext(after: number, queued: number): Steps<{ count: number; last: number | null }> {
  const next = `SELECT number, sequence FROM documents WHERE sequence > ? ORDER BY sequence LIMIT ${MAX_QUEUED}`;
  const count = yield* run(`INSERT INTO queue (document, sequence) ${next}`, after);
  yield* run(
    `INSERT INTO changes (sequence, document)
     SELECT CAST(? AS BIGINT) + row_number() OVER (ORDER BY sequence), number FROM (${next}) AS next`,
    queued,
    after,
  );
  return { count, last: yield* value<number | null>(`SELECT max(sequence) FROM (${next}) AS next`, after) };
}

/** Rows that are compared at a time on the other side, and bytes of them as they are kept there; one alone may have more. */
const MAX_COMPARED_ROWS = 200;

async function compare(
  from: Database,
  to: Store,
  table: MovedTable,
  tell: (progress: MovingProgress) => void,
): Promise<Arrived> {
  const of = from.perform(value<number>(`SELECT count(*) FROM ${table.table}`));
  const own = new RowSum();
  for (const row of rowsOf(from, table, undefined)) own.add(row, table);
  const other = new RowSum();
  for (let last: SqlValue[] | undefined; ;) {
    const after: SqlValue[] | undefined = last;
    const rows: Row[] = await to.read(page(table, after));
    for (const row of rows) other.add(row, table);
    tell({ table: table.table, step: "compared", done: other.rows, of });
    const end = rows.at(-1);
    if (end === undefined) break;
    last = table.key.map((name) => end[name] ?? null);
  }
  const sum = own.digest();
  return { table: table.table, rows: own.rows, sum, isSame: other.rows === own.rows && other.digest() === sum };
}

/** The next rows of the other side. */
function page(table: MovedTable, after: readonly SqlValue[] | undefined): Steps<Row[]> {
  const key = quoted(table.key);
  return all(
    `SELECT ${quoted(columnsOf(table))} FROM (
       SELECT next.*, row_number() OVER (ORDER BY ${key}) AS place,
              sum(pg_column_size(next.*)) OVER (ORDER BY ${key} ROWS UNBOUNDED PRECEDING) AS weight
       FROM (SELECT * ${behind(table, after !== undefined)} ORDER BY ${key} LIMIT ${MAX_COMPARED_ROWS}) AS next
     ) AS weighed WHERE place = 1 OR weight <= ${MAX_BYTES} ORDER BY ${key}`,
    ...(after ?? []),
  );
}

/** A sum over rows in their order. */
class RowSum {
  rows = 0;
  readonly #hash = createHash("sha256");

  add(row: Row, table: MovedTable): void {
    this.rows++;
    for (const name of columnsOf(table)) {
      const one = row[name] ?? null;
      if (one instanceof Uint8Array) this.#hash.update(`bytes ${one.length}:`).update(one);
      else this.#hash.update(`${JSON.stringify(one)},`);
    }
  }

  digest(): string {
    return this.#hash.copy().digest("hex");
  }
}
