import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { KnownVector, SamePassage } from "./former.ts";

/** Statements over the tables of a former index. */
interface FormerSql {
  /** `id` and `ordinal` of a document's passages. */
  readonly places: string;
  /** `model` and `vector` of a passage by its id, title and text. */
  readonly vector: string;
  /** A row where there is any vector. */
  readonly any: string;
}

/** Reads vectors of a former index. */
export class FormerVectors {
  readonly #places: StatementSync;
  readonly #vector: StatementSync;
  /** Whether there is any. */
  readonly any: boolean;
  /** Of the document that was asked for last: its passages by their ordinal. */
  #last: { readonly document: number; readonly ids: ReadonlyMap<number, number> } | undefined;

  constructor(sqlite: DatabaseSync, sql: FormerSql) {
    this.#places = sqlite.prepare(sql.places);
    this.#vector = sqlite.prepare(sql.vector);
    this.any = sqlite.prepare(sql.any).get() !== undefined;
  }

  find({ document, ordinal, title, text }: SamePassage): KnownVector | undefined {
    if (!this.any) return undefined;
    if (this.#last?.document !== document) {
      const rows = this.#places.all(document) as unknown as { readonly id: number; readonly ordinal: number }[];
      this.#last = { document, ids: new Map(rows.map((row) => [row.ordinal, row.id])) };
    }
    const id = this.#last.ids.get(ordinal);
    const row = id === undefined ? undefined : this.#vector.get(id, title, text);
    if (row === undefined) return undefined;
    const bytes = row["vector"] as Uint8Array | null;
    // A copy: of what SQLite gives, the beginning need not lie where numbers may.
    return { model: String(row["model"]), vector: bytes === null ? null : new Float32Array(bytes.slice().buffer) };
  }
}
