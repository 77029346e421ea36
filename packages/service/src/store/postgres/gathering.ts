import type { Weighed, Fate } from "../store.ts";

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly settle: (written: Fate<Result>) => void;
}

/**
 * Whom an error concerns: one of those that were written together, so that the others are worth another try; them all; or
 * everybody who waits, since nobody can be served.
 */
export type Concern = "one" | "these" | "everybody";

/** Most things that are written together, and most of their characters: all wait for all, and a transaction holds what it locks. */
const MAX_TOGETHER = 64;
const MAX_WEIGHT = 1_000_000;

/**
 * Writes things together that arrive while others are being written: with the truth on another machine it is the ways to it
 * and the commit that take the time. Nobody is told of a success before the commit that holds it.
 */
export class Gathering<Item extends Weighed, Result> {
  readonly #writeAll: (items: readonly Item[]) => Promise<readonly Fate<Result>[]>;
  readonly #concernOf: (error: unknown) => Concern;
  #waiting: Waiting<Item, Result>[] = [];
  #isWriting = false;

  /**
   * @param writeAll writes all in one transaction or, where it rejects, none of them
   * @param concernOf whom an error concerns that it was rejected with
   */
  constructor(
    writeAll: (items: readonly Item[]) => Promise<readonly Fate<Result>[]>,
    concernOf: (error: unknown) => Concern,
  ) {
    this.#writeAll = writeAll;
    this.#concernOf = concernOf;
  }

  /** Resolves when it is written, rejects when it is not. */
  write(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const settle = (written: Fate<Result>): void => {
      if ("refusal" in written) reject(written.refusal);
      else resolve(written.result);
    };
    this.#waiting.push({ item, settle });
    if (!this.#isWriting) {
      this.#isWriting = true;
      // Whatever arrives in the same moment comes along.
      setImmediate(() => void this.#writeOn());
    }
    return promise;
  }

  async #writeOn(): Promise<void> {
    while (this.#waiting.length > 0) await this.#writeSome(this.#next());
    this.#isWriting = false;
  }

  #next(): Waiting<Item, Result>[] {
    let weight = 0;
    const fits = ({ item }: Waiting<Item, Result>, at: number): boolean =>
      at < MAX_TOGETHER && ((weight += item.weight) <= MAX_WEIGHT || at === 0);
    const end = this.#waiting.findIndex((one, at) => !fits(one, at));
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #writeSome(some: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const written = await this.#writeAll(some.map(({ item }) => item));
      for (const [at, { settle }] of some.entries()) settle(written[at] ?? refused(new Error("it was not written")));
    } catch (error) {
      const concern = this.#concernOf(error);
      if (concern === "one" && some.length > 1) for (const one of some) await this.#writeSome([one]);
      else {
        // Those that wait would wait as long once more, to hear the same.
        const told = concern === "everybody" ? [...some, ...this.#waiting.splice(0)] : some;
        for (const { settle } of told) settle(refused(error));
      }
    }
  }
}

const refused = (refusal: unknown) => ({ refusal });
