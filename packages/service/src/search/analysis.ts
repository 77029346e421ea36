import { foldedWordsOf, isFunctionWord, languageOf } from "@threadlore/language";
import { eachSpelling, eachTerm, type SpellingTaker, termOfSpelling } from "@threadlore/language/stems";

/** Another one with every change of what texts are found by: an index that was made by another is made anew. */
export const ANALYSIS = "3";

/** Texts whose language nothing tells have none, and are stemmed as most technical ones are written. */
const UNTOLD = "en";

/** Pairs of Chinese characters and kana: what a dictionary cuts costs twenty times as much and finds no more. */
const TERMS = { characters: "pairs" } as const;

/** The language of a text as an ISO 639-1 code; "" where nothing tells. `hint` decides where it is left open. */
export function languageOfText(text: string, hint?: () => string): string {
  return languageOf(text, hint && (() => hint() || undefined)) ?? "";
}

/** What a language code is analysed as. */
function analysedAs(language: string): string {
  return language === "" ? UNTOLD : language;
}

/** Calls for each term of a text, with where its word stands: stemmed, without function words. */
export function eachTermOf(
  text: string,
  language: string,
  each: (term: string, start: number, end: number) => void,
): void {
  eachTerm(text, analysedAs(language), TERMS, each);
}

/** As `eachTermOf`, with what terms are made of (`eachSpelling`, `spelledTerm`): for whoever reads many texts. */
export function eachSpellingOf(text: string, language: string, taker: SpellingTaker): void {
  eachSpelling(text, analysedAs(language), TERMS, taker);
}

/** The term of a spelling; "" for a function word. */
export function spelledTerm(language: string): (spelling: string) => string {
  return termOfSpelling(analysedAs(language));
}

/** The terms of a text in their order. */
export function termsOfText(text: string, language: string): string[] {
  const terms: string[] = [];
  eachTermOf(text, language, (term) => terms.push(term));
  return terms;
}

/** Function words of a title: what is called "IT" or "The Who" is found by them, where nothing else is asked. */
export function functionWordsOfTitle(title: string, language: string): string[] {
  return foldedWordsOf(title).filter((word) => isFunctionWord(word, analysedAs(language)));
}

/** What a term counts as a word of its passage: pairs of characters overlap, and one word is two or three of them. */
export function lengthOfTerm(term: string): number {
  return isOfCharacters(term) ? 0.35 : 1;
}

/** Whether a word is written with Chinese characters or kana. */
export function isOfCharacters(word: string): boolean {
  const code = word.charCodeAt(0);
  return code >= 0x2e80 && (code < 0xac00 || code > 0xd7ff) && code !== 0xffff;
}
