/** In milliseconds. A timer that is later than `max` was asleep with its machine. */
const TICK_MS = { usual: 1_000, max: 2_000 };

/**
 * How long something is waited for without a sign of it. Only waiting counts: a caller may take its time with what came,
 * a machine may sleep, and a clock may be set.
 */
export class Patience {
  readonly #ms: number;
  readonly #over = new AbortController();
  #waited = 0;
  /** Ends when there is no patience left, and with what it was given. */
  readonly signal: AbortSignal;

  /** @param milliseconds without a sign */
  constructor(milliseconds: number, given?: AbortSignal) {
    this.#ms = milliseconds;
    this.signal = given === undefined ? this.#over.signal : AbortSignal.any([given, this.#over.signal]);
  }

  /** Something came. */
  sign(): void {
    this.#waited = 0;
  }

  /** Whether it outlasts so many milliseconds more. */
  lasts(milliseconds: number): boolean {
    return this.#waited + milliseconds <= this.#ms;
  }

  /** Waits for what ends with `signal`, which ends meanwhile when patience does. */
  async during<Value>(waiting: Promise<Value>): Promise<Value> {
    let at = performance.now();
    let timer: ReturnType<typeof setTimeout>;
    const count = () => {
      const now = performance.now();
      this.#waited += Math.min(now - at, TICK_MS.max);
      at = now;
    };
    const tick = () => {
      count();
      if (this.#waited >= this.#ms) this.#over.abort();
      else wait();
    };
    const wait = () => (timer = setTimeout(tick, Math.min(TICK_MS.usual, Math.max(0, this.#ms - this.#waited))));
    timer = wait();
    try {
      return await waiting;
    } finally {
      clearTimeout(timer);
      count();
    }
  }
}
