/**
 * What is done with the store is written once, as a generator of statements: SQLite performs it at one go, PostgreSQL over a
 * connection. Statements are in the words both know; where they know none in common, a statement says each its own.
 *
 * What both have besides is the function `json_each(text)`, whose column `value` is told what it is by a CAST.
 */

/**
 * A statement about the rows of some numbers, which it is given as JSON in `?1`. To PostgreSQL as an array: of the rows of a
 * function it does not know that they are few, and would read all there are.
 * @param about is told what stands behind the column, such as `IN (…)`
 */
export function ofNumbers(about: (among: string) => string): Sql {
  return {
    sqlite: about("IN (SELECT value FROM json_each(?1))"),
    postgres: about("= ANY (CAST(translate(?1, '[]', '{}') AS BIGINT[]))"),
  };
}

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
  /** Statements that need nothing of what it gives: they go to the database with it, and are performed after it. */
  readonly beside?: readonly SqlStep[];
  /** No other follows, and nobody looks at what it gives: what it locks is held no longer than it must be. */
  readonly isLast?: true;
}

/** What a statement gave. */
export interface SqlResult {
  readonly rows: readonly Row[];
  /** Rows that were changed, where it changes any. */
  readonly changes: number;
  /** What those beside it gave. */
  readonly beside?: readonly SqlResult[];
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

/** No statement. */
export function* nothing(): Steps<void> {}

/** The statement a transaction ends with. Nothing can be asked after it. */
export function* runLast(sql: Sql, ...given: SqlValue[]): Steps<void> {
  yield { sql, given, isLast: true };
}

/** Adds a row of these columns. */
export function* insert(table: string, row: Readonly<Record<string, SqlValue>>): Steps<void> {
  yield* run(insertion(table, row), ...Object.values(row));
}

/** Adds a row of these columns to a table that numbers its rows; answers its id. */
export function* insertNumbered(table: string, row: Readonly<Record<string, SqlValue>>): Steps<number> {
  return yield* value<number>(`${insertion(table, row)} RETURNING id`, ...Object.values(row));
}

/** What some steps come to. */
type ResultsOf<All extends readonly Steps<unknown>[]> = {
  -readonly [Place in keyof All]: All[Place] extends Steps<infer Result> ? Result : never;
};

/**
 * Does things of which none needs what another gives: the first statements of all go to the database together, then the
 * second ones, and so on, each time in the order the things are named. What one of them throws ends all.
 */
export function* together<const All extends readonly Steps<unknown>[]>(...named: All): Steps<ResultsOf<All>> {
  const each = named.map((steps) => ({ steps, step: steps.next() }));
  for (;;) {
    const going = each.flatMap(({ steps, step }, place) =>
      step.done === true ? [] : [{ steps, asks: step.value, place }],
    );
    const [first, ...rest] = going.flatMap(({ asks: { beside = [], ...own } }) => [own, ...beside]);
    if (first === undefined) return each.map(({ step }) => step.value) as ResultsOf<All>;
    const { beside: others = [], ...own } = yield { ...first, beside: rest };
    const answers = [own, ...others];
    for (const { steps, asks, place } of going) {
      const [answer, ...beside] = answers.splice(0, 1 + (asks.beside?.length ?? 0));
      if (answer === undefined) throw new Error("a statement was not performed");
      each[place] = { steps, step: steps.next({ ...answer, beside }) };
    }
  }
}

/**
 * Takes out rows that no longer count, some at a time. Of several who do it at one moment each takes what the others leave:
 * nobody waits for anybody.
 * @param key the column rows are known by
 */
export function* sweep(table: string, key: string, condition: string, ...given: SqlValue[]): Steps<void> {
  const some = `SELECT ${key} FROM ${table} WHERE ${condition} LIMIT 200`;
  yield* run(
    {
      sqlite: `DELETE FROM ${table} WHERE ${key} IN (${some})`,
      postgres: `DELETE FROM ${table} WHERE ${key} IN (${some} FOR UPDATE SKIP LOCKED)`,
    },
    ...given,
  );
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
export function performed<Result>(steps: Steps<Result>, performOne: (statement: SqlStep) => SqlResult): Result {
  const perform = ({ beside, ...own }: SqlStep): SqlResult => {
    const result = performOne(own);
    return beside === undefined ? result : { ...result, beside: beside.map(performOne) };
  };
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
