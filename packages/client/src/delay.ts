/** Waiting: for how long, until when, and what its end means. No imports: every front end bundles this. */

/** Resolves after so many milliseconds, or as soon as the signal ends. Never rejects. */
export async function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end, { once: true });
  });
}

/** Whether whoever ended a call wants its answer to be written on, as `CallOptions.signal` has it. */
export function leavesRunning(signal: AbortSignal | undefined): boolean {
  const reason: unknown = signal?.reason;
  return typeof reason === "object" && reason !== null && "leaveRunning" in reason && reason.leaveRunning === true;
}

/** How waits grow from one attempt to the next. */
export interface Backoff {
  /** The first wait, in milliseconds; each following one is twice as long. */
  readonly baseMs: number;
  /** No wait is longer, in milliseconds. */
  readonly capMs: number;
}

/**
 * How long to wait after an attempt has failed, in milliseconds. Without jitter: callers that may fail together take a
 * random part of it.
 * @param attempt 0 for the first
 */
export function backoffMs(attempt: number, { baseMs, capMs }: Backoff): number {
  return Math.min(capMs, baseMs * 2 ** attempt);
}

/** What comes in time, else `late`. Rejects as the work does, if it does so in time. */
export async function within<Found>(work: Promise<Found>, timeoutMs: number): Promise<Found | "late"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
