import { storable, stored } from "@threadlore/postgres/text";

/** A store that cannot be opened. `message` says in plain words why and what to do; nothing was overwritten. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** What a column holds, and what a statement is given. Booleans are 0 and 1; objects are JSON in text. */
export type Value = string | number | null;

/** A row as an engine returns it. */
export type Row = Readonly<Record<string, Value>>;

/** SQL both engines understand, with `$1`, `$2`, … for its values. */
export interface Queries {
  /** The rows of one statement. */
  query(sql: string, ...values: readonly Value[]): Promise<readonly Row[]>;
  /** Runs one statement; how many rows it changed. */
  run(sql: string, ...values: readonly Value[]): Promise<number>;
  /** Runs statements without values. */
  script(sql: string): Promise<void>;
}

/** A database. A statement on its own is a transaction of its own. */
export abstract class Engine implements Queries {
  /** What this engine calls its parts where the two differ. */
  abstract readonly dialect: SqlDialect;
  /** What to add to this machine's moments to get the database's; 0 where they are the same. Milliseconds. */
  abstract readonly clockAhead: number;
  /** Nobody else had the database open when it was opened: what is marked as running cannot be. */
  abstract readonly alone: boolean;

  /** Does one statement, as often as it takes to have it done. */
  protected abstract once<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  /** Runs `work` in one transaction; whatever it throws undoes all of it. */
  abstract transaction<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
  abstract close(): Promise<void>;

  query(sql: string, ...values: readonly Value[]): Promise<readonly Row[]> {
    return this.once((queries) => queries.query(sql, ...values));
  }

  run(sql: string, ...values: readonly Value[]): Promise<number> {
    return this.once((queries) => queries.run(sql, ...values));
  }

  script(sql: string): Promise<void> {
    return this.once((queries) => queries.script(sql));
  }

  /** A moment of this machine's clock as the database keeps it. */
  stored(moment: number): number {
    return Math.round(moment) + this.clockAhead;
  }
}

/** Writes a row, in place of the one with the same `keys` where there is one. */
export function upsert(queries: Queries, table: string, keys: readonly string[], row: Row): Promise<number> {
  const columns = Object.keys(row);
  const values = columns.map((_, index) => `$${index + 1}`);
  const changes = columns.filter((column) => !keys.includes(column)).map((column) => `${column} = excluded.${column}`);
  const sql = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${values.join(", ")})
    ON CONFLICT (${keys.join(", ")}) DO UPDATE SET ${changes.join(", ")}`;
  return queries.run(sql, ...Object.values(row));
}

/** Where the SQL of the two engines differs. */
export interface SqlDialect {
  /** A column that numbers rows in the order of their arrival. */
  readonly sequence: string;
  /** Ends a SELECT whose row is to be changed at once; others pass it over. */
  readonly forUpdate: string;
  /** The moment by the database's wall clock, milliseconds since 1970, when the statement runs. */
  readonly moment: string;
  /** The same by a clock that leases are told by, which setting this machine's clock does not move. */
  readonly leaseMoment: string;
  /** Function of a text and a part of it: where that begins, from 1 on; 0: it does not stand there. */
  readonly placeIn: "instr" | "strpos";
  /** A member of the JSON object in a column, as text. */
  readonly member: (column: string, name: string) => string;
  /** The order of bytes, for a text that is compared. */
  readonly bytewise: "BINARY" | '"C"';
  /** Keeps others from migrating until the transaction ends. */
  readonly lockSchema: string;
  /** Statements that delete all that is in these tables and what refers to it, however much that is. */
  readonly emptying: (tables: readonly string[]) => readonly string[];
  /** Makes deleted rows unreadable in what the database leaves on the disk, as far as that can be asked for. */
  readonly afterForgetting: string;
}

/** A string as both engines return it unchanged. `decoded` undoes it. */
export function encoded(value: Value): Value {
  return typeof value === "string" ? storable(value) : value;
}

/** Undoes `encoded` for every column of a row. */
export function decoded(row: Record<string, unknown>): Row {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, decodedValue(value)]));
}

function decodedValue(value: unknown): Value {
  if (typeof value === "string") return stored(value);
  return typeof value === "number" ? value : null;
}
