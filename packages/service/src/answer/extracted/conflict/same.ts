/**
 * Whether two different answers are to one question about one thing. Words alone hardly tell: who contradicts a document
 * seldom writes its sentences. So several signs are weighed together, by weights that were fitted on pairs of documents
 * that contradict each other, on some that only seem to, and on ordinary questions over articles, where nothing does.
 */
import type { AskedQuestion } from "../asked.ts";
import { weighed } from "../ranking.ts";
import type { Differing } from "./contradiction.ts";
import type { Reading } from "./readings.ts";
import { areSiblings, type Common, commonOf, isOfOther, isOfOtherNumber } from "./subject.ts";

/** Sentences with more values are lists, tables or periods. */
const MAX_VALUES = 4;
/** Characters between a name and the words that say whose it is. */
const FARTHEST_NAME = 40;
/** What both say of the question at the very least. */
const LEAST = { around: 0.25, asked: 0.2, names: 0.4 } as const;
/** Of the score of the best document: what search has to give the other. */
const LEAST_FOUND = 0.36;
/** Answers so much worse than the best have to have more words in common themselves. */
const FAR_BEHIND = 3;
const LEAST_OWN = 0.4;

/** How much each sign counts; all are about 0 to 1. */
const WEIGHTS = {
  asked: 1.7,
  beyond: 2.3,
  behind: -1,
  distance: -1.3,
  values: -2,
  name: -0.3,
  anything: -1.4,
  unspaced: -3,
  length: -5.5,
};
const BIAS = 3.35;

/** Beyond these, more makes no difference. */
const FARTHEST_BEHIND = 7;
const FARTHEST = 60;
const LONGEST = 300;
/** A character says more where words are written without blanks, and hardly any word is told from its neighbours. */
const UNSPACED: ReadonlySet<string> = new Set(["zh", "ja", "th", "lo", "km", "my"]);
const SAYS_MORE = 2.5;

/** Whether they are. */
export function isSameSubject(question: AskedQuestion, one: Reading, other: Reading, differing: Differing): boolean {
  if ([one, other].some(({ values }) => values.length > MAX_VALUES)) return false;
  const { values } = differing;
  const names = values.flatMap((value) => (value.sort === "name" ? value.words : []));
  const farthest = Math.max(0, ...values.map(({ distance }) => distance));
  if (names.length > 0 && farthest > FARTHEST_NAME) return false;
  const common = commonOf(question, one.candidate, other.candidate);
  if ((["around", "asked", "names"] as const).some((part) => common[part] < LEAST[part])) return false;
  if (Math.min(one.candidate.features.score, other.candidate.features.score) < LEAST_FOUND) return false;
  if (other.behind > FAR_BEHIND && common.own < LEAST_OWN) return false;
  if (signsOf(question, one, other, common, farthest) <= 0) return false;
  return !(
    areSiblings(one.candidate, other.candidate) ||
    isOfOther(question, one.candidate, other.candidate, names) ||
    [one, other].some(({ candidate }) => isOfOtherNumber(question, candidate))
  );
}

function signsOf(question: AskedQuestion, one: Reading, other: Reading, common: Common, farthest: number): number {
  const isUnspaced = UNSPACED.has(question.language ?? "");
  const longest = Math.max(one.candidate.unit.text.length, other.candidate.unit.text.length);
  const signs: Readonly<Record<keyof typeof WEIGHTS, number>> = {
    asked: common.asked,
    beyond: Math.min(1, common.beyond * 2),
    behind: Math.min(FARTHEST_BEHIND, other.behind) / FARTHEST_BEHIND,
    distance: Math.min(1, farthest / FARTHEST),
    values: Math.min(1, Math.max(0, one.values.length - 1, other.values.length - 1) / MAX_VALUES),
    name: one.sort === "name" ? 1 : 0,
    anything: question.kind === "thing" ? 1 : 0,
    unspaced: isUnspaced ? 1 : 0,
    length: Math.min(1, (longest * (isUnspaced ? SAYS_MORE : 1)) / LONGEST),
  };
  return BIAS + weighed(signs, WEIGHTS);
}
