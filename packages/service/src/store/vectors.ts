import type { Database } from "./sqlite/database.ts";

/** A passage that has no vector yet. */
export interface Unembedded {
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

/** Passages without a vector of this model, the oldest first. */
export function passagesWithoutVector(db: Database, model: string, limit: number): Unembedded[] {
  return db.all(
    `SELECT id, title, text FROM passages
     WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE passage_id = passages.id AND model = ?)
       AND NOT EXISTS (SELECT 1 FROM documents WHERE number = document AND status = 'failed') ORDER BY id LIMIT ?`,
    model,
    limit,
  );
}

/** Keeps a passage's vector; null: the model refused it. Nothing happens when the passage was replaced meanwhile. */
export function keepVector(db: Database, model: string, { id, text }: Unembedded, vector: Float32Array | null): void {
  const bytes = vector === null ? null : new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  db.run(
    `INSERT INTO vectors (passage_id, model, vector) SELECT id, ?, ? FROM passages WHERE id = ? AND text = ?
     ON CONFLICT (passage_id) DO UPDATE SET model = excluded.model, vector = excluded.vector`,
    model,
    bytes,
    id,
    text,
  );
}
