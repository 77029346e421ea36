/** Whether two things can be told apart by how long they take: simple classifiers, judged on what they did not learn from. */

/** How long one request took, milliseconds. */
export interface Took {
  /** Until the reply began. */
  readonly first: number;
  /** Until its last byte. */
  readonly whole: number;
}

/** Says of which of two sets one is: true for the second. */
type Judge = (one: Took) => boolean;

type Learn = (of: readonly [readonly Took[], readonly Took[]]) => Judge;

/**
 * The largest share of requests that one of the classifiers puts where they belong: a bound of the whole time, one of the
 * time to the first byte, and a logistic regression over both. Each learns from every second request and is judged on
 * the others, and the other way round. 0.5 is guessing.
 */
export function toldApart(one: readonly Took[], other: readonly Took[]): number {
  const half = (all: readonly Took[], which: number): Took[] => all.filter((_, at) => at % 2 === which);
  const right = (learn: Learn): number => {
    let count = 0;
    for (const taught of [0, 1]) {
      const judge = learn([half(one, taught), half(other, taught)]);
      count += half(one, 1 - taught).filter((took) => !judge(took)).length;
      count += half(other, 1 - taught).filter((took) => judge(took)).length;
    }
    return count / (one.length + other.length);
  };
  return Math.max(right(bound(({ whole }) => whole)), right(bound(({ first }) => first)), right(logistic));
}

/** The bound, and the side of it, that is right most often. */
const bound =
  (of: (took: Took) => number): Learn =>
  ([one, other]) => {
    const all = [
      ...one.map((took) => ({ at: of(took), isOther: false })),
      ...other.map((took) => ({ at: of(took), isOther: true })),
    ];
    const sorted = all.toSorted((left, right) => left.at - right.at);
    // Right, where all above are of the other.
    let right = other.length;
    let best = { right, at: Number.NEGATIVE_INFINITY, isAbove: true };
    for (const [index, { at, isOther }] of sorted.entries()) {
      right += isOther ? -1 : 1;
      if (sorted[index + 1]?.at === at) continue;
      if (right > best.right) best = { right, at, isAbove: true };
      if (all.length - right > best.right) best = { right: all.length - right, at, isAbove: false };
    }
    return (took) => of(took) > best.at === best.isAbove;
  };

const ROUNDS = 400;
const RATE = 0.5;

/** Over the logarithms of both times, brought to one scale. */
const logistic: Learn = ([one, other]) => {
  const raw = (took: Took): number[] => [
    Math.log(took.whole + 0.01),
    Math.log(took.first + 0.01),
    Math.log(took.whole - took.first + 0.01),
  ];
  const all = [...one.map((took) => ({ x: raw(took), y: 0 })), ...other.map((took) => ({ x: raw(took), y: 1 }))];
  const scales = [0, 1, 2].map((at) => {
    const values = all.map(({ x }) => x[at] as number);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
    return { mean, spread: spread || 1 };
  });
  const scaled = (x: readonly number[]): number[] =>
    scales.map(({ mean, spread }, at) => ((x[at] as number) - mean) / spread);
  const weights = [0, 0, 0, 0];
  const score = (x: readonly number[]): number =>
    x.reduce((sum, value, at) => sum + value * (weights[at] as number), weights[3] as number);
  const taught = all.map(({ x, y }) => ({ x: scaled(x), y }));
  for (let round = 0; round < ROUNDS; round++) {
    const steps = [0, 0, 0, 0];
    for (const { x, y } of taught) {
      const wrong = 1 / (1 + Math.exp(-score(x))) - y;
      for (const [at, value] of [...x, 1].entries()) steps[at] = (steps[at] as number) + wrong * value;
    }
    for (const at of weights.keys())
      weights[at] = (weights[at] as number) - (RATE * (steps[at] as number)) / taught.length;
  }
  return (took) => score(scaled(raw(took))) > 0;
};
