import { createHash } from "node:crypto";
import { get, run, type Steps, sweep } from "../steps.ts";

/** How often something may be tried. */
export interface AttemptLimit {
  readonly most: number;
  readonly seconds: number;
}

/**
 * Counts one more attempt at something, for all instances together. Answers 0, or how many seconds to wait: it was tried as
 * often as it may. The wait is never longer than the limit's own time, however often it is tried meanwhile.
 * @param what any text; only its hash is kept
 */
export function* countAttempt(what: string, { most, seconds }: AttemptLimit, now: number): Steps<number> {
  const row = yield* get<{ count: number; until: number }>(
    `INSERT INTO attempts (hash, count, until) VALUES (?1, 1, ?2)
     ON CONFLICT (hash) DO UPDATE SET
       count = CASE WHEN attempts.until <= ?3 OR attempts.until > ?2 THEN 1 ELSE attempts.count + 1 END,
       until = CASE WHEN attempts.until <= ?3 OR attempts.until > ?2 THEN ?2 ELSE attempts.until END
     RETURNING count, until`,
    hashOf(what),
    now + seconds * 1_000,
    now,
  );
  if (row === undefined || row.count <= most) return 0;
  return Math.max(1, Math.ceil((row.until - now) / 1_000));
}

/** Takes back an attempt that was none: it was right. */
export function* takeBack(what: string): Steps<void> {
  yield* run("UPDATE attempts SET count = count - 1 WHERE hash = ? AND count > 0", hashOf(what));
}

/** Attempts at this begin anew. */
export function* forgetAttempts(what: string): Steps<void> {
  yield* run("DELETE FROM attempts WHERE hash = ?", hashOf(what));
}

/** Notes something for a time. */
export function* remember(what: string, until: number): Steps<void> {
  yield* run(
    "INSERT INTO attempts (hash, count, until) VALUES (?1, 0, ?2) ON CONFLICT (hash) DO UPDATE SET until = ?2",
    hashOf(what),
    until,
  );
}

/** Whether it was noted, and its time is not over. */
export function* isRemembered(what: string, now: number): Steps<boolean> {
  return (yield* get("SELECT 1 AS one FROM attempts WHERE hash = ? AND until > ?", hashOf(what), now)) !== undefined;
}

/** Takes out what no longer counts. */
export function* dropOldAttempts(now: number): Steps<void> {
  yield* sweep("attempts", "hash", "until <= ?", now);
}

function hashOf(what: string): string {
  return createHash("sha256").update(what).digest("hex");
}
