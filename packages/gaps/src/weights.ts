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

/** Written by hand from what `fit.long.ts` prints, which proves that they are what the questions asked give. */
/** What `fit.harness.ts` makes of the questions asked; `fit.long.ts` proves it. */
export const MODEL: Model = {
  pair: {
    weights: {
      less: 2.31,
      shared: 1.4,
      clash: -1.45,
      lacks: -0.43,
      instead: -0.11,
      lacksAspect: -1.12,
      sameKind: 0.55,
      otherKind: -0.65,
      foreign: -0.69,
      namesAlone: -0.73,
    },
    bias: -1.88,
  },
  words: { weights: { best: 0.4, mean: 0.6, profile: 1.5, ahead: 0.4 }, bias: -2.8 },
  vectors: {
    weights: {
      best: 0.05,
      mean: 0.04,
      profile: 0.23,
      ahead: 0.01,
      near: 2.29,
      nearMean: 2.07,
      apart: 0.04,
      nearAhead: 1.74,
      beyond: 2.3,
    },
    bias: -4.17,
  },
};
