import type { Database } from "./database.ts";

interface Waiting {
  readonly work: () => void;
  readonly settle: (error: unknown) => void;
}

/** Longest time writes of others are gathered in one transaction, milliseconds; what is left goes into the next. */
const MAX_MS = 10;

/**
 * Puts writes that arrive together into one transaction: with synchronous FULL it is the commit that takes the time.
 * Nobody is told of a success before the commit that holds it.
 */
export class GroupCommit {
  readonly #db: Database;
  #waiting: Waiting[] = [];

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Runs `work` in a transaction soon. Resolves to its result when that is on the disk; rejects with what it threw, and
   * then nothing of it is kept, but what was gathered with it is.
   */
  write<Result>(work: () => Result): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    let result: { readonly value: Result } | undefined;
    if (this.#waiting.length === 0) setImmediate(() => this.#commit());
    this.#waiting.push({
      work: () => {
        result = { value: work() };
      },
      settle: (error) => {
        if (result === undefined || error !== undefined) reject(error);
        else resolve(result.value);
      },
    });
    return promise;
  }

  #commit(): void {
    const all = this.#waiting;
    this.#waiting = [];
    const until = performance.now() + MAX_MS;
    const failures = new Map<Waiting, unknown>();
    let done = 0;
    let failure: unknown;
    try {
      this.#db.transaction(() => {
        while (done < all.length && (done === 0 || performance.now() < until)) {
          const one = all[done++] as Waiting;
          try {
            this.#db.transaction(one.work);
          } catch (error) {
            // Some errors, such as a full disk, end the whole transaction.
            if (!this.#db.sqlite.isTransaction) throw error;
            failures.set(one, error);
          }
        }
      });
    } catch (error) {
      failure = error;
    }
    const later = all.slice(Math.max(done, 1));
    if (later.length > 0) {
      if (this.#waiting.length === 0) setImmediate(() => this.#commit());
      this.#waiting.unshift(...later);
    }
    for (const one of all.slice(0, Math.max(done, 1))) one.settle(failures.get(one) ?? failure);
  }
}
