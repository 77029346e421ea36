import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Bitmap } from "../postings/bitmap.ts";

/** A question's vector, and the model it is of. */
export interface Meaning {
  readonly model: string;
  readonly vector: Float32Array;
}

/** A passage that means something like the question. */
interface Meant {
  readonly id: number;
  /** Cosine, -1 to 1. */
  readonly similarity: number;
}

/** How like a question's vector the passages of a scope are. */
export interface MeantPassages {
  /** The best first. */
  readonly best: readonly Meant[];
  readonly of: ReadonlyMap<number, number>;
  readonly mean: number;
}

/** Passages that are ranked by meaning: every one is like the question to some degree, so the rest says little. */
const MEANT = 50;

/** Compares a question's vector with those of passages. */
export class Meanings {
  readonly #vectors: StatementSync;

  constructor(sqlite: DatabaseSync) {
    this.#vectors = sqlite.prepare("SELECT passage, vector FROM vectors WHERE model = ? AND vector IS NOT NULL");
  }

  /** Looks at each vector there is, so its time grows with their number. Asks `inTime`. */
  compare({ model, vector }: Meaning, allowed: Bitmap, inTime: () => void): MeantPassages {
    const found: Meant[] = [];
    let sum = 0;
    for (const row of this.#vectors.iterate(model)) {
      const id = Number(row["passage"]);
      if ((id & 63) === 0) inTime();
      const bytes = row["vector"] as Uint8Array;
      if (!allowed.has(id) || bytes.byteLength !== vector.byteLength) continue;
      const similarity = cosine(vector, bytes);
      sum += similarity;
      found.push({ id, similarity });
    }
    const best = found
      .filter(({ similarity }) => similarity > 0)
      .toSorted((one, other) => other.similarity - one.similarity || one.id - other.id)
      .slice(0, MEANT);
    return {
      best,
      of: new Map(found.map(({ id, similarity }) => [id, similarity])),
      mean: found.length === 0 ? 0 : sum / found.length,
    };
  }
}

function cosine(one: Float32Array, bytes: Uint8Array): number {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const other = new Float32Array(aligned.buffer, aligned.byteOffset, one.length);
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] as number) * (other[index] as number);
  return sum;
}
