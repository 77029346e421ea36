/** How far two sentences of different sources speak of the same thing, as far as a question and their words tell. */
import { namesOf } from "@threadlore/language/meaning";
import type { AskedQuestion, AskedWord } from "../asked.ts";
import type { Candidate } from "../candidates.ts";
import { type Match, matcherOf, together } from "../matching.ts";

/** Shares between 0 and 1: of what either of two sentences has, what both have. */
export interface Common {
  /** The question's words, with all that stands around the sentences. */
  readonly around: number;
  /** The question's words in the sentences themselves and above them. */
  readonly own: number;
  /** The names in the question, with all around; 1 where neither has any. */
  readonly names: number;
  /** The words that are no names, in the sentences themselves. */
  readonly told: number;
  /** Of the shorter sentence's words that the question does not have. */
  readonly beyond: number;
  /** What both say of the whole question, with all around. */
  readonly asked: number;
}

/** A match from here on says the word. */
const SAID = 0.6;
/** What two very short sentences have in common may be chance. */
const FEWEST_TERMS = 4;
const NUMBER = /^[\p{N}.]+$/u;

/** What two candidates of different sources have in common. */
export function commonOf(question: AskedQuestion, one: Candidate, other: Candidate): Common {
  const { words, total } = question;
  const [first, second] = [together(one.own, one.above), together(other.own, other.above)];
  return {
    around: shared(words, one.around, other.around).ratio ?? 0,
    own: shared(words, first, second).ratio ?? 0,
    names: shared(words, one.around, other.around, isNamed).ratio ?? 1,
    told: shared(words, one.own, other.own, ({ isName }) => !isName).ratio ?? 0,
    beyond: beyondOf(question, one, other),
    asked: shared(words, one.around, other.around).both / total,
  };
}

/** A name; numbers are seen to apart, since they are written in many ways. */
function isNamed({ isName, word }: AskedWord): boolean {
  return isName && !NUMBER.test(word);
}

function shared(
  words: readonly AskedWord[],
  one: Match,
  other: Match,
  counts: (word: AskedWord) => boolean = () => true,
): { readonly both: number; readonly ratio: number | undefined } {
  let [both, either] = [0, 0];
  for (const [index, word] of words.entries()) {
    if (!counts(word)) continue;
    const [first, second] = [(one[index] ?? 0) >= SAID, (other[index] ?? 0) >= SAID];
    if (first || second) either += word.weight;
    if (first && second) both += word.weight;
  }
  return { both, ratio: either === 0 ? undefined : both / either };
}

function beyondOf(question: AskedQuestion, one: Candidate, other: Candidate): number {
  const [first, second] = [freshTerms(question, one), freshTerms(question, other)];
  return first.intersection(second).size / Math.max(FEWEST_TERMS, Math.min(first.size, second.size));
}

function freshTerms(question: AskedQuestion, { read, passage }: Candidate): Set<string> {
  const matcher = matcherOf(question, passage.language);
  return new Set(read.terms.filter((term) => matcher.wordOf(term) === undefined && !/\p{N}/u.test(term)));
}

/**
 * Whether one of two sentences names what is asked about, and the other something else in its place.
 * @param values words of the names that are the answers themselves
 */
export function isOfOther(question: AskedQuestion, one: Candidate, other: Candidate, values: readonly string[]): boolean {
  return namesElse(question, one, other, values) || namesElse(question, other, one, values);
}

function namesElse({ words }: AskedQuestion, one: Candidate, other: Candidate, values: readonly string[]): boolean {
  const isLacking = words.some(
    (word, index) => isNamed(word) && (other.own[index] ?? 0) >= SAID && (one.own[index] ?? 0) < SAID,
  );
  if (!isLacking) return false;
  return namesOf(one.unit.text, one.passage.language).some(({ text }) => {
    const name = text.split(" ");
    return !/\p{N}/u.test(text) && !name.some((part) => values.includes(part) || words.some(({ word }) => word === part));
  });
}

/** Titles that are alike but for what each is about: "Rates: Germany" and "Rates: France". */
export function areSiblings(one: Candidate, other: Candidate): boolean {
  const [first, second] = [titleOf(one), titleOf(other)];
  const both = first.intersection(second).size;
  // What differs in a figure is as often another edition of the same.
  return both > 0 && both * 2 >= Math.max(first.size, second.size) && both < first.size && both < second.size;
}

function titleOf({ passage }: Candidate): Set<string> {
  return new Set([...passage.above].filter((term) => !/\p{N}/u.test(term)));
}

/** Whether a source has another number where the question has one: version 3 for version 2, 2023 for 2024. */
export function isOfOtherNumber({ words }: AskedQuestion, { around, passage: { evidence } }: Candidate): boolean {
  const text = `${evidence.source.title}\n${evidence.heading}\n${evidence.text}`;
  return words.some(({ word }, index) => {
    const before = words[index - 1];
    if (!NUMBER.test(word) || before === undefined || NUMBER.test(before.word) || (around[index] ?? 0) >= SAID) return false;
    const numbers = new RegExp(`(?<![\\p{L}])${RegExp.escape(before.written)}[\\s\\p{Pd}]{1,3}(\\p{N}+)`, "giu");
    return numbers.test(text);
  });
}
