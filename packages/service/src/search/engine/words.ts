import type { DatabaseSync, StatementSync } from "node:sqlite";
import { isOfCharacters } from "./analysis.ts";

/** Words with fewer letters are a change away from too many others. */
export const LEAST_LETTERS = 4;
const MOST_LETTERS = 40;

/** Letters only: what has a digit is a number or a code, and another one than the one beside it. */
const LETTERS = /^\p{L}[\p{L}\p{M}]*$/u;

/** Whether a folded word may be taken for another one, or be the one that is meant. */
export function isCorrectable(word: string): boolean {
  return word.length >= LEAST_LETTERS && word.length <= MOST_LETTERS && LETTERS.test(word) && !isOfCharacters(word);
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
function mayBeNear(one: number, other: number, edits: number): boolean {
  if (Math.abs((one >>> LENGTH_SHIFT) - (other >>> LENGTH_SHIFT)) > edits) return false;
  let bits = (one ^ other) & ((1 << LENGTH_SHIFT) - 1);
  for (let left = edits * 2; bits !== 0; left--) {
    if (left === 0) return false;
    bits &= bits - 1;
  }
  return true;
}

/** A word of the vocabulary that is like another one. */
interface NearWord {
  readonly word: string;
  /** Letters left out, put in, replaced, or exchanged with the next. */
  readonly edits: number;
}

/** Looks words up among those that texts are written with. */
export class Vocabulary {
  readonly #more: StatementSync;
  readonly #word: StatementSync;
  readonly #has: StatementSync;
  readonly #beginning: StatementSync;
  readonly #ending: StatementSync;
  /** By id: words are only ever added. */
  #shapes = new Uint32Array(1_024);
  #last = 0;

  constructor(sqlite: DatabaseSync) {
    this.#more = sqlite.prepare("SELECT id, shape FROM words WHERE id > ? ORDER BY id");
    this.#word = sqlite.prepare("SELECT word FROM words WHERE id = ?");
    this.#has = sqlite.prepare("SELECT 1 FROM words WHERE word = ?");
    this.#beginning = sqlite.prepare("SELECT word FROM words WHERE word > ? AND word < ? ORDER BY word LIMIT ?");
    this.#ending = sqlite.prepare(
      "SELECT reversed FROM endings WHERE reversed > ? AND reversed < ? ORDER BY reversed LIMIT ?",
    );
  }

  has(word: string): boolean {
    return this.#has.get(word) !== undefined;
  }

  /** Words that are so few changes away. */
  near(word: string, edits: number): NearWord[] {
    this.#refresh();
    const shape = shapeOf(word);
    const found: NearWord[] = [];
    for (let id = 1; id <= this.#last; id++) {
      if (!mayBeNear(this.#shapes[id] as number, shape, edits)) continue;
      const other = String(this.#word.get(id)?.["word"] ?? "");
      const apart = editsBetween(word, other, edits);
      if (apart !== undefined && apart > 0) found.push({ word: other, edits: apart });
    }
    return found;
  }

  /** Longer words that begin with this one, at most so many. */
  beginningWith(word: string, most: number): string[] {
    return this.#beginning.all(word, `${word}\u{10ffff}`, most).map((row) => String(row["word"]));
  }

  /** Longer words of languages with compounds that end with this one, at most so many. */
  endingWith(word: string, most: number): string[] {
    const start = reversed(word);
    return this.#ending.all(start, `${start}\u{10ffff}`, most).map((row) => reversed(String(row["reversed"])));
  }

  #refresh(): void {
    for (const { id, shape } of this.#more.iterate(this.#last)) {
      const at = Number(id);
      if (at >= this.#shapes.length) {
        const more = new Uint32Array(Math.max(at + 1, this.#shapes.length * 2));
        more.set(this.#shapes);
        this.#shapes = more;
      }
      this.#shapes[at] = Number(shape);
      this.#last = at;
    }
  }
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
