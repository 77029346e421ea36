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

/** Changes from one word to another; undefined: more than so many. */
export function editsBetween(one: string, other: string, most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most) return undefined;
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    let least = row;
    for (let at = 1; at <= other.length; at++) {
      const same = one[row - 1] === other[at - 1];
      let edits = Math.min(
        (last[at] as number) + 1,
        (next[at - 1] as number) + 1,
        (last[at - 1] as number) + (same ? 0 : 1),
      );
      const exchanged = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      if (exchanged) edits = Math.min(edits, (before[at - 2] as number) + 1);
      next.push(edits);
      least = Math.min(least, edits);
    }
    if (least > most) return undefined;
    [before, last] = [last, next];
  }
  const edits = last[other.length] as number;
  return edits > most ? undefined : edits;
}
