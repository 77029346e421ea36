import type { Database } from "../store/sqlite/database.ts";
import { indexOf } from "./hosting/index-host.ts";

/** A passage that has no vector yet. */
export interface Unembedded {
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

/** Passages without a vector of this model, the oldest first. */
export function passagesWithoutVector(db: Database, model: string, limit: number): Unembedded[] {
  const index = indexOf(db);
  return index.watched(() =>
    index.here.sqlite
      .prepare(
        `SELECT id, title, text FROM passages JOIN documents ON number = document
       WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE passage = passages.id AND model = ?) ORDER BY id LIMIT ?`,
      )
      .all(model, limit),
  ) as unknown as Unembedded[];
}

/** Keeps vectors of passages; null: the model refused it. Nothing happens where a passage was replaced meanwhile. */
export async function keepVectors(
  db: Database,
  model: string,
  vectors: Iterable<readonly [Unembedded, Float32Array | null]>,
): Promise<void> {
  const kept = Array.from(vectors, ([{ id }, vector]) => ({ passage: id, model, vector }));
  await indexOf(db).write({ puts: [], removals: [], vectors: kept });
}
