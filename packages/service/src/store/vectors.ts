import type { Database } from "./database.ts";

/** A passage that has no vector yet. */
export interface Unembedded {
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

/** Passages without a vector of this model, the oldest first. */
export function passagesWithoutVector(db: Database, model: string, limit: number): Unembedded[] {
  const rows = db.all(
    `SELECT id, title, text FROM passages
     WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE passage_id = passages.id AND model = ?) ORDER BY id LIMIT ?`,
    model,
    limit,
  );
  return rows.map((row) => ({ id: Number(row["id"]), title: String(row["title"]), text: String(row["text"]) }));
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

/** How alike two vectors of length 1 are, -1 to 1; null for vectors of different models. */
export function similarity(one: Uint8Array, other: Uint8Array): number | null {
  if (one.byteLength !== other.byteLength) return null;
  const [a, b] = [floatsOf(one), floatsOf(other)];
  let sum = 0;
  for (const [index, value] of a.entries()) sum += value * (b[index] ?? 0);
  return sum;
}

function floatsOf(bytes: Uint8Array): Float32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}
