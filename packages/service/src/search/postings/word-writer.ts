import type { DatabaseSync, StatementSync } from "node:sqlite";
import { foldWord } from "@threadlore/language";
import { writesCompounds } from "@threadlore/language/stems";
import type { Lexicon } from "./lexicon.ts";
import { isCorrectable, reversed, shapeOf } from "../word-shape.ts";

/** Writes the words of texts to the vocabulary. */
export class WordWriter {
  readonly #add: StatementSync;
  readonly #addEnding: StatementSync;

  constructor(sqlite: DatabaseSync) {
    this.#add = sqlite.prepare("INSERT OR IGNORE INTO words (word, shape) VALUES (?, ?)");
    this.#addEnding = sqlite.prepare("INSERT OR IGNORE INTO endings (reversed) VALUES (?)");
  }

  /** To be called within a transaction. */
  write(written: ReturnType<Lexicon["fresh"]>): void {
    for (const { language, words } of written) {
      for (const one of words) {
        const word = foldWord(one);
        if (!isCorrectable(word)) continue;
        this.#add.run(word, shapeOf(word));
        if (writesCompounds(language)) this.#addEnding.run(reversed(word));
      }
    }
  }
}
