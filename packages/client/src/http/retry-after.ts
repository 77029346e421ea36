import type { ErrorBody } from "../errors/error-body.ts";

/**
 * How long a server asks to wait, in milliseconds; undefined when it does not say. Reads, in this order,
 * `retry-after-ms`, `retry-after` (seconds or a date), and the body's `retry_after_seconds` and `reset_at`. A date is
 * measured against the server's own `date` header, so that neither clock needs to be right.
 */
export function retryAfterMs(headers: Headers, body: ErrorBody): number | undefined {
  const exact = numeric(headers.get("retry-after-ms"));
  if (exact !== undefined) return exact;
  const header = headers.get("retry-after");
  const seconds = numeric(header);
  if (seconds !== undefined) return seconds * 1000;
  const serverNow = moment(headers.get("date")) ?? Date.now();
  return (
    until(header, serverNow) ??
    (body.retryAfterSeconds === undefined ? undefined : Math.max(0, body.retryAfterSeconds * 1000)) ??
    until(body.resetAt ?? null, serverNow)
  );
}

/** A wait nobody sits out, in milliseconds: ten years. A moment behind it is no more than "later". */
const MAX_WAIT_MS = 10 * 365 * 86_400_000;

/** Two clocks this close to each other, in milliseconds, are taken for one. */
const SAME_CLOCK_MS = 60_000;

/**
 * When there is use in trying again, by this machine's clock; undefined when the server does not say. A budget that is
 * new again at a moment is not so earlier, whatever the server asks to wait; where both mean the same, it is that
 * moment and not some milliseconds later.
 */
export function retryMoment(headers: Headers, body: ErrorBody): Date | undefined {
  const waitMs = retryAfterMs(headers, body);
  const resetMs = until(body.resetAt ?? null, moment(headers.get("date")) ?? Date.now());
  if (resetMs === undefined || resetMs < (waitMs ?? 0) - SAME_CLOCK_MS) {
    return waitMs === undefined || waitMs > MAX_WAIT_MS ? undefined : new Date(Date.now() + waitMs);
  }
  if (resetMs > MAX_WAIT_MS) return undefined;
  const local = Date.now() + resetMs;
  const named = moment(body.resetAt ?? null) ?? local;
  return new Date(Math.abs(named - local) < SAME_CLOCK_MS ? named : local);
}

/** Such as `in about 3 hours (2026-11-23 00:00 UTC)`; the moment is left out where it is soon. */
export function untilWords(at: Date): string {
  const waitMs = at.getTime() - Date.now();
  if (waitMs <= 0) return "now";
  const minutes = Math.ceil(waitMs / 60_000);
  const hours = Math.round(minutes / 60);
  const about =
    minutes < 60
      ? count(minutes, "a", "minute")
      : hours < 24
        ? count(hours, "an", "hour")
        : count(Math.round(hours / 24), "a", "day");
  if (minutes < 10) return `in about ${about}`;
  const rounded = new Date(Math.ceil(at.getTime() / 60_000) * 60_000).toISOString();
  return `in about ${about} (${rounded.slice(0, 10)} ${rounded.slice(11, 16)} UTC)`;
}

function count(number: number, article: string, unit: string): string {
  return number === 1 ? `${article} ${unit}` : `${number} ${unit}s`;
}

function until(text: string | null, now: number): number | undefined {
  const then = moment(text);
  return then === undefined ? undefined : Math.max(0, then - now);
}

function moment(text: string | null): number | undefined {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

function numeric(text: string | null): number | undefined {
  return text !== null && /^\d{1,12}(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}
