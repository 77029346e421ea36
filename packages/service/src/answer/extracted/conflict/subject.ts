/** Whether two sentences of different sources speak of the same thing, as far as the question tells. */
import { namesOf } from "@threadlore/language/meaning";
import type { AskedQuestion, AskedWord } from "../asked.ts";
import type { Candidate } from "../candidates.ts";
import { type Match, matcherOf, together } from "../matching.ts";

/** How far two candidates cover the same words of a question, each 0 to 1. */
export interface Common {
  /** Of the words that either says, with all around it: those both say. */
  readonly around: number;
  /** The same of what each says itself, or stands above it. */
  readonly own: number;
  /** Of the names and numbers either says: those both say; 1 where there are none. */
  readonly names: number;
  /** Of the question: what both say. */
  readonly asked: number;
  /** Of the words that are no names, and that either sentence says itself: those both say. */
  readonly told: number;
  /** Of the terms of the shorter sentence that the question does not have: those the other has as well. */
  readonly beyond: number;
}

const SAID = 0.6;

export function commonOf(question: AskedQuestion, one: Candidate, other: Candidate): Common {
  const { words, total } = question;
  const all = sharedBy(words, one.around, other.around);
  return {
    around: all.either === 0 ? 0 : all.both / all.either,
    own: ratio(sharedBy(words, together(one.own, one.above), together(other.own, other.above))),
    names: namesShared(words, one.around, other.around),
    asked: all.both / total,
    told: ratio(sharedBy(words, one.own, other.own, ({ isName }) => !isName)),
    beyond: beyondOf(question, one, other),
  };
}

/** Whether one names what is asked about, where the other names something else. */
export function isForeign({ words }: AskedQuestion, one: Candidate, other: Candidate, values: readonly (readonly string[])[]): boolean {
  const says = ({ own }: Candidate) => words.map(({ isName }, index) => isName && (own[index] ?? 0) >= SAID);
  const [first, second] = [says(one), says(other)];
  const lacks = (some: readonly boolean[], all: readonly boolean[]) => all.some((has, index) => has && some[index] !== true);
  const names = ({ unit, passage }: Candidate) =>
    namesOf(unit.text, passage.language).filter(({ text }) => {
      const name = text.split(" ");
      return !/\p{N}/u.test(text) && !values.some((value) => value.some((word) => name.includes(word))) && !name.some((word) => words.some((asked) => asked.word === word));
    }).length > 0;
  return (lacks(first, second) && names(one)) || (lacks(second, first) && names(other));
}

function beyondOf(question: AskedQuestion, one: Candidate, other: Candidate): number {
  const [first, second] = [one, other].map(({ read, passage }) => {
    const matcher = matcherOf(question, passage.language);
    return new Set(read.terms.filter((term) => matcher.wordOf(term) === undefined && !/\p{N}/u.test(term)));
  });
  if (first === undefined || second === undefined) return 0;
  let both = 0;
  for (const term of first) if (second.has(term)) both++;
  return both / Math.max(4, Math.min(first.size, second.size));
}

function namesShared(words: readonly AskedWord[], one: Match, other: Match): number {
  const { both, either } = sharedBy(words, one, other, ({ isName, word }) => isName && !/^(?:19|20)\d\d$/.test(word));
  return either === 0 ? 1 : both / either;
}

function ratio({ both, either }: { readonly both: number; readonly either: number }): number {
  return either === 0 ? 0 : both / either;
}

function sharedBy(
  words: readonly AskedWord[],
  one: Match,
  other: Match,
  counts: (word: AskedWord) => boolean = () => true,
) {
  let [both, either] = [0, 0];
  for (const [index, word] of words.entries()) {
    const [first, second] = [(one[index] ?? 0) >= SAID, (other[index] ?? 0) >= SAID];
    if ((!first && !second) || !counts(word)) continue;
    either += word.weight;
    if (first && second) both += word.weight;
  }
  return { both, either };
}
