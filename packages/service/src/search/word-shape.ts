import { isOfCharacters } from "./analysis.ts";

/** Words with fewer letters are a change away from too many others. */
const LEAST_LETTERS = 4;
const MAX_LETTERS = 40;

/** Letters only: what has a digit is a number or a code, and another one than the one beside it. */
const LETTERS = /^\p{L}[\p{L}\p{M}]*$/u;

/** Whether a folded word may be taken for another one, or be the one that is meant. */
export function isCorrectable(word: string): boolean {
  return word.length >= LEAST_LETTERS && word.length <= MAX_LETTERS && LETTERS.test(word) && !isOfCharacters(word);
}

/** Changes after which a word still counts as the same: one in a short word, two in a longer one. */
export function editsFor(word: string): number {
  return word.length < 8 ? 1 : 2;
}

const LENGTH_SHIFT = 26;

/** A word's length, and which letters it has, in 32 bits. */
export function shapeOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) % LENGTH_SHIFT);
  return ((Math.min(word.length, 63) << LENGTH_SHIFT) | letters) >>> 0;
}

/** Whether words of these shapes can be so few changes apart: each makes two letters differ at the most. */
export function mayBeNear(one: number, other: number, edits: number): boolean {
  if (Math.abs((one >>> LENGTH_SHIFT) - (other >>> LENGTH_SHIFT)) > edits) return false;
  let bits = (one ^ other) & ((1 << LENGTH_SHIFT) - 1);
  for (let left = edits * 2; bits !== 0; left--) {
    if (left === 0) return false;
    bits &= bits - 1;
  }
  return true;
}

/** A word from its end. */
export function reversed(word: string): string {
  return [...word].toReversed().join("");
}
