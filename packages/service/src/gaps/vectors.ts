import { all, type Steps, values } from "../store/steps.ts";

/** Vectors that are held: the newest. With 768 numbers each, 15 MB. */
const MAX_HELD = 20_000;
/** Read with one statement. */
const READ_TOGETHER = 500;

/** A vector in a byte for each number, with what it has to be multiplied by. */
interface Held {
  readonly numbers: Int8Array;
  readonly scale: number;
}

/**
 * The vectors of shared questions, in memory: which are close to one is told without reading all of them from the database.
 * Each instance has its own, and reads what was added since it last looked. What it tells are candidates: whether there still
 * is such a question, and how close it is, is looked up.
 */
export class GapVectors {
  readonly #held = new Map<number, Held>();
  #model: string | undefined;
  /** The last change that was read. */
  #last = 0;

  /** Ids of the questions whose vectors are closest; none where the question has no vector. */
  *nearest(
    { model, vector }: { readonly model: string | null; readonly vector: Float32Array | null },
    most: number,
  ): Steps<number[]> {
    if (model === null || vector === null) return [];
    yield* this.#follow(model);
    const found: { id: number; likeness: number }[] = [];
    for (const [id, held] of this.#held) {
      const likeness = product(vector, held);
      if (found.length === most && likeness <= (found.at(-1)?.likeness ?? 0)) continue;
      const at = found.findIndex((one) => one.likeness < likeness);
      found.splice(at === -1 ? found.length : at, 0, { id, likeness });
      if (found.length > most) found.pop();
    }
    return found.map(({ id }) => id);
  }

  *#follow(model: string): Steps<void> {
    if (model !== this.#model) {
      this.#held.clear();
      this.#model = model;
      const [beyond] = yield* values<number>(
        `SELECT change FROM gap_questions WHERE vector IS NOT NULL ORDER BY change DESC LIMIT 1 OFFSET ${MAX_HELD}`,
      );
      this.#last = beyond ?? 0;
    }
    for (let isMore = true; isMore;) {
      const rows: { id: number; vector: Uint8Array; change: number }[] = yield* all(
        `SELECT id, vector, change FROM gap_questions WHERE vector IS NOT NULL AND change > ? AND model = ?
         ORDER BY change LIMIT ${READ_TOGETHER}`,
        this.#last,
        model,
      );
      for (const { id, vector, change } of rows) {
        this.#last = change;
        this.#held.delete(id);
        this.#held.set(id, heldOf(new Float32Array(vector.slice().buffer)));
      }
      isMore = rows.length === READ_TOGETHER;
    }
    for (const id of this.#held.keys()) {
      if (this.#held.size <= MAX_HELD) break;
      this.#held.delete(id);
    }
  }
}

function heldOf(vector: Float32Array): Held {
  const largest = vector.reduce((most, one) => Math.max(most, Math.abs(one)), 0) || 1;
  return { numbers: Int8Array.from(vector, (one) => Math.round((one / largest) * 127)), scale: largest / 127 };
}

function product(vector: Float32Array, { numbers, scale }: Held): number {
  if (numbers.length !== vector.length) return -1;
  let sum = 0;
  for (let at = 0; at < numbers.length; at++) sum += (vector[at] ?? 0) * (numbers[at] ?? 0);
  return sum * scale;
}
