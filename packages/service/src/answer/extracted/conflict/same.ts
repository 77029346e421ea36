/**
 * How surely two different answers are to one question about one thing. Words alone hardly tell: who contradicts a document
 * seldom writes its sentences. So several signs are weighed together, by weights that were fitted on pairs of documents
 * that contradict each other, on some that only seem to, and on ordinary questions over articles, where nothing does.
 */
import type { AskedQuestion } from "../asked.ts";
import type { Candidate } from "../candidates.ts";
import { together } from "../matching.ts";
import { weighed } from "../ranking.ts";
import type { Differing } from "./contradiction.ts";
import type { Reading } from "./readings.ts";
import { type Sign, signsOf } from "./signs.ts";
import { areSiblings, isOfOtherNumber, lacksName } from "./subject.ts";

/** Characters between a person's name and the words that say what of. */
const FARTHEST_NAME = 40;

/** How much each sign counts. */
const WEIGHTS: Readonly<Record<Sign, number>> = {
  asked: 2.1,
  own: 2.7,
  near: 1,
  lacking: 2.1,
  beyond: 1.7,
  behind: -2,
  found: 1.2,
  unfit: -3,
  many: -2.3,
  long: -2.6,
  rival: -0.6,
  topic: -2.6,
  instead: -2.7,
  stance: 1.6,
  unspaced: -1.9,
};
const BIAS = -1.7;

/** How sure it is that they are: more than 0 is yes. */
export function samenessOf(question: AskedQuestion, differing: Differing, sort: Reading["sort"]): number {
  if (!mayBeSameSubject(question, differing)) return Number.NEGATIVE_INFINITY;
  return BIAS + weighed(signsOf(question, differing, sort), WEIGHTS);
}

/** Whether nothing says outright that they are not. */
function mayBeSameSubject(question: AskedQuestion, { one, other }: Differing): boolean {
  const [first, second] = [one.candidate, other.candidate];
  // What says nothing of the question, under a title that does not either, answers another one.
  const isAbout = ({ own, above }: Candidate) => together(own, above).some((hit) => hit > 0);
  if (!isAbout(first) || !isAbout(second)) return false;
  const isApart = ({ value }: Differing["one"]) => (value?.distance ?? 0) > FARTHEST_NAME;
  return !(
    lacksName(question, first, second) ||
    lacksName(question, second, first) ||
    areSiblings(question, first, second) ||
    isOfOtherNumber(question, first) ||
    isOfOtherNumber(question, second) ||
    (question.kind === "person" && (isApart(one) || isApart(other)))
  );
}
