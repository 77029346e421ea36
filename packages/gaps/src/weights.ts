import type { Feature, GapFigure } from "./figures.ts";

/** How much each figure counts; those that are not named count nothing. */
export interface Weights<Figure extends string> {
  readonly weights: Readonly<Partial<Record<Figure, number>>>;
  readonly bias: number;
}

/** By what it is decided whether a question is of a gap; all as log-odds. */
export interface Model {
  /** Whether two questions ask the same. */
  readonly pair: Weights<Feature>;
  /** Whether a question is of a gap, by words alone. */
  readonly words: Weights<GapFigure>;
  /** The same where an embedding model has read both. */
  readonly vectors: Weights<GapFigure>;
}

/** What `fit.harness.ts` makes of the questions asked; `fit.long.ts` proves it. */
export const MODEL: Model = {
  pair: {
    weights: {
      both: 0.05,
      less: 1.61,
      shared: 3.67,
      clash: -1.03,
      lacks: -0.41,
      lacksAspect: -0.89,
      sameKind: 0.91,
      otherKind: -0.73,
      denial: -0.13,
      foreign: -1.11,
      namesAlone: -0.61,
    },
    bias: -2.96,
  },
  words: {
    weights: {
      best: 1,
      mean: 0.3,
      profile: 1,
      ahead: 0.5,
    },
    bias: -4.2,
  },
  vectors: {
    weights: {
      best: 0.05,
      mean: 0.12,
      profile: 0.59,
      ahead: 0.11,
      near: 1.57,
      nearMean: 2,
      apart: 0.1,
      nearAhead: 2,
      beyond: 1.65,
    },
    bias: -4.73,
  },
};
