import type { Feature, GapFigure } from "./figures.ts";

/** How much each figure of a pair of questions counts for their asking the same. */
export const PAIR_WEIGHTS: Readonly<Record<Feature, number>> = {
  both: 1.0,
  less: 2.2,
  more: 0.8,
  shared: 1.0,
  hard: 0.1,
  exact: 0.1,
  pairs: 0.2,
  clash: -0.6,
  lacks: -0.2,
  instead: -0.3,
  sameKind: 0.6,
  otherKind: -1.0,
  denial: -0.2,
  foreign: -0.2,
};
export const PAIR_BIAS = -3.2;

/** How much each figure of a question and a gap counts, where there are words alone. */
export const WORD_WEIGHTS: Readonly<Partial<Record<GapFigure, number>>> = {
  best: 0.8,
  mean: 0.2,
  profile: 1,
  ahead: 0.2,
};
export const WORD_BIAS = -1.2;

/** The same where there are vectors. */
export const VECTOR_WEIGHTS: Readonly<Record<GapFigure, number>> = {
  best: 0.5,
  mean: 0.1,
  profile: 0.5,
  ahead: 0.1,
  near: 6,
  nearMean: 2,
  apart: 0.3,
  nearAhead: 3,
};
export const VECTOR_BIAS = -5;
