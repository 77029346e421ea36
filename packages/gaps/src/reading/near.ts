import { foldWord } from "@threadlore/language";

/** Shorter words are another word with every letter that is changed. */
const MIN_LETTERS = 5;
/** Letters of a beginning or an end by which a word is known as part of a longer one. */
const PART = 6;
/** What languages with compounds begin or end with. */
const COMPOUND_PART = 5;
const COMPOUNDING: ReadonlySet<string> = new Set("de nl sv da no fi hu".split(" "));

const LATIN = /^[a-z]+$/;

/**
 * By what a word is known where letters of it are wrong: its letters without vowels and doubles, its letters whatever
 * their order, its beginning and its end. Whole keys, so that they can be hidden; of every word as many.
 */
export function nearKeys(term: string, language: string | undefined): string[] | undefined {
  const word = foldWord(term);
  if (word.length < MIN_LETTERS || !LATIN.test(word)) return undefined;
  const part = COMPOUNDING.has(language ?? "") ? COMPOUND_PART : PART;
  const bones =
    word[0] +
    word
      .slice(1)
      .replace(/[aeiouy]/g, "")
      .replace(/(.)\1+/g, "$1");
  return [`b:${bones}`, `o:${[...word].toSorted().join("")}`, `s:${word.slice(0, part)}`, `e:${word.slice(-part)}`];
}

/** How surely two words are one, by their keys: misspelled, or one a part of the other; 0: they are not. */
export function nearness(one: readonly string[] | undefined, other: readonly string[] | undefined): number {
  if (one === undefined || other === undefined) return 0;
  const same = (at: number) => one[at] === other[at];
  if (same(0) || same(1)) return MISSPELLED;
  if (same(2) && same(3)) return MISSPELLED;
  return same(2) || same(3) ? RELATED : 0;
}

const MISSPELLED = 0.85;
const RELATED = 0.5;
