import { UnsupportedError } from "../errors/errors.ts";

/** What a server turned out to offer: `unknown` until it was tried, and again some time after it refused. */
export type Support = "yes" | "no" | "unknown";

/** A server is upgraded, a proxy mended, a feature switched on: nothing is absent for ever. */
const REMEMBERED_MS = 60_000;

/** Remembers, for one server, which operations it does not have, so that each is not asked for again and again. */
export class SupportMemory {
  readonly #refused = new Map<string, { error: UnsupportedError; at: number }>();
  readonly #answered = new Set<string>();
  readonly #now: () => number;

  /** @param now a clock that only goes forward, in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Runs `call`; an UnsupportedError is remembered under `operation` and thrown again without a call for a minute. Not
   * for a call whose path holds an id: what the server says of one path need not hold for another.
   */
  async attempt<Result>(operation: string, call: () => Promise<Result>): Promise<Result> {
    const known = this.#refusalOf(operation);
    if (known !== undefined) throw new UnsupportedError(known.message, known, { cause: known });
    try {
      const result = await call();
      this.answered(operation);
      return result;
    } catch (error) {
      if (error instanceof UnsupportedError) {
        this.#answered.delete(operation);
        this.#refused.set(operation, { error, at: this.#now() });
      }
      throw error;
    }
  }

  /** An operation that answered, so that it is there. */
  answered(operation: string): void {
    this.#refused.delete(operation);
    this.#answered.add(operation);
  }

  of(operation: string): Support {
    if (this.#refusalOf(operation) !== undefined) return "no";
    return this.#answered.has(operation) ? "yes" : "unknown";
  }

  #refusalOf(operation: string): UnsupportedError | undefined {
    const known = this.#refused.get(operation);
    return known === undefined || this.#now() - known.at >= REMEMBERED_MS ? undefined : known.error;
  }
}
