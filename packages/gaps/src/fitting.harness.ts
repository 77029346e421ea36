/** Logistic regression, for weights of a few figures. */
import { seededRandom } from "@threadlore/testkit";

/** One case, and whether it is so. */
export interface Case {
  readonly figures: readonly number[];
  readonly holds: boolean;
  /** How often it counts. */
  readonly weight: number;
}

export interface Fitted {
  readonly weights: readonly number[];
  readonly bias: number;
}

const ROUNDS = 400;
const STEP = 0.05;
const SEED = 7;

/**
 * Weights and bias by which cases that hold score above 0.
 * @param signs 1: the weight must not be negative; -1: not positive; 0: either
 * @param pull how strongly weights are drawn to 0
 */
export function fitted(cases: readonly Case[], signs: readonly number[], pull = 0.002): Fitted {
  const size = signs.length;
  const all = cases.reduce((sum, { weight }) => sum + weight, 0);
  const meanOf = (of: (one: Case) => number) => cases.reduce((sum, one) => sum + one.weight * of(one), 0) / all;
  const means = signs.map((_, at) => meanOf(({ figures }) => figures[at] ?? 0));
  const spreads = means.map((mean, at) => Math.sqrt(meanOf(({ figures }) => ((figures[at] ?? 0) - mean) ** 2)) || 1);
  const rows = cases.map(({ figures }) =>
    figures.map((figure, at) => (figure - (means[at] ?? 0)) / (spreads[at] ?? 1)),
  );
  const random = seededRandom(SEED);
  const values = new Float64Array(size + 1).map(() => 0.01 * random());
  const first = new Float64Array(size + 1);
  const second = new Float64Array(size + 1);
  for (let round = 1; round <= ROUNDS; round++) {
    const slopes = new Float64Array(size + 1);
    for (const [index, row] of rows.entries()) {
      const { holds, weight } = cases[index] as Case;
      let score = values[size] as number;
      for (let at = 0; at < size; at++) score += (row[at] as number) * (values[at] as number);
      const error = ((1 / (1 + Math.exp(-score)) - Number(holds)) * weight) / all;
      for (let at = 0; at < size; at++) slopes[at] = (slopes[at] as number) + error * (row[at] as number);
      slopes[size] = (slopes[size] as number) + error;
    }
    for (let at = 0; at <= size; at++) {
      const slope = (slopes[at] as number) + (at < size ? pull * (values[at] as number) : 0);
      first[at] = 0.9 * (first[at] as number) + 0.1 * slope;
      second[at] = 0.99 * (second[at] as number) + 0.01 * slope * slope;
      const move =
        (first[at] as number) / (1 - 0.9 ** round) / (Math.sqrt((second[at] as number) / (1 - 0.99 ** round)) + 1e-9);
      values[at] = (values[at] as number) - STEP * (1 - (0.9 * round) / ROUNDS) * move;
      const sign = signs[at] ?? 0;
      if (sign !== 0 && sign * (values[at] as number) < 0) values[at] = 0;
    }
  }
  const weights = signs.map((_, at) => (values[at] as number) / (spreads[at] ?? 1));
  return {
    weights,
    bias: (values[size] as number) - weights.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0),
  };
}
