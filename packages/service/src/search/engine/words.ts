import type { DatabaseSync, StatementSync } from "node:sqlite";
import { SHAPES_CHUNK } from "../postings/word-writer.ts";
import { slipsBetween } from "../slips.ts";
import { mayBeNear, reversed, shapeOf } from "../word-shape.ts";

/** A word of the vocabulary that is like another one. */
interface NearWord {
  readonly word: string;
  /** Slips by which the other one is written for it (`slipsBetween`). */
  readonly edits: number;
}

/** Words of the vocabulary that have a word for their beginning, or for their end. */
export interface LongerWords {
  /** The next of them in an order of theirs, behind one of them where that is named: at most so many. */
  next(most: number, after?: string): string[];
  /** Whether a word is one of them. */
  has(word: string): boolean;
}

/** Looks words up among those that texts are written with. */
export class Vocabulary {
  readonly #more: StatementSync;
  readonly #word: StatementSync;
  readonly #has: StatementSync;
  readonly #beginning: StatementSync;
  readonly #ending: StatementSync;
  readonly #hasEnding: StatementSync;
  /** By id: words are only ever added. Behind the last there may be zeros, which are no word's. */
  #shapes = new Uint32Array(0);

  constructor(sqlite: DatabaseSync) {
    this.#more = sqlite.prepare("SELECT first, shapes FROM shapes WHERE first >= ? ORDER BY first");
    this.#word = sqlite.prepare("SELECT word FROM words WHERE id = ?");
    this.#has = sqlite.prepare("SELECT 1 FROM words WHERE word = ?");
    this.#beginning = sqlite.prepare("SELECT word FROM words WHERE word > ? AND word < ? ORDER BY word LIMIT ?");
    this.#hasEnding = sqlite.prepare("SELECT 1 FROM endings WHERE reversed = ?");
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
    const shapes = this.#shapes;
    for (let id = 1; id < shapes.length; id++) {
      const one = shapes[id] as number;
      if (one === 0 || !mayBeNear(one, shape, edits)) continue;
      const other = String(this.#word.get(id)?.["word"] ?? "");
      const apart = slipsBetween(word, other, edits);
      if (apart !== undefined && apart > 0) found.push({ word: other, edits: apart });
    }
    return found;
  }

  /** Longer words that begin with this one. */
  beginningWith(word: string): LongerWords {
    const end = `${word}\u{10ffff}`;
    return {
      next: (most, after = word) => this.#beginning.all(after, end, most).map((row) => String(row["word"])),
      has: (other) => other.length > word.length && other.startsWith(word) && this.has(other),
    };
  }

  /** Longer words of languages with compounds that end with this one. */
  endingWith(word: string): LongerWords {
    const end = `${reversed(word)}\u{10ffff}`;
    return {
      next: (most, after = word) =>
        this.#ending.all(reversed(after), end, most).map((row) => reversed(String(row["reversed"]))),
      has: (other) =>
        other.length > word.length && other.endsWith(word) && this.#hasEnding.get(reversed(other)) !== undefined,
    };
  }

  /** Reads what has come: a million words are a few megabytes in some hundred rows. */
  #refresh(): void {
    // The last row may have been added to.
    const from = Math.max(0, this.#shapes.length - SHAPES_CHUNK);
    const rows = this.#more.all(from);
    if (rows.length === 0) return;
    const length = from + rows.length * SHAPES_CHUNK;
    if (length > this.#shapes.length) {
      const shapes = new Uint32Array(length);
      shapes.set(this.#shapes);
      this.#shapes = shapes;
    }
    const bytes = new Uint8Array(this.#shapes.buffer);
    for (const row of rows)
      bytes.set(row["shapes"] as Uint8Array, Number(row["first"]) * Uint32Array.BYTES_PER_ELEMENT);
  }
}
