import { type Cutter, cutterOf } from "./cuts.ts";
import { foldWord } from "./folding.ts";
import { groupedNumberAt } from "./numbers.ts";
import { remembering } from "./remembering.ts";
import { eachRun, LETTER } from "./runs.ts";

/** A word where it stands in a text. */
export interface Word {
  /** Folded (`foldWord`): what words are compared by. */
  readonly text: string;
  /** Where it begins in the text it was found in, in UTF-16 units. */
  readonly start: number;
  /** Where it ends: the first unit that is no part of it. */
  readonly end: number;
}

/** Calls for every word of a text, in order, with its letters as they stand there and with where it begins and ends. */
function eachWord(text: string, each: (written: string, start: number, end: number) => void): void {
  let cut: Cutter | undefined;
  let numberEnd = 0;
  const eachCut = (written: string, start: number) => each(written, start, start + written.length);
  eachRun(text, (start, end, kind) => {
    if (kind !== LETTER) return (cut ??= cutterOf(text))(start, end, eachCut);
    // The groups of a number that was called for already.
    if (start < numberEnd) return;
    const number = end - start <= 3 ? groupedNumberAt(text, start, end, undefined) : undefined;
    if (number === undefined || number.isDoubtful) return each(text.slice(start, end), start, end);
    numberEnd = number.end;
    each(number.digits, start, number.end);
  });
}

/**
 * The words of a text in any script, in order, folded. Letters, digits and their marks make a word; apostrophes and
 * hyphens part words ("l'eau", "Wi-Fi"). A number is one word however its thousands are parted: "2,500" is "2500". Chinese, Japanese, Thai, Lao, Khmer and Burmese are cut by the dictionaries of
 * `Intl.Segmenter`.
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  eachWord(text, (written, start, end) => {
    const folded = foldedOnce(written);
    if (folded !== "") words.push({ text: folded, start, end });
  });
  return words;
}

/** As `wordsOf`, without places: for texts that are only counted. */
export function foldedWordsOf(text: string): string[] {
  const words: string[] = [];
  eachWord(text, (written) => {
    const folded = foldedOnce(written);
    if (folded !== "") words.push(folded);
  });
  return words;
}

const foldedOnce = remembering((written) => foldWord(written));
