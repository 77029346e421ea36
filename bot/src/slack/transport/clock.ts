/** Time, as the pacer and the deliveries see it; a test owns its own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs it once, after at least `ms`; the returned function takes that back. */
  after(ms: number, run: () => void): () => void;
}

/** The machine's own time. Its timers keep the process alive: what is waited for while draining still happens. */
export const machineClock: Clock = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or at once when the signal aborts. */
export function delay(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = (): void => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal?.addEventListener("abort", done, { once: true });
  });
}
