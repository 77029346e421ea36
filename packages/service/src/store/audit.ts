import { all, run, type SqlValue, type Steps } from "./steps.ts";

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

/** The newest entries that fit, newest first. */
export function* listAuditEntries({ user, kind, since, until, before, limit }: AuditFilter): Steps<AuditEntry[]> {
  const conditions: readonly (readonly [string, SqlValue | undefined])[] = [
    ['"user" = ?', user],
    ["kind = ?", kind],
    ["moment >= ?", since],
    ["moment < ?", until],
    ["id < ?", before],
  ];
  const asked = conditions.filter(([, value]) => value !== undefined);
  const where = asked.length === 0 ? "" : `WHERE ${asked.map(([condition]) => condition).join(" AND ")}`;
  return yield* all<AuditEntry>(
    `SELECT id, ${COLUMNS.map((name) => `"${name}"`).join(", ")} FROM audit ${where} ORDER BY id DESC LIMIT ?`,
    ...asked.flatMap(([, value]) => (value === undefined ? [] : [value])),
    limit,
  );
}

/** Deletes what is older; answers how much it was. @param moment milliseconds since 1970 */
export function* forgetAuditEntries(moment: number): Steps<number> {
  return yield* run("DELETE FROM audit WHERE moment < ?", moment);
}

/** Deletes what is older of one user. @param moment milliseconds since 1970 */
export function* forgetAuditEntriesOf(user: string, moment: number): Steps<void> {
  yield* run('DELETE FROM audit WHERE "user" = ? AND moment < ?', user, moment);
}
