/**
 * Whether the best candidate answers the question at all. No one threshold can tell: what is asked in other words than it
 * was written in looks like what nobody wrote. So several signs are weighed together, by weights that were fitted on
 * public questions, those with an answer and those without (bench, `answers`).
 */
import type { AskedQuestion, QuestionWord } from "../asked.ts";
import { type Match, weightWhere } from "../matching.ts";
import type { AnswerFeature, Features } from "./features.ts";
import { type RankedCandidate, weighed } from "./ranking.ts";
import { ANSWER_BIAS, ANSWER_WEIGHTS } from "./weights.ts";
import { wordFeatures } from "./word-signs.ts";

/** A difference in score beyond which there is no doubt. */
const MAX_APART = 4;

/**
 * The signs; undefined where no candidate is there.
 * @param candidates best first
 * @param scores of the passages that were found
 */
export function answerFeatures(
  question: AskedQuestion,
  candidates: readonly RankedCandidate[],
  scores: readonly number[],
): Features<AnswerFeature> | undefined {
  const [best, next] = candidates;
  if (best === undefined) return undefined;
  const { candidate } = best;
  const { features, around } = candidate;
  const source = candidate.passage.evidence.source;
  const other = candidates.find((one) => one.candidate.passage.evidence.source !== source);
  const apart = (than: RankedCandidate | undefined) =>
    Math.min(MAX_APART, than === undefined ? MAX_APART : best.score - than.score) / MAX_APART;
  const { share, above, near, passage, noName, noWord, kind, noKind, close, pairs, named, told, toldNear, thing } =
    features;
  const weights = question.words.map(({ weight }) => weight).toSorted((one, other_) => one - other_);
  const middle = weights[weights.length >> 1] ?? 0;
  const said = (of: (index: number) => boolean) => saidOf(question, around, of);
  const isRare = (index: number) => (question.words[index]?.weight ?? 0) >= middle;
  return {
    best: best.score / 10,
    margin: apart(next),
    apart: apart(other),
    share,
    above,
    near,
    passage,
    noName,
    noWord,
    kind,
    noKind,
    close,
    pairs,
    named,
    told,
    toldNear,
    thing,
    rare: said(isRare),
    common: said((index) => !isRare(index)),
    name: said((index) => question.words[index]?.isName === true),
    unknown: weightWhere(question.words, (word, index) => !isFound(word, around[index] ?? 0)) / question.total,
    hits: Math.min(1, around.filter((hit) => hit >= 0.6).length / 6),
    misses: Math.min(1, around.filter((hit) => hit < 0.5).length / 4),
    words: Math.min(1, question.words.length / 12),
    ...formsOf(candidate.passage.language ?? question.language),
    says: question.words.length === 0 ? 0 : candidate.own.filter((hit) => hit >= 0.6).length / question.words.length,
    stands: standsOut(scores),
    length: Math.min(1, candidate.unit.text.length / 300),
    ...wordFeatures(question, candidate),
  };
}

/** Whether a word is one that somebody wrote: as it is, or as it was meant to be, in one word or with a hyphen. */
function isFound({ isKnown, corrected }: QuestionWord, said: number): boolean {
  return isKnown || (corrected === undefined ? said === 1 : said > 0);
}

/** How much of some words is said, by weight; where there are none such, neither yes nor no. */
function saidOf({ words }: AskedQuestion, match: Match, of: (index: number) => boolean): number {
  let [said, total] = [0, 0];
  for (const [index, { weight }] of words.entries()) {
    if (!of(index)) continue;
    total += weight;
    said += weight * (match[index] ?? 0);
  }
  return total === 0 ? 0.6 : said / total;
}

/** By how many standard deviations the first score stands above their mean, of three. */
function standsOut(scores: readonly number[]): number {
  if (scores.length < 2) return 0.5;
  const first = Math.max(...scores);
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const deviation = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length);
  return deviation === 0 ? 0 : Math.min(1, (first - mean) / deviation / 3);
}

/** How sure it is that the best candidate answers: more than 0 is yes. */
export function sureness(features: Features<AnswerFeature>, weights = ANSWER_WEIGHTS, bias = ANSWER_BIAS): number {
  return bias + weighed(features, weights);
}

/** How a language forms words decides how many of a question's come back in its answer as they were asked. */
const FORMS: Readonly<Record<"compounding" | "japanese" | "cases" | "unspaced" | "prefixing", ReadonlySet<string>>> = {
  compounding: new Set(["de", "nl", "sv", "da", "no"]),
  japanese: new Set(["ja"]),
  cases: new Set([
    "ru",
    "uk",
    "pl",
    "cs",
    "sk",
    "hr",
    "sr",
    "sl",
    "bg",
    "lt",
    "lv",
    "fi",
    "et",
    "hu",
    "tr",
    "el",
    "ko",
    "hi",
  ]),
  unspaced: new Set(["zh", "th", "lo", "km", "my"]),
  prefixing: new Set(["ar", "he", "fa", "ur"]),
};

function formsOf(language: string | undefined) {
  const is = (form: keyof typeof FORMS) => (language !== undefined && FORMS[form].has(language) ? 1 : 0);
  return {
    compounding: is("compounding"),
    japanese: is("japanese"),
    cases: is("cases"),
    unspaced: is("unspaced"),
    prefixing: is("prefixing"),
  };
}
