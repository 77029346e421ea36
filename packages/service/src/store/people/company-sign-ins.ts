import { createHash } from "node:crypto";
import type { PendingSignIn } from "@threadlore/sign-in";
import { get, insert, run, type Steps, values } from "../steps.ts";

/** How long a sign-in that was begun is kept, milliseconds. */
const LASTS_MS = 10 * 60_000;
/** Sign-ins kept at most: whoever begins without end pushes out the oldest, and takes up no room. */
const MAX_PENDING = 10_000;

/** A sign-in that was begun, and which browser may end it. */
export interface BegunSignIn {
  readonly pending: PendingSignIn;
  /** What the browser that began holds, and no other. */
  readonly browser: string;
  /** Path of this service to go on at. */
  readonly next: string;
}

/** Keeps a sign-in that was begun, for any instance to end. */
export function* keepPending({ pending, browser, next }: BegunSignIn, now: number): Steps<void> {
  yield* run("DELETE FROM company_sign_ins WHERE expires_at <= ?", now);
  yield* insert("company_sign_ins", {
    state_hash: hashOf(pending.state),
    browser_hash: hashOf(browser),
    pending: JSON.stringify(pending),
    next,
    expires_at: now + LASTS_MS,
  });
  const [oldest] = yield* values<number>(
    "SELECT expires_at FROM company_sign_ins ORDER BY expires_at DESC LIMIT 1 OFFSET ?",
    MAX_PENDING,
  );
  if (oldest !== undefined) yield* run("DELETE FROM company_sign_ins WHERE expires_at <= ?", oldest);
}

/**
 * Takes away the sign-in that a browser began, so that nobody else ends it, now or later. Undefined where it is unknown, too
 * old, or another browser's, which keeps it then.
 */
export function* takePending(
  state: string,
  browser: string,
  now: number,
): Steps<Pick<BegunSignIn, "pending" | "next"> | undefined> {
  const row = yield* get<{ pending: string; next: string }>(
    "DELETE FROM company_sign_ins WHERE state_hash = ? AND browser_hash = ? AND expires_at > ? RETURNING pending, next",
    hashOf(state),
    hashOf(browser),
    now,
  );
  return row && { pending: JSON.parse(row.pending) as PendingSignIn, next: row.next };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
