import { type Cutter, cutterOf } from "./cuts.ts";
import { foldWord } from "./folding.ts";

/** A word where it stands in a text. */
export interface Word {
  /** Folded (`foldWord`): what words are compared by. */
  readonly text: string;
  /** Where it begins in the text it was found in, in UTF-16 units. */
  readonly start: number;
  /** Where it ends: the first unit that is no part of it. */
  readonly end: number;
}

/** Letters of scripts that put no spaces between words: a dictionary cuts them. */
const UNSPACED = String.raw`[[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]&&[\p{L}\p{M}]]`;

/** Vulgar fractions are no letters of a word: "6½" would become a number of its own. */
const FRACTIONS = String.raw`[¼-¾⅐-⅟↉]`;

/** Invisible characters inside a word. The zero-width space parts words, and so does the non-joiner of Persian. */
const INVISIBLE = String.raw`[\u00ad\u034f\u061c\u200d-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]`;

const LETTER = String.raw`[[\p{L}\p{N}]--${UNSPACED}--${FRACTIONS}]`;
const INSIDE = String.raw`[[\p{L}\p{N}\p{M}${INVISIBLE}]--${UNSPACED}--${FRACTIONS}]`;

/** Apostrophes in Ukrainian, gershayim in Hebrew abbreviations: one word. Elsewhere an apostrophe parts words. */
const INNER = String.raw`(?<=[\p{sc=Cyrl}\p{sc=Hebr}])['"’״׳](?=[\p{sc=Cyrl}\p{sc=Hebr}])`;

const RUNS = new RegExp(`${UNSPACED}[${UNSPACED}${INVISIBLE}]*|${LETTER}(?:${INSIDE}|${INNER})*`, "gv");
const ASCII_RUNS = /[a-z0-9]+/g;
const ASCII = /^\p{ASCII}*$/u;
const CHARACTER = /[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}]/v;
const CHARACTERS = /[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}ー\uff70\uff9e\uff9f]+/gv;
const UNSPACED_START = new RegExp(`^${UNSPACED}`, "v");

/** Whether a run is of a script that puts no spaces between words. */
export function isUnspaced(run: string): boolean {
  return run.charCodeAt(0) >= 0x0e00 && UNSPACED_START.test(run);
}

/**
 * Calls for every word of a text, in order, with its letters as they stand there and with where it begins.
 * `withoutCharacters` leaves out Chinese characters and kana.
 */
export function eachWord(
  text: string,
  each: (written: string, start: number) => void,
  withoutCharacters = false,
): void {
  let cut: Cutter | undefined;
  for (const match of text.matchAll(RUNS)) {
    const [run] = match;
    if (isUnspaced(run)) {
      if (withoutCharacters && CHARACTER.test(run)) continue;
      cut ??= cutterOf(text);
      cut(match.index, match.index + run.length, each);
    } else {
      each(run, match.index);
    }
  }
}

/** Calls for every run of Chinese characters and kana, in order, with where it begins. */
export function eachCharacterRun(text: string, each: (run: string, start: number) => void): void {
  if (!CHARACTER.test(text)) return;
  for (const match of text.matchAll(CHARACTERS)) each(match[0], match.index);
}

/**
 * The words of a text in any script, in order, folded. Letters, digits and their marks make a word; apostrophes and
 * hyphens part words ("l'eau", "Wi-Fi"). Chinese, Japanese, Thai, Lao, Khmer and Burmese are cut by the dictionaries of
 * `Intl.Segmenter`.
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  eachWord(text, (written, start) => {
    const folded = foldedOnce(written);
    if (folded !== "") words.push({ text: folded, start, end: start + written.length });
  });
  return words;
}

/** As `wordsOf`, without places: for texts that are only counted. */
export function foldedWordsOf(text: string): string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_RUNS)?.map(foldedOnce) ?? [];
  const words: string[] = [];
  eachWord(text, (written) => {
    const folded = foldedOnce(written);
    if (folded !== "") words.push(folded);
  });
  return words;
}

/** How many spellings are remembered with their folded forms before all are forgotten. */
const MAX_REMEMBERED = 20_000;
const remembered = new Map<string, string>();

/** Most words of a text were met before: looking them up costs a tenth of folding them. */
function foldedOnce(written: string): string {
  let folded = remembered.get(written);
  if (folded !== undefined) return folded;
  folded = foldWord(written);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  if (written.length <= 32) remembered.set(written, folded);
  return folded;
}
