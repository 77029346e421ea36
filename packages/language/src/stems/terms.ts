import { type Cutter, cutterOf } from "../cuts.ts";
import { isWrittenFunctionWord, KNOWN_LANGUAGES } from "../function-words.ts";
import { remembering } from "../remembering.ts";
import { CHARACTER, eachRun, LETTER } from "../runs.ts";
import { groupedNumberAt } from "../numbers.ts";
import { eachPair } from "./pairs.ts";
import { isStemmed, stem } from "./stem.ts";

/** What a text is looked for by, where it stands. */
export interface Term {
  /** Stemmed and folded. */
  readonly term: string;
  /** Where its word begins, in UTF-16 units. */
  readonly start: number;
  /** Where its word ends: the first unit that is no part of it. */
  readonly end: number;
}

/** What terms are made of. */
export interface TermOptions {
  /**
   * What Chinese characters and kana are looked for by: `words` of a dictionary, `pairs` of characters that stand side
   * by side, `both`, or `grams`: pairs, and every Chinese character by itself. Pairs find what two texts are cut into
   * differently and take a tenth of the time; grams find the right paragraph as often as both do. Default `words`.
   */
  readonly characters?: "words" | "pairs" | "both" | "grams";
}

/**
 * What a text is about: its words without function words, stemmed, repeats included, in order. Words joined by a hyphen count joined up too, where one of them is short: "Wi-Fi" is
 * found by "wifi". A number is one term however its thousands are parted: "2,500", "2.500" and "2 500" are "2500".
 */
export function termsOf(text: string, language: string | undefined, options: TermOptions = {}): string[] {
  const terms: string[] = [];
  eachTerm(text, language, options, (term) => terms.push(term));
  return terms;
}

/** As `termsOf`, with where the words stand. */
export function termsIn(text: string, language: string | undefined, options: TermOptions = {}): Term[] {
  const terms: Term[] = [];
  eachTerm(text, language, options, (term, start, end) => terms.push({ term, start, end }));
  return terms;
}

const HYPHEN = /^[-\u2010\u2011]$/;

/** Of two words joined by a hyphen the shorter has at most so many letters; longer ones are two words to everybody. */
const MAX_JOINED = 5;

type EachTerm = (term: string, start: number, end: number) => void;

/** As `termsIn`, one call for each term: an index of a large collection makes no list of them. */
export function eachTerm(
  text: string,
  language: string | undefined,
  { characters = "words" }: TermOptions,
  each: EachTerm,
): void {
  const terms = rememberedTerms(language);
  const eachWordTerm = wordTerms(text, language, terms, each);
  const withWords = characters === "words" || characters === "both";
  let cut: Cutter | undefined;
  const eachCut = (written: string, start: number) => {
    const term = terms(written);
    if (term !== "") each(term, start, start + written.length);
  };
  eachRun(text, (start, end, kind) => {
    if (kind === LETTER) return eachWordTerm(start, end);
    if (kind !== CHARACTER || withWords) (cut ??= cutterOf(text))(start, end, eachCut);
    if (kind === CHARACTER && characters !== "words") eachPair(text, start, end, characters === "grams", each);
  });
}

/** Terms of the words of one text that spaces part, to be called in their order. */
function wordTerms(
  text: string,
  language: string | undefined,
  terms: (written: string) => string,
  each: EachTerm,
): (start: number, end: number) => void {
  let before = "";
  let beforeStart = 0;
  let beforeEnd = -1;
  return (start, wordEnd) => {
    // The groups of a number that was called for already.
    if (start < beforeEnd) return;
    let written = text.slice(start, wordEnd);
    let end = wordEnd;
    const number = end - start <= 3 ? groupedNumberAt(text, start, end, language) : undefined;
    if (number?.isDoubtful === true) each(terms(number.digits), start, number.end);
    else if (number !== undefined) ({ digits: written, end } = number);
    if (start === beforeEnd + 1 && HYPHEN.test(text.charAt(beforeEnd)) && isJoined(before, written)) {
      const joined = terms(before + written);
      if (joined !== "") each(joined, beforeStart, end);
    }
    const term = terms(written);
    if (term !== "") each(term, start, end);
    before = written;
    beforeStart = start;
    beforeEnd = end;
  };
}

/** Numbers are not joined: "2024-05" is a date. */
function isJoined(one: string, other: string): boolean {
  return (
    (Math.min(one.length, other.length) <= MAX_JOINED && !/^\p{Nd}/u.test(other)) ||
    (/^\p{L}/u.test(one) && one.length <= MAX_JOINED)
  );
}

const remembered = new Map<string, (written: string) => string>();

/** Terms of one language by how their words are written; "" for a function word. */
function rememberedTerms(language: string | undefined): (written: string) => string {
  // A code may come from anywhere: all that name no language here are one.
  const kind = isStemmed(language) || KNOWN_LANGUAGES.includes(language ?? "") ? language : undefined;
  let terms = remembered.get(kind ?? "");
  if (terms === undefined) {
    terms = remembering((written) => (isWrittenFunctionWord(written, kind) ? "" : stem(written, kind)));
    remembered.set(kind ?? "", terms);
  }
  return terms;
}
