/** How far the terms of a text say what the words of a question ask for. */
import { sharesStem, stem } from "@threadlore/language/stems";
import { type AskedQuestion, type QuestionWord, termsFor } from "./asked.ts";

/** Per word of a question, how surely a text says it: 1 itself or a form of it, less something like it, 0 not. */
export type Match = readonly number[];

/** A part of a compound says most of what the word says. */
const PART = 0.7;
/** Words that begin alike are mostly forms of one word; in languages without a stemmer it is all there is to go by. */
const ALIKE = 0.8;
const ALIKE_LETTERS = 4;
const ALIKE_SHARE = 0.7;

/** The words of a question, ready to be looked for in texts of one language. */
export interface Matcher {
  /** How surely each word of the question is said by some terms. */
  match(terms: ReadonlySet<string>): Match;
  /** Which word of the question a term is a form of; undefined for none. */
  wordOf(term: string): number | undefined;
  /** The terms of words that stand side by side in the question, each joined by a space. */
  readonly pairs: ReadonlySet<string>;
}

export function matcherOf(question: AskedQuestion, language: string | undefined): Matcher {
  const forms = question.words.map((word) => termsFor(word, language));
  const joined = question.words.map((word) => (word.joined === undefined ? undefined : stem(word.joined, language)));
  const byTerm = new Map<string, number>();
  for (const [index, terms] of forms.entries())
    for (const term of terms) if (!byTerm.has(term)) byTerm.set(term, index);
  const likeness = likenessOf(language);
  return {
    pairs: pairsOf(forms),
    wordOf: (term) => byTerm.get(term),
    match: (terms) =>
      forms.map((own, index) => {
        if (own.some((term) => terms.has(term))) return 1;
        const [one, other] = [joined[index], joined[index - 1]];
        if ((one !== undefined && terms.has(one)) || (other !== undefined && terms.has(other))) return 1;
        return question.words[index]?.isName === true ? 0 : best(own[0] ?? "", terms, likeness);
      }),
  };
}

/** What a match says of a question, by weight: 0 to 1. */
export function shareOf({ words, total }: AskedQuestion, match: Match): number {
  return words.reduce((sum, { weight }, index) => sum + weight * (match[index] ?? 0), 0) / total;
}

/** Per word the better of some matches. */
export function together(...matches: readonly Match[]): Match {
  const [first = []] = matches;
  return first.map((_, index) => Math.max(...matches.map((match) => match[index] ?? 0)));
}

function pairsOf(forms: readonly (readonly string[])[]): Set<string> {
  const pairs = new Set<string>();
  for (const [index, terms] of forms.entries()) {
    const before = forms[index - 1];
    if (before !== undefined) pairs.add(`${before[0]} ${terms[0]}`);
  }
  return pairs;
}

function best(term: string, terms: ReadonlySet<string>, likeness: (one: string, other: string) => number): number {
  let found = 0;
  for (const other of terms) {
    const like = likeness(term, other);
    if (like > found) found = like;
    if (found >= ALIKE) break;
  }
  return found;
}

function likenessOf(language: string | undefined): (one: string, other: string) => number {
  return (one, other) => {
    const longer = Math.max(one.length, other.length);
    if (longer >= ALIKE_LETTERS) {
      const shared = sharedBeginning(one, other);
      if (shared >= ALIKE_LETTERS && shared >= longer * ALIKE_SHARE) return ALIKE;
    }
    return sharesStem(one, other, language) ? PART : 0;
  };
}

function sharedBeginning(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < most && one.charCodeAt(shared) === other.charCodeAt(shared)) shared++;
  return shared;
}

/** Words of a question and what they weigh: the sum over those of which `holds` is true. */
export function weightWhere(
  words: readonly QuestionWord[],
  holds: (word: QuestionWord, index: number) => boolean,
): number {
  return words.reduce((sum, word, index) => (holds(word, index) ? sum + word.weight : sum), 0);
}

/** How much of some words of a question a match says, by weight; where there are none such, neither yes nor no. */
export function shareWhere(
  { words }: AskedQuestion,
  match: Match,
  counts: (word: QuestionWord, index: number) => boolean,
): number {
  let [said, total] = [0, 0];
  for (const [index, word] of words.entries()) {
    if (!counts(word, index)) continue;
    total += word.weight;
    said += word.weight * (match[index] ?? 0);
  }
  return total === 0 ? NEITHER : said / total;
}

const NEITHER = 0.6;
