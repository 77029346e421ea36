/** How much there is: of documents and of bytes. */
export interface Amount {
  readonly count: number;
  readonly bytes: number;
}

/** Time whose rate is shown, milliseconds: what is slow now says more of what is left than what was quick an hour ago. */
const WINDOW_MS = 30_000;
/** What took less says nothing of the rest, milliseconds. */
const LEAST_MS = 2_000;

/** How quickly a run gets along. Its clock only goes forward. */
export class Pace {
  readonly #now: () => number;
  readonly #begun: number;
  /** What was done at moments of the last window, the oldest first, a second apart. */
  #marks: ({ readonly at: number } & Amount)[];
  #done: Amount = { count: 0, bytes: 0 };

  /** @param now milliseconds; default: a clock that no one can set */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#begun = now();
    this.#marks = [{ at: this.#begun, count: 0, bytes: 0 }];
  }

  /** One more is done. */
  step(bytes: number): void {
    this.#done = { count: this.#done.count + 1, bytes: this.#done.bytes + bytes };
    const at = this.#now();
    if (at - (this.#marks.at(-1)?.at ?? 0) < 1_000) return;
    this.#marks.push({ at, ...this.#done });
    while (this.#marks.length > 2 && at - (this.#marks[1]?.at ?? 0) > WINDOW_MS) this.#marks.shift();
  }

  get done(): Amount {
    return this.#done;
  }

  get elapsedMs(): number {
    return this.#now() - this.#begun;
  }

  /** Per second, of late; undefined before that can be said. */
  rate(): Amount | undefined {
    const [first] = this.#marks;
    const ms = first === undefined ? 0 : this.#now() - first.at;
    if (first === undefined || ms < LEAST_MS || this.#done.count === 0) return undefined;
    const { count, bytes } = this.#done;
    return { count: ((count - first.count) / ms) * 1_000, bytes: ((bytes - first.bytes) / ms) * 1_000 };
  }

  /** Milliseconds until so much is done, by documents and bytes alike; undefined where it cannot be said. */
  leftMs(total: Amount | undefined): number | undefined {
    const rate = this.rate();
    if (total === undefined || rate === undefined || rate.count === 0) return undefined;
    const byCount = Math.max(0, total.count - this.#done.count) / rate.count;
    const byBytes = rate.bytes === 0 ? byCount : Math.max(0, total.bytes - this.#done.bytes) / rate.bytes;
    return ((byCount + byBytes) / 2) * 1_000;
  }
}

/** Such as `27/s`, `0.4/s`. */
export function perSecond(count: number): string {
  return `${number(count)}/s`;
}

/** Such as `3.4 MB`. */
export function megabytes(bytes: number): string {
  return `${number(bytes / 1_000_000)} MB`;
}

/** A quantity as a person wants to read it: no digit that says nothing. */
function number(quantity: number): string {
  if (quantity >= 10) return Math.round(quantity).toLocaleString("en");
  return quantity >= 0.05 || quantity === 0 ? quantity.toFixed(1) : "<0.1";
}

/** Such as `40 s`, `5 min`, `2 h 10 min`. */
export function span(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
