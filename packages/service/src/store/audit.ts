import { all, run, type Sql, type SqlValue, type Steps } from "./steps.ts";

/** Something somebody did, by kind: nothing in it is of anybody's wording. */
export interface AuditEntry {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly moment: number;
  /** Whose key it was; empty: nobody's. */
  readonly user: string;
  /** Of a short list; see `audit/kinds`. */
  readonly kind: string;
  /**
   * By which front end a question came, as it says itself: a value of the interface's origins. Of the command line, the account
   * of the operating system. Empty: not told.
   */
  readonly origin: string;
  /** Address of who asked; empty: this machine's own process. */
  readonly address: string;
  /** HTTP status it ended with. */
  readonly status: number;
}

/** Which entries are wanted. */
export interface AuditFilter {
  readonly user?: string | undefined;
  readonly kind?: string | undefined;
  /** Milliseconds since 1970, from and until just before. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Entries before the one of this number, so that a page follows another whatever is added meanwhile. */
  readonly before?: number | undefined;
  readonly limit: number;
}

const COLUMNS = ["moment", "user", "kind", "origin", "address", "status"] as const;
/** Rows one statement adds: SQLite takes thousands of values, and PostgreSQL plans each number of them anew. */
const ROWS = 25;

/** Adds entries in their order. */
export function* addAuditEntries(entries: readonly Omit<AuditEntry, "id">[]): Steps<void> {
  for (let at = 0; at < entries.length; at += ROWS) {
    const some = entries.slice(at, at + ROWS);
    const row = `(${COLUMNS.map(() => "?").join(", ")})`;
    yield* run(
      `INSERT INTO audit (${COLUMNS.map((name) => `"${name}"`).join(", ")}) VALUES ${some.map(() => row).join(", ")}`,
      ...some.flatMap((entry) => COLUMNS.map((name) => entry[name])),
    );
  }
}

/**
 * A statement about the entries of the user in `?1`. PostgreSQL has an index of hashes, since a name may be longer than what an
 * index holds.
 */
export const audited = (statement: (whose: string) => string): Sql => ({
  sqlite: statement('"user" = ?1'),
  postgres: statement('md5("user") = md5(?1) AND "user" = ?1'),
});

/** The newest entries that fit, newest first. */
export function* listAuditEntries(filter: AuditFilter): Steps<AuditEntry[]> {
  const { sql, given } = auditListing(filter);
  return yield* all<AuditEntry>(sql, ...given);
}

/**
 * The statement of a list. A time is looked for between the first and the last entry of it, which the index of moments tells:
 * clocks go back, so that these are bounds and no order. With `+ 0` no database goes through the entries for them instead.
 */
export function auditListing({ user, kind, since, until, before, limit }: AuditFilter): {
  readonly sql: Sql;
  readonly given: readonly SqlValue[];
} {
  const conditions: readonly (readonly [SqlValue | undefined, (place: string) => string])[] = [
    [kind, (place) => `kind = ${place}`],
    [since, (place) => `moment >= ${place} AND id >= (SELECT min(id + 0) FROM audit WHERE moment >= ${place})`],
    [until, (place) => `moment < ${place} AND id <= (SELECT max(id + 0) FROM audit WHERE moment < ${place})`],
    [before, (place) => `id < ${place}`],
  ];
  const given: SqlValue[] = user === undefined ? [] : [user];
  const asked = conditions.flatMap(([value, write]) => (value === undefined ? [] : [write(`?${given.push(value)}`)]));
  const columns = ["id", ...COLUMNS.map((name) => `"${name}"`)].join(", ");
  const limited = `ORDER BY id DESC LIMIT ?${given.push(limit)}`;
  const listing = (parts: readonly string[]): string =>
    `SELECT ${columns} FROM audit ${parts.length === 0 ? "" : `WHERE ${parts.join(" AND ")}`} ${limited}`;
  const sql = user === undefined ? listing(asked) : audited((whose) => listing([whose, ...asked]));
  return { sql, given };
}

/** Entries that are deleted in one transaction: others write meanwhile. */
export const FORGOTTEN_TOGETHER = 5_000;

/**
 * Deletes some of what is older; answers how much it was. Of several who do it at one moment each takes what the others leave.
 * @param moment milliseconds since 1970
 */
export function* forgetAuditEntries(moment: number): Steps<number> {
  const some = `SELECT id FROM audit WHERE moment < ? ORDER BY moment LIMIT ${FORGOTTEN_TOGETHER}`;
  return yield* run(
    {
      sqlite: `DELETE FROM audit WHERE id IN (${some})`,
      postgres: `DELETE FROM audit WHERE id IN (${some} FOR UPDATE SKIP LOCKED)`,
    },
    moment,
  );
}

/** Deletes what is older of one user. @param moment milliseconds since 1970 */
export function* forgetAuditEntriesOf(user: string, moment: number): Steps<void> {
  yield* run(
    audited((whose) => `DELETE FROM audit WHERE ${whose} AND moment < ?2`),
    user,
    moment,
  );
}
