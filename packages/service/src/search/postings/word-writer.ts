import type { DatabaseSync, StatementSync } from "node:sqlite";
import { foldWord } from "@threadlore/language";
import { writesCompounds } from "@threadlore/language/stems";
import type { Batch } from "./batch.ts";
import { isCorrectable, reversed, shapeOf } from "../word-shape.ts";

/** Words that are remembered as written before all are forgotten. */
const MAX_REMEMBERED = 50_000;

/** Writes the words of texts to the vocabulary. */
export class WordWriter {
  readonly #add: StatementSync;
  readonly #addEnding: StatementSync;
  /** By language, as they are written. */
  readonly #known = new Map<string, Set<string>>();

  constructor(sqlite: DatabaseSync) {
    this.#add = sqlite.prepare("INSERT OR IGNORE INTO words (word, shape) VALUES (?, ?)");
    this.#addEnding = sqlite.prepare("INSERT OR IGNORE INTO endings (reversed) VALUES (?)");
  }

  /** To be called within a transaction. */
  write(written: ReturnType<Batch["written"]>): void {
    for (const { language, words } of written) {
      let known = this.#known.get(language);
      if (known === undefined || known.size > MAX_REMEMBERED) this.#known.set(language, (known = new Set()));
      for (const one of words) {
        if (known.has(one)) continue;
        // A part of a text keeps the whole text in memory, as engines make it.
        known.add(one.split("").join(""));
        const word = foldWord(one);
        if (!isCorrectable(word)) continue;
        this.#add.run(word, shapeOf(word));
        if (writesCompounds(language)) this.#addEnding.run(reversed(word));
      }
    }
  }

  /** What was written last may have been undone. */
  forget(): void {
    this.#known.clear();
  }
}
