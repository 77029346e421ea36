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
export const MODEL: Model = {
  pair: {
    weights: {
      less: 2.31,
      shared: 1.4,
      clash: -1.45,
      lacks: -0.44,
      instead: -0.1,
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
      best: 0.04,
      mean: 0.04,
      profile: 0.44,
      ahead: 0.04,
      near: 1.38,
      nearMean: 1.23,
      apart: 0.17,
      nearAhead: 2.12,
      beyond: 1.84,
    },
    bias: -3.34,
  },
};
