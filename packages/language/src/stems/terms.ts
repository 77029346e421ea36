import { foldWord } from "../folding.ts";
import { isWrittenFunctionWord, KNOWN_LANGUAGES } from "../function-words.ts";
import { eachCharacterRun, eachWord } from "../words.ts";
import { groupedNumberAt } from "./numbers.ts";
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
   * by side, or `both`. Pairs find what two texts are cut into differently, and cost a twentieth. Default `words`.
   */
  readonly characters?: "words" | "pairs" | "both";
}

/**
 * What a text is about: its words without function words, stemmed, repeats included. In order, but for pairs of
 * characters, which come last. Words joined by a hyphen count joined up too, where one of them is short: "Wi-Fi" is
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

/** As `termsIn`, one call for each term: an index of a large collection makes no list of them. */
export function eachTerm(
  text: string,
  language: string | undefined,
  { characters = "words" }: TermOptions,
  each: (term: string, start: number, end: number) => void,
): void {
  const terms = rememberedTerms(language);
  eachWordTerm(text, language, terms, characters === "pairs", each);
  if (characters !== "words") eachCharacterRun(text, (run, start) => eachPair(run, start, each));
}

function eachWordTerm(
  text: string,
  language: string | undefined,
  terms: (written: string) => string,
  withoutCharacters: boolean,
  each: (term: string, start: number, end: number) => void,
): void {
  let before = "";
  let beforeStart = 0;
  let beforeEnd = -1;
  let numberEnd = 0;
  eachWord(
    text,
    (word, start) => {
      if (start < numberEnd) return;
      let written = word;
      let end = start + word.length;
      const number = word.length <= 3 ? groupedNumberAt(text, word, start, language) : undefined;
      if (number?.isDoubtful === true) each(terms(number.digits), start, number.end);
      else if (number !== undefined) {
        written = number.digits;
        end = number.end;
        numberEnd = end;
      }
      if (start === beforeEnd + 1 && HYPHEN.test(text.charAt(beforeEnd)) && isJoined(before, written)) {
        const joined = terms(before + written);
        if (joined !== "") each(joined, beforeStart, end);
      }
      const term = terms(written);
      if (term !== "") each(term, start, end);
      before = written;
      beforeStart = start;
      beforeEnd = end;
    },
    withoutCharacters,
  );
}

/** Two letters of hiragana are endings and particles nearly always. */
const HIRAGANA_PAIR = /^\p{sc=Hiragana}+$/u;

function eachPair(run: string, start: number, each: (term: string, start: number, end: number) => void): void {
  const characters = [...run];
  let at = start;
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1] ?? "";
    const isAlone = characters.length === 1;
    if ((next !== "" || isAlone) && !HIRAGANA_PAIR.test(character + next)) {
      each(foldWord(character + next), at, at + character.length + next.length);
    }
    at += character.length;
  }
}

/** Numbers are not joined: "2024-05" is a date. */
function isJoined(one: string, other: string): boolean {
  return (
    (Math.min(one.length, other.length) <= MAX_JOINED && !/^\p{Nd}/u.test(other)) ||
    (/^\p{L}/u.test(one) && one.length <= MAX_JOINED)
  );
}

/** How many words of a language are remembered with their terms before all are forgotten: some 4 MB. */
const MAX_REMEMBERED = 20_000;
const remembered = new Map<string, Map<string, string>>();

/** Terms of one language by how their words are written; "" for a function word. Texts repeat most of their words. */
function rememberedTerms(language: string | undefined): (written: string) => string {
  const kind = language !== undefined && (isStemmed(language) || KNOWN_LANGUAGES.includes(language)) ? language : "";
  const known = remembered.get(kind) ?? new Map<string, string>();
  remembered.set(kind, known);
  return (written) => {
    let term = known.get(written);
    if (term !== undefined) return term;
    term = isWrittenFunctionWord(written, language) ? "" : stem(written, language);
    if (known.size >= MAX_REMEMBERED) known.clear();
    if (written.length <= 32) known.set(written, term);
    return term;
  };
}
