/**
 * How surely two different answers are to one question about one thing. Words alone hardly tell: who contradicts a document
 * seldom writes its sentences. So several signs are weighed together, by weights that were fitted on pairs of documents
 * that contradict each other, on some that only seem to, and on ordinary questions over articles, where nothing does.
 */
import type { AskedQuestion } from "../asked.ts";
import { weighed } from "../weighing/ranking.ts";
import { areApart } from "./apart.ts";
import type { Differing } from "./contradiction.ts";
import type { Reading } from "./readings.ts";
import { type Sign, signsOf } from "./signs.ts";

/** How much each sign counts. */
const WEIGHTS: Readonly<Record<Sign, number>> = {
  asked: 1.46,
  near: 1.84,
  poorest: 1.93,
  kind: 1.24,
  behind: -1.15,
  found: 0.9,
  unfit: -0.48,
  magnitude: -1.39,
  many: -1.3,
  long: -0.96,
  topic: -1.2,
  instead: -1.08,
  stance: 0.24,
  unspaced: -1.25,
};
const BIAS = -2.64;

/** How sure it is that they are: more than 0 is yes. */
export function samenessOf(question: AskedQuestion, differing: Differing, sort: Reading["sort"]): number {
  if (areApart(question, differing)) return Number.NEGATIVE_INFINITY;
  return BIAS + weighed(signsOf(question, differing, sort), WEIGHTS);
}
