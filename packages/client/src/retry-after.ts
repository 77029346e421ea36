import type { ErrorBody } from "./error-body.ts";

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
