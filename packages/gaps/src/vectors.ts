/** Vectors of all known questions, and how alike any two questions are by this model. */

/** Rows of one block: a growing collection is never copied. */
const BLOCK = 512;
/** With how many others a new vector is compared at most to learn how alike questions of different gaps are. */
const SAMPLE = 256;

/** Sums over vectors of what was seen as each was added. */
interface Seen {
  readonly added: number;
  readonly means: number;
  readonly squares: number;
  readonly nearest: number;
}

/** What is taken for granted of a model that nothing is known of yet. */
const PRIOR: Seen = { added: 3, means: 3 * 0.4, squares: 3 * (0.4 ** 2 + 0.15 ** 2), nearest: 3 * 0.6 };

/** How alike questions of different gaps are by a model: models differ in it by far. */
export interface Base {
  /** A cosine. */
  readonly mean: number;
  /** How much that differs. */
  readonly spread: number;
  /** How far from the mean towards 1 the most alike question of another gap is: little by a model that tells much. */
  readonly nearest: number;
}

/** How alike a question is to one gap. */
export interface GapCosines {
  readonly best: number;
  readonly mean: number;
}

/** Of one length alone: what an embedding model gives. */
export class Vectors {
  readonly #size: number;
  readonly #blocks: Float32Array[] = [];
  /** By row: the number of its gap; -1: forgotten. */
  readonly #gapOf: number[] = [];
  /** By row: its language. */
  readonly #languages: (string | null)[] = [];
  #seen: Seen = PRIOR;
  /** Among questions of one language alone: models that do not know it take all of them to be alike. */
  readonly #seenOf = new Map<string | null, Seen>();

  constructor(size: number) {
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  add(gap: number, vector: Float32Array, language: string | null): void {
    const rows = this.#gapOf.length;
    this.#observe(gap, vector, language);
    if (rows % BLOCK === 0) this.#blocks.push(new Float32Array(BLOCK * this.#size));
    this.#blocks.at(-1)?.set(vector, (rows % BLOCK) * this.#size);
    this.#gapOf.push(gap);
    this.#languages.push(language);
  }

  /** All vectors of a gap are of another one from now on; -1: of none. */
  move(from: number, into: number): void {
    for (let row = 0; row < this.#gapOf.length; row++) if (this.#gapOf[row] === from) this.#gapOf[row] = into;
  }

  /** How alike a question is to every gap. */
  cosinesOf(vector: Float32Array): Map<number, GapCosines> {
    const sums = new Map<number, { best: number; sum: number; count: number }>();
    for (let row = 0; row < this.#gapOf.length; row++) {
      const gap = this.#gapOf[row] ?? -1;
      if (gap === -1) continue;
      const cosine = this.#cosine(row, vector);
      const known = sums.get(gap);
      if (known === undefined) sums.set(gap, { best: cosine, sum: cosine, count: 1 });
      else {
        known.best = Math.max(known.best, cosine);
        known.sum += cosine;
        known.count++;
      }
    }
    return new Map([...sums].map(([gap, { best, sum, count }]) => [gap, { best, mean: sum / count }]));
  }

  /**
   * What is seen among the known questions of a language, what is seen among all as long as few are of it, and what is
   * usual as long as few are known.
   */
  base(language: string | null): Base {
    const own = this.#seenOf.get(language);
    const usual = doubted(this.#seen, PRIOR.added);
    const { added, means, squares, nearest } = own === undefined ? usual : both(own, usual);
    const mean = means / added;
    const variance = squares / added - mean ** 2;
    return { mean, spread: Math.sqrt(Math.max(1e-4, variance)), nearest: above(nearest / added, mean) };
  }

  #observe(gap: number, vector: Float32Array, language: string | null): void {
    const rows = this.#gapOf.length;
    const step = Math.max(1, Math.ceil(rows / SAMPLE));
    const all: number[] = [];
    const alike: number[] = [];
    for (let row = rows % step; row < rows; row += step) {
      const other = this.#gapOf[row];
      if (other === gap || other === -1) continue;
      const cosine = this.#cosine(row, vector);
      all.push(cosine);
      if (this.#languages[row] === language) alike.push(cosine);
    }
    if (all.length > 0) this.#seen = both(this.#seen, seenIn(all));
    if (alike.length === 0) return;
    const before = this.#seenOf.get(language);
    this.#seenOf.set(language, before === undefined ? seenIn(alike) : both(before, seenIn(alike)));
  }

  #cosine(row: number, vector: Float32Array): number {
    const block = this.#blocks[Math.floor(row / BLOCK)] as Float32Array;
    const from = (row % BLOCK) * this.#size;
    // Four sums at a time: each waits for itself alone.
    let [one, two, three, four] = [0, 0, 0, 0];
    const whole = this.#size - (this.#size % 4);
    for (let at = 0; at < whole; at += 4) {
      one += (block[from + at] as number) * (vector[at] as number);
      two += (block[from + at + 1] as number) * (vector[at + 1] as number);
      three += (block[from + at + 2] as number) * (vector[at + 2] as number);
      four += (block[from + at + 3] as number) * (vector[at + 3] as number);
    }
    for (let at = whole; at < this.#size; at++) one += (block[from + at] as number) * (vector[at] as number);
    return one + two + three + four;
  }
}

/** Where a cosine lies between what is usual and 1. */
export function above(cosine: number, usual: number): number {
  return (cosine - usual) / Math.max(0.05, 1 - usual);
}

function seenIn(cosines: readonly number[]): Seen {
  const mean = (of: (cosine: number) => number) => cosines.reduce((total, one) => total + of(one), 0) / cosines.length;
  return { added: 1, means: mean((one) => one), squares: mean((one) => one ** 2), nearest: Math.max(...cosines) };
}

function both(one: Seen, other: Seen): Seen {
  return {
    added: one.added + other.added,
    means: one.means + other.means,
    squares: one.squares + other.squares,
    nearest: one.nearest + other.nearest,
  };
}

/** What a model that does not know a language makes of it lies so much nearer to 1. */
const UNKNOWN = 0.2;

/** What is to be expected of a language, counting as much as so many vectors: that the model may not know it. */
function doubted({ added, means, squares, nearest }: Seen, weight: number): Seen {
  const mean = means / added;
  const raised = mean + UNKNOWN * (1 - mean);
  const variance = squares / added - mean ** 2;
  const nearer = nearest / added + UNKNOWN * (1 - nearest / added);
  return {
    added: weight,
    means: weight * raised,
    squares: weight * (variance + raised ** 2),
    nearest: weight * nearer,
  };
}
