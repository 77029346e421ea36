import type { DatabaseSync, StatementSync } from "node:sqlite";
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
