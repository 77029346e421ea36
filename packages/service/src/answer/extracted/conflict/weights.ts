/** Written by the bench (`answers/fit/sameness.ts`): how much each sign of one question and one thing counts. */
import type { Sign } from "./signs.ts";

export const SAMENESS_WEIGHTS: Readonly<Record<Sign, number>> = {
  asked: 1.69,
  near: 2.21,
  poorest: 1.68,
  kind: 1.17,
  behind: -1.25,
  found: 0.53,
  unfit: -0.57,
  magnitude: -1.68,
  many: -1.91,
  long: -2.05,
  topic: -1.75,
  instead: -0.90,
  stance: 0.38,
  unspaced: -1.82,
};
export const SAMENESS_BIAS = -2.26;
