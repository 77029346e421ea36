import { type Cutter, cutterOf } from "../cuts.ts";
import { isWrittenFunctionWord, KNOWN_LANGUAGES } from "../function-words.ts";
import { remembering } from "../remembering.ts";
import { CHARACTER, eachRun, LETTER } from "../runs.ts";
import { groupedNumberAt } from "./numbers.ts";
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

/** Of two words joined by a hyphen the shorter has at most so many letters; longer ones are two words to everybody. */
const MAX_JOINED = 5;

type EachTerm = (term: string, start: number, end: number) => void;

/** As `termsIn`, one call for each term: an index of a large collection makes no list of them. */
export function eachTerm(text: string, language: string | undefined, options: TermOptions, each: EachTerm): void {
  const termOf = termOfSpelling(language);
  eachSpelling(text, language, options, (spelling, start, end, isTerm) => {
    const term = isTerm ? spelling : termOf(spelling);
    if (term !== "") each(term, start, end);
  });
}

/** @param isTerm it is a term already: characters side by side have no forms */
type EachSpelling = (spelling: string, start: number, end: number, isTerm: boolean) => void;

/**
 * Calls for what the terms of a text are made of (`termOfSpelling`), function words included, in order: whoever meets the
 * same spellings again and again looks each up once, in what is known of it already. A spelling that is as long as the
 * place it is from is the word as it stands there; others are two words joined up, or a number without its marks.
 */
export function eachSpelling(
  text: string,
  language: string | undefined,
  { characters = "words" }: TermOptions,
  each: EachSpelling,
): void {
  const eachWordSpelling = wordSpellings(text, language, each);
  const withWords = characters === "words" || characters === "both";
  let cut: Cutter | undefined;
  const eachCut = (written: string, start: number) => each(written, start, start + written.length, false);
  const eachPaired = (pair: string, start: number, end: number) => each(pair, start, end, true);
  eachRun(text, (start, end, kind) => {
    if (kind === LETTER) return eachWordSpelling(start, end);
    if (kind !== CHARACTER || withWords) (cut ??= cutterOf(text))(start, end, eachCut);
    if (kind === CHARACTER && characters !== "words") eachPair(text, start, end, characters === "grams", eachPaired);
  });
}

/** Spellings of the words of one text that spaces part, to be called in their order. */
function wordSpellings(
  text: string,
  language: string | undefined,
  each: EachSpelling,
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
    if (number?.isDoubtful === true) each(number.digits, start, number.end, false);
    else if (number !== undefined) ({ digits: written, end } = number);
    if (start === beforeEnd + 1 && isHyphen(text.charCodeAt(beforeEnd)) && isJoined(before, written)) {
      each(before + written, beforeStart, end, false);
    }
    each(written, start, end, false);
    before = written;
    beforeStart = start;
    beforeEnd = end;
  };
}

/** "-", and the hyphens of Unicode, one of which does not break. */
function isHyphen(code: number): boolean {
  return code === 0x2d || code === 0x2010 || code === 0x2011;
}

/** Numbers are not joined: "2024-05" is a date. */
function isJoined(one: string, other: string): boolean {
  return (
    (Math.min(one.length, other.length) <= MAX_JOINED && !/^\p{Nd}/u.test(other)) ||
    (/^\p{L}/u.test(one) && one.length <= MAX_JOINED)
  );
}

const remembered = new Map<string, (written: string) => string>();

/** The term of a spelling in a language; "" for a function word. What it was for a spelling is remembered. */
export function termOfSpelling(language: string | undefined): (spelling: string) => string {
  // A code may come from anywhere: all that name no language here are one.
  const kind = isStemmed(language) || KNOWN_LANGUAGES.includes(language ?? "") ? language : undefined;
  let terms = remembered.get(kind ?? "");
  if (terms === undefined) {
    terms = remembering((written) => (isWrittenFunctionWord(written, kind) ? "" : stem(written, kind)));
    remembered.set(kind ?? "", terms);
  }
  return terms;
}
