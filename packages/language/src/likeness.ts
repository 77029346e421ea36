/**
 * Words and how alike they are, where no table of a language is at hand: in a browser's panel, whose pages are of any
 * language. Knows no stems and no function words; `stems.ts` does, for twenty times the weight.
 */
import { foldWord } from "./folding.ts";
import { eachSpelling } from "./stems/terms.ts";

/**
 * Calls for what a text of any language is compared by, in order, as it is written: words; of Chinese and Japanese every
 * two characters side by side; numbers however their thousands are parted. See `plainForm`.
 */
export function eachWritten(text: string, each: (written: string) => void): void {
  const word = (start: number, end: number) => each(text.slice(start, end));
  eachSpelling(text, undefined, { characters: "pairs" }, { word, other: each });
}

/** What Arabic writes in one with a word: "the", with "and", "with", "for", "like" before it. */
const ARABIC_ARTICLE = /^(?:[وفبك]?ال|لل)(?=[\u0621-\u064a]{2})/;

/** A word as it is compared by `likeness`: folded, without the article Arabic writes in one with it. */
export function plainForm(written: string): string {
  return foldWord(written).replace(ARABIC_ARTICLE, "");
}

/** Two forms of one word, most likely. */
const FORM = 0.85;
/** One is a part of the other, as of a compound, or both begin alike and go on at length. */
const PART = 0.5;

/** Letters that two forms of a word begin with at least, and letters that may follow in each. */
const MIN_BEGINNING = 4;
const MAX_ENDING = 3;
/** A syllable of Korean holds two or three letters. */
const SYLLABLES = /^[가-힣]/;
const MIN_SYLLABLES = 2;
/** What is shared of two words that only begin alike. */
const MIN_STEM = 5;
const STEM_SHARE = 0.6;

const NUMBER = /^\d/;

/**
 * How alike two plain forms are, from 0 to 1: 1 the same; less where they begin alike, as forms of a word do, or one
 * holds the other, as a compound does. Numbers are the same or are not.
 */
export function likeness(one: string, other: string): number {
  if (one === other) return 1;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const isSyllables = SYLLABLES.test(short);
  const least = isSyllables ? MIN_SYLLABLES : MIN_BEGINNING;
  if (short.length < least || NUMBER.test(short)) return 0;
  const shared = sharedBeginning(short, long);
  if (shared >= least && shared >= 0.5 * long.length && long.length - shared <= MAX_ENDING) return FORM;
  if (shared === short.length) return PART;
  if (shared >= MIN_STEM && shared >= STEM_SHARE * long.length) return PART;
  return !isSyllables && short.length > MIN_BEGINNING && long.includes(short) ? PART : 0;
}

/** Letters two words begin with alike. */
function sharedBeginning(short: string, long: string): number {
  let at = 0;
  while (at < short.length && short.charCodeAt(at) === long.charCodeAt(at)) at += 1;
  return at;
}
