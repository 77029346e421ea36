/** Where the words of a text are: runs of letters, told by tables that are made as characters are met. */

/** Says of a character that it is no part of a word. */
const NONE = 0;
/** Goes on with a word and begins none: marks, invisible characters. */
const INSIDE = 1;
/** Part of a word between two letters of some scripts. */
const APOSTROPHE = 2;
/** A letter or digit of a script that parts words. */
export const LETTER = 3;
/** Thai, Lao, Khmer, Burmese: letters of scripts that put nothing between words. */
export const UNSPACED = 4;
/** Chinese characters and kana. */
export const CHARACTER = 5;

/** What a run is made of. */
export type RunKind = typeof LETTER | typeof UNSPACED | typeof CHARACTER;

const SOUTH_EAST_ASIAN = /[[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]&&[\p{L}\p{M}]]/v;
const CHINESE_OR_JAPANESE = /[[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}]&&[\p{L}\p{M}〇]]/v;

/** Without vulgar fractions, which are no digits of a number: "6½". */
const LETTER_OR_DIGIT = /[[\p{L}\p{N}]--[¼-¾⅐-⅟↉]]/v;

/** The zero-width space parts words, and so does the non-joiner of Persian. */
const MARK_OR_INVISIBLE = /\p{M}|[\u00ad\u061c\u200d-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/u;

function kindOf(character: string): number {
  if (CHINESE_OR_JAPANESE.test(character)) return CHARACTER;
  if (SOUTH_EAST_ASIAN.test(character)) return UNSPACED;
  if (LETTER_OR_DIGIT.test(character)) return LETTER;
  if (MARK_OR_INVISIBLE.test(character)) return INSIDE;
  return /['"’״׳]/.test(character) ? APOSTROPHE : NONE;
}

/** Kinds of 256 code points each. */
const tables: Uint8Array[] = [];

function tableOf(block: number): Uint8Array {
  const table = Uint8Array.from({ length: 256 }, (_, index) => {
    const code = block * 256 + index;
    return code >= 0xd800 && code <= 0xdfff ? NONE : kindOf(String.fromCodePoint(code));
  });
  tables[block] = table;
  return table;
}

function isSurrogate(code: number): boolean {
  return (code & 0xf800) === 0xd800;
}

/** The code point at a place; a lone surrogate, and what is behind the end, as it is. */
function codeAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return isSurrogate(code) ? (text.codePointAt(at) ?? code) : code;
}

/** What no text has: `charCodeAt` behind the end is NaN, whose bits are 0. */
function kindAt(code: number): number {
  const block = code >> 8;
  return (tables[block] ?? tableOf(block))[code & 255] ?? NONE;
}

/**
 * Calls for every run of letters of a text, in order, with where it begins and ends: of one script of spaces, which is a
 * word, or of one kind that puts no spaces between words.
 */
export function eachRun(text: string, each: (start: number, end: number, kind: RunKind) => void): void {
  for (let at = 0; at < text.length;) {
    const code = codeAt(text, at);
    const kind = kindAt(code);
    const start = at;
    at += code > 0xffff ? 2 : 1;
    if (kind === LETTER || kind === UNSPACED || kind === CHARACTER) {
      at = endOfRun(text, at, kind);
      each(start, at, kind);
    }
  }
}

function endOfRun(text: string, from: number, kind: RunKind): number {
  for (let at = from; ;) {
    const code = codeAt(text, at);
    const next = kindAt(code);
    const goesOn = next === kind || next === INSIDE || (next === APOSTROPHE && kind === LETTER && isInner(text, at));
    if (!goesOn) return at;
    at += code > 0xffff ? 2 : 1;
  }
}

/** Apostrophes in Ukrainian, gershayim in Hebrew abbreviations: one word. Elsewhere an apostrophe parts words. */
function isInner(text: string, at: number): boolean {
  return isCyrillicOrHebrew(text.charCodeAt(at - 1)) && isCyrillicOrHebrew(text.charCodeAt(at + 1));
}

function isCyrillicOrHebrew(code: number): boolean {
  return (code >= 0x400 && code < 0x530) || (code >= 0x590 && code < 0x600);
}
