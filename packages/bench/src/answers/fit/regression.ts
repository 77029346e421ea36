/** Linear models, fitted by descent: which of several is the right one, and whether one is. */
import { seededRandom } from "@threadlore/testkit";

/** Weights of some signs, in the signs' own units. */
export interface Fitted {
  readonly weights: readonly number[];
  readonly bias: number;
}

/** What some signs come to: more than 0, where the case holds. */
export function scoreOf({ weights, bias }: Fitted, signs: readonly number[]): number {
  return signs.reduce((sum, sign, at) => sum + sign * (weights[at] ?? 0), bias);
}

/** Signs whose weights must not be negative, or not positive: what speaks for an answer must not count against it. */
export interface Signs {
  readonly favourable: readonly number[];
  readonly adverse: readonly number[];
}

/** Several alternatives, some of which are right. */
export interface Choice {
  readonly alternatives: readonly (readonly number[])[];
  readonly isRight: readonly boolean[];
}

/** One case, and whether it is so. */
export interface Case {
  readonly signs: readonly number[];
  readonly holds: boolean;
}

const SEED = 7;

/** Weights by which the right alternatives of each choice come first: a softmax over the alternatives. */
export function fitChoices(choices: readonly Choice[], signs: Signs): readonly number[] {
  const scale = scaleOf(choices.flatMap(({ alternatives }) => alternatives));
  const scaled = choices.map(({ alternatives, isRight }) => ({ rows: alternatives.map(scale.scaled), isRight }));
  const model = new Descent(scale.size, signs, { pull: 1e-4 });
  model.descend(scaled, { rounds: 12, batch: 32 }, ({ rows, isRight }, add) => {
    const scores = rows.map((row) => model.score(row));
    const most = Math.max(...scores);
    const powers = scores.map((score) => Math.exp(score - most));
    const all = powers.reduce((sum, power) => sum + power, 0);
    const right = powers.reduce((sum, power, index) => (isRight[index] === true ? sum + power : sum), 0);
    for (const [index, row] of rows.entries()) {
      const power = powers[index] ?? 0;
      add(row, power / all - (isRight[index] === true ? power / Math.max(right, 1e-9) : 0));
    }
  });
  return scale.unscaled(model).weights;
}

/** Weights and bias by which cases that hold score above 0: logistic regression. */
export function fitCases(cases: readonly Case[], signs: Signs): Fitted {
  const scale = scaleOf(cases.map(({ signs: row }) => row));
  const scaled = cases.map(({ signs: row, holds }) => ({ row: scale.scaled(row), holds }));
  const model = new Descent(scale.size, signs, { pull: 1e-3 });
  model.descend(scaled, { rounds: 40, batch: 64 }, ({ row, holds }, add) => {
    add(row, 1 / (1 + Math.exp(-model.score(row))) - Number(holds));
  });
  return scale.unscaled(model);
}

/** Brings every sign to the same spread, so that one step is as long for each. */
function scaleOf(rows: readonly (readonly number[])[]) {
  const size = rows[0]?.length ?? 0;
  const means = Array.from({ length: size }, (_, at) => meanOf(rows, (row) => row[at] ?? 0));
  const spreads = means.map((mean, at) => Math.sqrt(meanOf(rows, (row) => ((row[at] ?? 0) - mean) ** 2)) || 1);
  return {
    size,
    scaled: (row: readonly number[]) => row.map((value, at) => (value - (means[at] ?? 0)) / (spreads[at] ?? 1)),
    unscaled({ weights, bias }: Fitted): Fitted {
      const own = weights.map((weight, at) => weight / (spreads[at] ?? 1));
      return { weights: own, bias: bias - own.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0) };
    },
  };
}

function meanOf(rows: readonly (readonly number[])[], of: (row: readonly number[]) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0) / Math.max(1, rows.length);
}

/** Length of the first step; it shrinks to nothing with the rounds. */
const STEP = 0.01;

/** Adam, with weights held to their sign. */
class Descent {
  readonly #values: Float64Array;
  readonly #first: Float64Array;
  readonly #second: Float64Array;
  readonly #signs: Signs;
  readonly #pull: number;
  #steps = 0;

  constructor(size: number, signs: Signs, { pull }: { readonly pull: number }) {
    this.#values = new Float64Array(size + 1);
    this.#first = new Float64Array(size + 1);
    this.#second = new Float64Array(size + 1);
    this.#signs = signs;
    this.#pull = pull;
  }

  get weights(): readonly number[] {
    return [...this.#values.subarray(0, -1)];
  }

  get bias(): number {
    return this.#values.at(-1) ?? 0;
  }

  score(row: readonly number[]): number {
    return row.reduce((sum, value, at) => sum + value * (this.#values[at] ?? 0), this.bias);
  }

  descend<Item>(
    items: readonly Item[],
    { rounds, batch }: { readonly rounds: number; readonly batch: number },
    slope: (item: Item, add: (row: readonly number[], by: number) => void) => void,
  ): void {
    const random = seededRandom(SEED);
    for (let round = 0; round < rounds; round++) {
      const order = items.map((item) => ({ item, at: random() })).toSorted((one, other) => one.at - other.at);
      for (let from = 0; from < order.length; from += batch) {
        const some = order.slice(from, from + batch);
        const slopes = new Float64Array(this.#values.length);
        for (const { item } of some) {
          slope(item, (row, by) => {
            for (const [at, value] of [...row, 1].entries())
              slopes[at] = (slopes[at] ?? 0) + (value * by) / some.length;
          });
        }
        this.#step(slopes, STEP * (1 - round / rounds));
      }
    }
  }

  #step(slopes: Float64Array, length: number): void {
    this.#steps++;
    for (const [at, raw] of slopes.entries()) {
      const value = this.#values[at] ?? 0;
      const slope = raw + this.#pull * value;
      const first = 0.9 * (this.#first[at] ?? 0) + 0.1 * slope;
      const second = 0.999 * (this.#second[at] ?? 0) + 0.001 * slope * slope;
      this.#first[at] = first;
      this.#second[at] = second;
      const direction = first / (1 - 0.9 ** this.#steps) / (Math.sqrt(second / (1 - 0.999 ** this.#steps)) + 1e-8);
      this.#values[at] = value - length * direction;
    }
    for (const at of this.#signs.favourable) this.#values[at] = Math.max(0, this.#values[at] ?? 0);
    for (const at of this.#signs.adverse) this.#values[at] = Math.min(0, this.#values[at] ?? 0);
  }
}
