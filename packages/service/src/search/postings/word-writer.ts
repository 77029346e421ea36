import type { DatabaseSync, StatementSync } from "node:sqlite";
import { foldWord } from "@threadlore/language";
import { writesCompounds } from "@threadlore/language/stems";
import type { Lexicon } from "./lexicon.ts";
import { isCorrectable, reversed, shapeOf } from "../word-shape.ts";

/** Words whose shapes stand in one row. */
export const SHAPES_CHUNK = 4_096;

/** Writes the words of texts to the vocabulary. */
export class WordWriter {
  readonly #add: StatementSync;
  readonly #addEnding: StatementSync;
  readonly #shapes: StatementSync;
  readonly #putShapes: StatementSync;

  constructor(sqlite: DatabaseSync) {
    this.#add = sqlite.prepare("INSERT OR IGNORE INTO words (word) VALUES (?)");
    this.#addEnding = sqlite.prepare("INSERT OR IGNORE INTO endings (reversed) VALUES (?)");
    this.#shapes = sqlite.prepare("SELECT shapes FROM shapes WHERE first = ?");
    this.#putShapes = sqlite.prepare("INSERT OR REPLACE INTO shapes (first, shapes) VALUES (?, ?)");
  }

  /** To be called within a transaction. */
  write(written: ReturnType<Lexicon["fresh"]>): void {
    const added: { readonly id: number; readonly shape: number }[] = [];
    for (const { language, words } of written) {
      for (const one of words) {
        const word = foldWord(one);
        if (!isCorrectable(word)) continue;
        const { changes, lastInsertRowid } = this.#add.run(word);
        if (changes > 0) added.push({ id: Number(lastInsertRowid), shape: shapeOf(word) });
        if (writesCompounds(language)) this.#addEnding.run(reversed(word));
      }
    }
    this.#addShapes(added);
  }

  #addShapes(added: readonly { readonly id: number; readonly shape: number }[]): void {
    for (const [first, some] of Map.groupBy(added, ({ id }) => id - (id % SHAPES_CHUNK))) {
      const shapes = new Uint32Array(SHAPES_CHUNK);
      const bytes = new Uint8Array(shapes.buffer);
      const row = this.#shapes.get(first);
      if (row !== undefined) bytes.set(row["shapes"] as Uint8Array);
      for (const { id, shape } of some) shapes[id - first] = shape;
      this.#putShapes.run(first, bytes);
    }
  }
}
