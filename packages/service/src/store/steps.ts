/**
 * What is done with the store is written once, as a generator of statements: SQLite performs it at one go, PostgreSQL over a
 * connection. Statements are in the words both know; where they know none in common, a statement says each its own.
 *
 * What both have besides is the function `json_each(text)`, whose column `value` is told what it is by a CAST.
 */

/** What a statement is given. Moments and counts are whole numbers below 2^53. */
export type SqlValue = string | number | null | Uint8Array;

/** A row as a database returns it. */
export type Row = Record<string, SqlValue>;

/** A statement in SQL: one text for both, or one for each. */
export type Sql = string | { readonly sqlite: string; readonly postgres: string };

/** The text a statement has in SQLite. */
export function sqliteText(sql: Sql): string {
  return typeof sql === "string" ? sql : sql.sqlite;
}

/** One step: a statement with its values, `?` or `?1` in it. */
export interface SqlStep {
  readonly sql: Sql;
  readonly given: readonly SqlValue[];
}

/** What a statement gave. */
export interface SqlResult {
  readonly rows: readonly Row[];
  /** Rows that were changed, where it changes any. */
  readonly changes: number;
}

/** Something that is done with the store, in one transaction where it writes. What it throws undoes all of it. */
export type Steps<Result> = Generator<SqlStep, Result, SqlResult>;

/** Every row. A row is what its statement selects, and is told so where the statement stands. */
export function* all<Found = Row>(sql: Sql, ...given: SqlValue[]): Steps<Found[]> {
  return [...(yield { sql, given }).rows] as Found[];
}

/** The first row; undefined where there is none. */
export function* get<Found = Row>(sql: Sql, ...given: SqlValue[]): Steps<Found | undefined> {
  return (yield { sql, given }).rows[0] as Found | undefined;
}

/** What a statement with one column gives, row by row. */
export function* values<Found extends SqlValue>(sql: Sql, ...given: SqlValue[]): Steps<Found[]> {
  return (yield { sql, given }).rows.flatMap((row) => Object.values(row) as Found[]);
}

/** What a statement with one column and one row gives. Throws where there is no row. */
export function* value<Found extends SqlValue>(sql: Sql, ...given: SqlValue[]): Steps<Found> {
  const [found] = yield* values<Found>(sql, ...given);
  if (found === undefined) throw new Error("a row that must be there is missing");
  return found;
}

/** A statement that returns no rows; answers how many it changed. */
export function* run(sql: Sql, ...given: SqlValue[]): Steps<number> {
  return (yield { sql, given }).changes;
}

/** Adds a row of these columns. */
export function* insert(table: string, row: Readonly<Record<string, SqlValue>>): Steps<void> {
  yield* run(insertion(table, row), ...Object.values(row));
}

/** Adds a row of these columns to a table that numbers its rows; answers its id. */
export function* insertNumbered(table: string, row: Readonly<Record<string, SqlValue>>): Steps<number> {
  return yield* value<number>(`${insertion(table, row)} RETURNING id`, ...Object.values(row));
}

function insertion(table: string, row: Readonly<Record<string, SqlValue>>): string {
  const columns = Object.keys(row);
  return `INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
}

/** A row some of whose columns hold JSON, with the values these stand for. */
export function withJson<Found>(row: Row, ...columns: (keyof Found & string)[]): Found {
  for (const column of columns) row[column] = JSON.parse(String(row[column]));
  return row as Found;
}

/** Performs steps where each statement is answered at once. */
export function performed<Result>(steps: Steps<Result>, perform: (statement: SqlStep) => SqlResult): Result {
  let step = steps.next();
  while (step.done !== true) {
    let given: SqlResult;
    try {
      given = perform(step.value);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(given);
  }
  return step.value;
}
