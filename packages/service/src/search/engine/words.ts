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

/** Looks words up among those that texts are written with. */
export class Vocabulary {
  readonly #more: StatementSync;
  readonly #word: StatementSync;
  readonly #has: StatementSync;
  readonly #beginning: StatementSync;
  readonly #ending: StatementSync;
  /** By id: words are only ever added. Behind the last there may be zeros, which are no word's. */
  #shapes = new Uint32Array(0);

  constructor(sqlite: DatabaseSync) {
    this.#more = sqlite.prepare("SELECT first, shapes FROM shapes WHERE first >= ? ORDER BY first");
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

  /** Longer words that begin with this one, at most so many. */
  beginningWith(word: string, most: number): string[] {
    return this.#beginning.all(word, `${word}\u{10ffff}`, most).map((row) => String(row["word"]));
  }

  /** Longer words of languages with compounds that end with this one, at most so many. */
  endingWith(word: string, most: number): string[] {
    const start = reversed(word);
    return this.#ending.all(start, `${start}\u{10ffff}`, most).map((row) => reversed(String(row["reversed"])));
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
