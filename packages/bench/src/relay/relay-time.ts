interface Timer {
  readonly at: number;
  run(): void;
}

/**
 * Time that only passes when it is told to, so that an hour of waiting costs nothing and is the same on every machine.
 * What is done in between is done by the real parts, and takes as long as it takes. `besides` is told of all that passes,
 * for a clock of somebody else's that is to go along.
 */
export function simulateTime(besides: (ms: number) => void = () => {}) {
  let now = 1_790_000_000_000;
  let touchedAt = performance.now();
  const timers = new Set<Timer>();

  /** The earliest timer that is due by then. */
  function nextBy(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers) if (timer.at <= end && (next === undefined || timer.at < next.at)) next = timer;
    return next;
  }

  return {
    now: () => now,
    after(ms: number, run: () => void) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    /** Lets time pass; what becomes due is run in order, and each step is left to finish. */
    async move(ms: number) {
      const end = now + ms;
      for (let timer = nextBy(end); timer !== undefined; timer = nextBy(end)) {
        now = Math.max(now, timer.at);
        // Whatever is due at this moment runs together, as it would.
        for (const due of [...timers].filter(({ at }) => at <= now)) {
          if (!timers.delete(due)) continue;
          touchedAt = performance.now();
          due.run();
        }
        await settled();
      }
      now = end;
      besides(ms);
      await settled();
    },
    /** Notes that something reaches the program now: `touchedAt` is this moment. */
    touch() {
      touchedAt = performance.now();
    },
    /** When the program was last given something to do (a packet, a reply, a timer), by `performance.now()`. */
    get touchedAt() {
      return touchedAt;
    },
  };
}

/** Such a time. */
export type SimulatedTime = ReturnType<typeof simulateTime>;

/** Until everything that needs no time has been done. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve));
}
