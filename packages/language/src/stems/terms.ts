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

/** Of two words joined by a hyphen the shorter has at most so many letters; longer ones are two words to everybody. */
const MAX_JOINED = 5;

type EachTerm = (term: string, start: number, end: number) => void;

/** As `termsIn`, one call for each term: an index of a large collection makes no list of them. */
export function eachTerm(text: string, language: string | undefined, options: TermOptions, each: EachTerm): void {
  const termOf = termOfSpelling(language);
  const word = (start: number, end: number) => {
    const term = termOf(text.slice(start, end));
    if (term !== "") each(term, start, end);
  };
  const other = (spelling: string, start: number, end: number, isTerm: boolean) => {
    const term = isTerm ? spelling : termOf(spelling);
    if (term !== "") each(term, start, end);
  };
  eachSpelling(text, language, options, { word, other });
}

/** Takes what the terms of a text are made of (`termOfSpelling`), function words included, in order. */
export interface SpellingTaker {
  /** A word, spelled as it stands there. */
  word(start: number, end: number): void;
  /**
   * Two words joined up, a number without its marks, or characters side by side.
   * @param isTerm it is a term already: characters have no forms
   */
  other(spelling: string, start: number, end: number, isTerm: boolean): void;
}

/** As `eachTerm`, for whoever meets the same words again and again: no string is made of one before it is needed. */
export function eachSpelling(
  text: string,
  language: string | undefined,
  { characters = "words" }: TermOptions,
  taker: SpellingTaker,
): void {
  const eachWordSpelling = wordSpellings(text, language, taker);
  const withWords = characters === "words" || characters === "both";
  let cut: Cutter | undefined;
  const eachCut = (written: string, start: number) => taker.word(start, start + written.length);
  const eachPaired = (pair: string, start: number, end: number) => taker.other(pair, start, end, true);
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
  taker: SpellingTaker,
): (start: number, end: number) => void {
  let beforeStart = 0;
  let beforeEnd = -1;
  /** Where the word before was a number with marks. */
  let digitsBefore: string | undefined;
  return (start, wordEnd) => {
    // The groups of a number that was called for already.
    if (start < beforeEnd) return;
    let digits: string | undefined;
    let end = wordEnd;
    const number = end - start <= 3 ? groupedNumberAt(text, start, end, language) : undefined;
    if (number?.isDoubtful === true) taker.other(number.digits, start, number.end, false);
    else if (number !== undefined) ({ digits, end } = number);
    if (start === beforeEnd + 1 && isHyphen(text.charCodeAt(beforeEnd))) {
      const [one, other] = [digitsBefore ?? text.slice(beforeStart, beforeEnd), digits ?? text.slice(start, end)];
      if (isJoined(one, other)) taker.other(one + other, beforeStart, end, false);
    }
    if (digits === undefined) taker.word(start, end);
    else taker.other(digits, start, end, false);
    digitsBefore = digits;
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
