/** Fitted on kept answers and newer documents that say otherwise, or only look so: how much each sign counts. */
import type { OtherwiseSign } from "./otherwise-signs.ts";

export const OTHERWISE_WEIGHTS: Readonly<Record<OtherwiseSign, number>> = {
  asked: 1.15,
  askedAbove: 0.49,
  askedNear: -0.27,
  kept: -0.82,
  keptNear: 2.08,
  mass: 0.28,
  massNear: 2.19,
  noName: -0.7,
  change: 1.52,
  changeNear: 0.39,
  end: 1.66,
  endOfKept: 0.87,
  differs: 1.4,
  same: -0.92,
  stance: 1.61,
  choice: 0.37,
  changeMass: 1.28,
  differsMass: -0.24,
  agrees: -1.24,
  sameElsewhere: -1.76,
  replaced: 1.81,
};
export const OTHERWISE_BIAS = -5.05;
