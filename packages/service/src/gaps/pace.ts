import { refusal } from "../http/problem.ts";

/** Questions one caller may tell of in a minute, at one instance. */
const MAX_IN_A_MINUTE = 1_200;
const MINUTE_MS = 60_000;

/**
 * Counts what callers tell of, by the minute: a program that runs wild is told to wait, and fills no disk. Whoever tells again what
 * could not be told is the same question.
 */
export class TellingPace {
  readonly #now: () => number;
  #minute = 0;
  #told = new Map<string, number>();

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts one; throws a Problem (429) where it is one too many. */
  spend(user: string): void {
    const at = this.#now();
    const minute = Math.floor(at / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#told = new Map();
    }
    const told = this.#told.get(user) ?? 0;
    if (told >= MAX_IN_A_MINUTE) {
      const seconds = Math.max(1, Math.ceil(((minute + 1) * MINUTE_MS - at) / 1_000));
      throw refusal(
        429,
        "TOO_MANY_QUESTIONS",
        `That was more than ${MAX_IN_A_MINUTE} questions in a minute. Tell the rest in ${seconds} s.`,
        { "Retry-After": String(seconds) },
      );
    }
    this.#told.set(user, told + 1);
  }
}
