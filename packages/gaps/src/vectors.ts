/** Vectors of all known questions, and how alike any two questions are by this model. */

/** Rows of one block: a growing collection is never copied. */
const BLOCK = 512;
/** With how many others a new vector is compared to learn how alike questions of different gaps are. */
const SAMPLE = 32;

/** What is taken for granted of a model that nothing is known of yet, and for how many observations it counts. */
const PRIOR = { mean: 0.3, spread: 0.15, weight: 12 };

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
  #count = 0;
  #sum = 0;
  #squares = 0;

  constructor(size: number) {
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  add(gap: number, vector: Float32Array): void {
    const rows = this.#gapOf.length;
    const step = Math.max(1, Math.floor(rows / SAMPLE));
    for (let row = rows % step; row < rows; row += step) {
      const other = this.#gapOf[row];
      if (other !== gap && other !== -1) this.#observe(this.#cosine(row, vector));
    }
    if (rows % BLOCK === 0) this.#blocks.push(new Float32Array(BLOCK * this.#size));
    this.#blocks.at(-1)?.set(vector, (rows % BLOCK) * this.#size);
    this.#gapOf.push(gap);
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
   * How alike questions of different gaps are by this model, and how much that differs: models differ in it by far. What
   * is seen among the known questions, and what is usual as long as few are known.
   */
  base(): { readonly mean: number; readonly spread: number } {
    const weight = this.#count + PRIOR.weight;
    const mean = (this.#sum + PRIOR.weight * PRIOR.mean) / weight;
    const usual = PRIOR.weight * (PRIOR.spread ** 2 + PRIOR.mean ** 2);
    const variance = (this.#squares + usual) / weight - mean ** 2;
    return { mean, spread: Math.sqrt(Math.max(1e-4, variance)) };
  }

  #observe(cosine: number): void {
    this.#count++;
    this.#sum += cosine;
    this.#squares += cosine ** 2;
  }

  #cosine(row: number, vector: Float32Array): number {
    const block = this.#blocks[Math.floor(row / BLOCK)] as Float32Array;
    const from = (row % BLOCK) * this.#size;
    let sum = 0;
    for (let at = 0; at < this.#size; at++) sum += (block[from + at] as number) * (vector[at] as number);
    return sum;
  }
}
