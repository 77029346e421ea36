/** Words by which a sentence that is worded like another one speaks of something else, or of a part of it. */
import { isWrittenFunctionWord, wordsOf } from "@threadlore/language";
import { modalityOf } from "@threadlore/language/meaning";
import { stem } from "@threadlore/language/stems";
import type { AskedQuestion } from "../asked.ts";
import type { Candidate } from "../candidates.ts";
import { type Matcher, matcherOf } from "../matching.ts";

/** A match from here on says the word. */
const SAID = 0.6;
const NUMBER = /\p{N}/u;

/** A word of a sentence that says something, and what stands between it and the one before it. */
interface Content {
  readonly term: string;
  readonly written: string;
  /** Which word of the question it is; undefined for none. */
  readonly asked: number | undefined;
  /** The function words before it, folded. */
  readonly before: readonly string[];
  /** Whether a mark stands between it and the word before it. */
  readonly isApart: boolean;
}

function contentOf(matcher: Matcher, { unit: { text }, passage: { language } }: Candidate): Content[] {
  const found: Content[] = [];
  let before: string[] = [];
  let end = 0;
  let isApart = false;
  for (const word of wordsOf(text)) {
    isApart ||= /[^\s\p{L}\p{N}'’-]/u.test(text.slice(end, word.start));
    end = word.end;
    const written = text.slice(word.start, word.end);
    if (isWrittenFunctionWord(written, language)) {
      before.push(word.text);
      continue;
    }
    const term = stem(written, language);
    const hit = matcher.match(new Set([term])).findIndex((likely) => likely >= SAID);
    found.push({ term, written, asked: hit < 0 ? undefined : hit, before, isApart });
    before = [];
    isApart = false;
  }
  return found;
}

/**
 * Whether one of two sentences has another word in the place of one that is asked about: "allowed in the laboratory" for
 * "allowed in the office", "express orders" for "standard orders".
 */
export function hasAnotherInPlace(question: AskedQuestion, one: Candidate, other: Candidate): boolean {
  const matchers = [matcherOf(question, one.passage.language), matcherOf(question, other.passage.language)] as const;
  const [first, second] = [contentOf(matchers[0], one), contentOf(matchers[1], other)];
  return isSwapped(first, second, one, other) || isSwapped(second, first, other, one);
}

function isSwapped(own: readonly Content[], others: readonly Content[], one: Candidate, other: Candidate): boolean {
  return own.some((word, index) => {
    if (word.asked === undefined || isSaid(other, word.asked)) return false;
    return others.some((instead, at) => {
      if (instead.asked !== undefined || NUMBER.test(instead.term) || one.passage.all.has(instead.term)) return false;
      return (
        isBehindAlike(own[index - 1], word, others[at - 1], instead) || isBeforeAlike(own[index + 1], others[at + 1])
      );
    });
  });
}

/** Words that say of what, where, when or for whom something is. */
const PREPOSITIONS: ReadonlySet<string> = new Set(
  (
    "in at on for of from to with during by per within im in am an auf fur bei von vom zum zur mit wahrend aus " +
    "en de del para por a con durante desde dans pour sur a chez du des au aux avec pendant " +
    "di da per nel nella con su em no na do para com voor op bij van met в на для из при от с"
  ).split(" "),
);

/** "In the office" and "in the laboratory", behind the same word. */
function isBehindAlike(
  before: Content | undefined,
  word: Content,
  otherBefore: Content | undefined,
  instead: Content,
): boolean {
  if (
    before === undefined ||
    otherBefore === undefined ||
    !isAlike(before, otherBefore) ||
    word.isApart ||
    instead.isApart
  )
    return false;
  const [preposition = ""] = word.before;
  return preposition === instead.before[0] && PREPOSITIONS.has(preposition);
}

/** The same word, or forms of one word of the question. */
function isAlike(one: Content, other: Content): boolean {
  return one.term === other.term || (one.asked !== undefined && one.asked === other.asked);
}

/** "Standard orders" and "express orders". */
function isBeforeAlike(next: Content | undefined, otherNext: Content | undefined): boolean {
  if (next === undefined || otherNext === undefined || !isAlike(next, otherNext) || next.isApart || otherNext.isApart)
    return false;
  const isJoined = ({ before }: Content) => before.every((joint) => joint === "の" || joint === "的");
  return next.asked !== undefined && isJoined(next) && isJoined(otherNext);
}

function isSaid({ own, above }: Candidate, index: number): boolean {
  return Math.max(own[index] ?? 0, above[index] ?? 0) >= SAID;
}

/** What joins a part to its whole, by language. */
const OF: Readonly<Record<string, RegExp>> = {
  en: /^(?:of|within) (?:the|this|that|our|your|its)$/u,
  de: /^(?:des|vom|von (?:dem|der|den)|der)$/u,
  es: /^(?:del|de (?:la|las|los))$/u,
  fr: /^(?:du|des|d[e’'] ?(?:la|l))$/u,
  it: /^(?:del|dello|della|dei|delle|dell)$/u,
  pt: /^(?:do|da|dos|das)$/u,
  nl: /^van (?:de|het)$/u,
  ja: /^の$/u,
  zh: /^的$/u,
};

/** Whether a sentence is about a part of what is asked, which neither question nor other source names: "section A of the test". */
export function isOfPart(question: AskedQuestion, one: Candidate, other: Candidate): boolean {
  const matcher = matcherOf(question, one.passage.language);
  const words = contentOf(matcher, one);
  const joint = OF[one.passage.language ?? ""];
  return words.some((word, index) => {
    const part = words[index - 1];
    if (part === undefined || part.asked !== undefined || word.asked === undefined || word.isApart) return false;
    if (modalityOf(part.written, one.passage.language) !== undefined) return false;
    return joint?.test(word.before.join(" ")) === true && !NUMBER.test(part.term) && !other.passage.all.has(part.term);
  });
}

/** Whether a source's title is the other's and more, which the sentence says as well: "Safety test", "Safety test, section A". */
export function isNarrower(question: AskedQuestion, one: Candidate, other: Candidate): boolean {
  const [own, others] = [one.passage.above, other.passage.above];
  if (others.size === 0 || own.size <= others.size || ![...others].every((term) => own.has(term))) return false;
  const matcher = matcherOf(question, one.passage.language);
  return one.read.terms.some(
    (term) => own.has(term) && !other.passage.all.has(term) && matcher.wordOf(term) === undefined && !NUMBER.test(term),
  );
}
