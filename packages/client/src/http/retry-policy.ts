import { backoffMs } from "../delay.ts";
import type { RetryLimits } from "./connection-options.ts";
import { RateLimitError, UnavailableError } from "../errors/errors.ts";
import type { Refusal } from "../errors/reply-error.ts";

export const DEFAULT_RETRIES: RetryLimits = {
  retries: 2,
  baseMs: 500,
  capMs: 8_000,
  longestWaitMs: 60_000,
  unreachableMs: 20_000,
};

/** What is known when an attempt has failed. */
export interface FailedAttempt extends Refusal {
  /** 0 for the first. */
  attempt: number;
  /** Since the call began, in milliseconds. */
  elapsedMs: number;
  /** Until the call's total time is used up, in milliseconds. */
  leftMs: number;
  /** Doing the operation twice is as good as doing it once. */
  repeatable: boolean;
}

/**
 * The longest wait before the next attempt, in milliseconds; undefined: do not repeat (docs/threats.md, table 3A). A wait
 * the server asked for is kept to; of any other, callers that failed together sit out a random part each.
 *
 * An operation that is not repeatable is sent again only where it cannot have been carried out: nothing was sent, or
 * the server refused before the work with 408, 425, 429 or 503.
 */
export function longestWait(failed: FailedAttempt, limits: RetryLimits): number | undefined {
  if (failed.attempt >= limits.retries || !mayRepeat(failed)) return undefined;
  const wait = failed.waitMs ?? backoffMs(failed.attempt, limits);
  if (wait > limits.longestWaitMs || wait >= failed.leftMs) return undefined;
  if (failed.error.status === undefined && failed.elapsedMs + wait > limits.unreachableMs) return undefined;
  return wait;
}

function mayRepeat({ error, repeatable }: FailedAttempt): boolean {
  if (error instanceof RateLimitError) return true;
  if (!(error instanceof UnavailableError)) return false;
  const { status } = error;
  if (status === undefined) return !error.maybeProcessed || repeatable;
  if (status === 408 || status === 425 || status === 503) return true;
  return repeatable && (status === 500 || status === 502 || status === 504);
}
