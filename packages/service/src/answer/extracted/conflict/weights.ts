/** Written by the bench (`answers/fit/sameness.ts`): how much each sign of one question and one thing counts. */
import type { Sign } from "./signs.ts";

export const SAMENESS_WEIGHTS: Readonly<Record<Sign, number>> = {
  asked: 1.87,
  near: 2.18,
  poorest: 1.69,
  kind: 1.24,
  behind: -1.3,
  found: 0.73,
  unfit: -0.65,
  magnitude: -1.67,
  many: -1.97,
  long: -2.21,
  topic: -1.76,
  instead: -0.98,
  stance: 0.39,
  unspaced: -1.95,
};
export const SAMENESS_BIAS = -3.0;
