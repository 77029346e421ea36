/**
 * How surely two different answers are to one question about one thing. Words alone hardly tell: who contradicts a document
 * seldom writes its sentences. So several signs are weighed together, by weights that were fitted on pairs of documents
 * that contradict each other, on some that only seem to, and on ordinary questions over articles, where nothing does.
 */
import type { AskedQuestion } from "../asked.ts";
import { weighed } from "../weighing/ranking.ts";
import { areApart } from "./apart.ts";
import type { Differing } from "./contradiction.ts";
import { signsOf } from "./signs.ts";
import { SAMENESS_BIAS, SAMENESS_WEIGHTS } from "./weights.ts";

/** How sure it is that they are: more than 0 is yes. */
export function samenessOf(question: AskedQuestion, differing: Differing): number {
  if (areApart(question, differing)) return Number.NEGATIVE_INFINITY;
  return SAMENESS_BIAS + weighed(signsOf(question, differing), SAMENESS_WEIGHTS);
}
