/** Whose turns are kept in mind; beyond, the one not seen for longest begins anew. */
const MAX_COUNTED = 10_000;

interface Left {
  turns: number;
  at: number;
}

/** So many turns a second for each of many, and twice as many at once. */
export class Allowance {
  readonly #perSecond: number;
  readonly #clock: () => number;
  /** Those not seen for longest first. */
  readonly #left = new Map<string, Left>();

  /** @param clock milliseconds that pass; the machine's clock may be set, this one not */
  constructor(perSecond: number, clock: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#clock = clock;
  }

  /** Takes a turn: 0, or for how many seconds there is none. */
  take(who: string): number {
    const left = this.#of(who);
    if (left.turns < 1) return Math.max(1, Math.ceil((1 - left.turns) / this.#perSecond));
    left.turns--;
    return 0;
  }

  #of(who: string): Left {
    const now = this.#clock();
    const most = this.#perSecond * 2;
    const before = this.#left.get(who) ?? { turns: most, at: now };
    const left = { turns: Math.min(most, before.turns + ((now - before.at) / 1_000) * this.#perSecond), at: now };
    this.#left.delete(who);
    this.#left.set(who, left);
    const [oldest] = this.#left.keys();
    if (this.#left.size > MAX_COUNTED && oldest !== undefined) this.#left.delete(oldest);
    return left;
  }
}

/** How many of something each of many has. */
export class Counts {
  readonly #counts = new Map<string, number>();

  of(who: string): number {
    return this.#counts.get(who) ?? 0;
  }

  add(who: string, more: 1 | -1): void {
    const count = this.of(who) + more;
    if (count > 0) this.#counts.set(who, count);
    else this.#counts.delete(who);
  }
}
