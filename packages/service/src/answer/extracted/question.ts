/** A question as it is matched against sentences: what it asks for, and how much each of its words says. */
import { termSetOf, termsOf, wordsOf } from "./terms.ts";

/** A question as it is matched: its terms and how much each says. */
export interface WeightedQuestion {
  readonly text: string;
  readonly weights: ReadonlyMap<string, number>;
  /** Terms that two neighbouring words make joined up ("roll back": "rollback"), with the terms they stand for. */
  readonly compounds: ReadonlyMap<string, readonly string[]>;
  /** Two neighbouring words of the question ("other parent"), with what the second says. See `pairsOf`. */
  readonly pairs: ReadonlyMap<string, number>;
}

/** What is matched of a question that is as long as a document. */
const MAX_QUESTION_LENGTH = 10_000;
const MAX_WORDS = 100;

/** "How long" and "how often" say what kind of answer is wanted; the answer itself says "six weeks" and "daily". */
const MEASURES = new Set("big early far fast large late long often old quick quickly soon".split(" "));

/** Weighs a question's terms. `weigh` says how rare a word is; `earlier` are the terms of the question before it. */
export function weighQuestion(
  text: string,
  weigh: (word: string) => number,
  earlier: WeightedQuestion | undefined = undefined,
): WeightedQuestion {
  const weights = new Map<string, number>();
  const compounds = new Map<string, readonly string[]>(earlier?.compounds);
  for (const [term, weight] of earlier?.weights ?? []) weights.set(term, weight / 2);
  const words = wordsOf(text.slice(0, MAX_QUESTION_LENGTH).replace(/['’]s\b/g, "")).slice(0, MAX_WORDS);
  for (const [index, word] of words.entries()) {
    const [term] = termsOf(word);
    const isMeasure = words[index - 1] === "how" && MEASURES.has(word);
    if (term !== undefined && !isMeasure) weights.set(term, weigh(word));
    const next = words[index + 1];
    const [joined] = next === undefined ? [] : termsOf(word + next);
    if (joined !== undefined) compounds.set(joined, termsOf(`${word} ${next}`));
  }
  const pairs = new Map<string, number>();
  for (const [pair, term] of pairsOf(words)) {
    const weight = weights.get(term);
    if (weight !== undefined) pairs.set(pair, weight);
  }
  return { text, weights, compounds, pairs };
}

/** Words that stand before any noun; the others ("other parent", "IT desk", "first week") tell one thing from another. */
const PLAIN = new Set(
  (
    "a an and any are as at be by can did do does for from have her his how i in is many me much must my of on or our " +
    "should some the their these this those to was we were what when where which who whose will with would you your"
  ).split(" "),
);

/** Pairs of neighbouring words of which the second is a term and the first more than an article, each with that term. */
function pairsOf(words: readonly string[]): [pair: string, term: string][] {
  return words.flatMap((word, index): [string, string][] => {
    const before = words[index - 1];
    const [term] = termsOf(word);
    if (before === undefined || term === undefined || PLAIN.has(before)) return [];
    return [[`${termsOf(before)[0] ?? before} ${term}`, term]];
  });
}

/** How much of the question's wording, by weight, a text repeats word after word: 0 to 1. */
export function wordingShare({ pairs }: WeightedQuestion, text: string): number {
  if (pairs.size === 0) return 0;
  let total = 0;
  let held = 0;
  const own = new Map(pairsOf(wordsOf(text)));
  for (const [pair, weight] of pairs) {
    total += weight;
    if (own.has(pair)) held += weight;
  }
  return held / total;
}

/** The terms of a text, with what the question's own compounds in it stand for. */
export function asked({ compounds }: WeightedQuestion, text: string): Set<string> {
  const terms = termSetOf(text);
  for (const [joined, parts] of compounds) if (terms.has(joined)) for (const part of parts) terms.add(part);
  return terms;
}

/** The part of the question, by weight, that `terms` hold and `without` does not. */
export function shareOf({ weights }: WeightedQuestion, terms: ReadonlySet<string>, without?: ReadonlySet<string>) {
  let held = 0;
  let total = 0;
  for (const [term, weight] of weights) {
    total += weight;
    if (terms.has(term) && without?.has(term) !== true) held += weight;
  }
  return total === 0 ? 0 : held / total;
}

const ASKS_NUMBER = /\b(how (many|much|long|often|far|old|big|large|soon|quickly|fast)|cost|price|budget|limit)\b/i;
const HOLDS_NUMBER =
  /\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|twelve|once|twice|daily|weekly|monthly)\b/i;
const ASKS_TIME = /\b(when|what time|which (day|date)|deadline)\b/i;
const HOLDS_TIME =
  /\d|\b(mon|tues|wednes|thurs|fri|satur|sun)day|\b(january|february|march|april|may|june|july|august|september|october|november|december|daily|weekly|monthly|every)\b/i;
const ASKS_PERSON = /\b(who|whom|whose)\b/i;
const HOLDS_PERSON = /\S\s+\p{Lu}\p{Ll}+|@/u;

/** How well a text suits the kind of answer asked for: 1, or more for a number, a time, a person, a definition. */
export function expected(question: WeightedQuestion, text: string): number {
  if (defines(question, text)) return 1.4;
  if (ASKS_NUMBER.test(question.text)) return HOLDS_NUMBER.test(text) ? 1.25 : 1;
  if (ASKS_TIME.test(question.text)) return HOLDS_TIME.test(text) ? 1.25 : 1;
  if (ASKS_PERSON.test(question.text)) return HOLDS_PERSON.test(text) ? 1.15 : 1;
  return 1;
}

const ASKS_MEANING = /^\W*(what(?:['’]s| is| are)|who(?:['’]s| is| are)|what does .{1,80} (?:mean|stand for))\b/i;
/** The subject of a sentence that says what it is: "**Chart datum**: …", "A gauge is …". */
const DEFINED = /^\W*(?:(?:the|an?)\s+)?([^:.,;]{1,60}?)\W*(?::|\s[–—-]\s|\s(?:is|are|means?|stands? for)\s)/i;

/** Whether a question asks what something is, and the text begins by saying what exactly this is. */
function defines({ text: question, weights }: WeightedQuestion, text: string): boolean {
  if (!ASKS_MEANING.test(question)) return false;
  const subject = DEFINED.exec(text.slice(0, 100))?.[1];
  if (subject === undefined) return false;
  const terms = termsOf(subject);
  return terms.length > 0 && terms.length === weights.size && terms.every((term) => weights.has(term));
}
