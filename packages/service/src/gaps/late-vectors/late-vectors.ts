import type { Log } from "../../log.ts";
import { startRepeating } from "../../repeated.ts";
import { embedEach, type Embeddings } from "../../search/embeddings.ts";
import { all, run, type Steps } from "../../store/steps.ts";
import type { Store } from "../../store/store.ts";
import { beginChange } from "../counting.ts";

/** From the start to the first look, and from one to the next. Milliseconds. */
const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;
/** Questions sent with one request, and the longest wait for their vectors. */
const AT_ONCE = 32;
const TIMEOUT_MS = 60_000;

/** What vectors are given with. */
interface Giving {
  readonly store: Pick<Store, "read" | "write">;
  readonly embeddings: Embeddings;
  /** Ends what is under way. */
  readonly closing: AbortSignal;
  /** Questions that were refused, or failed while others did not: they are not asked for again. Default: none are known. */
  readonly refused?: Set<number>;
}

interface Unread {
  readonly id: number;
  readonly question: string;
}

/** A server that failed so often, one after the other, is away. */
const MAX_FAILED = 3;

/**
 * Gives shared questions that are compared their vectors where they have none of this model: its server was away when they were
 * noted, or it is another model now. No question changes its gap by it; those that come after are compared with all there are.
 * What the model refuses, or fails on alone, stays without. Throws EmbeddingError where its server cannot be asked.
 */
export async function giveVectors({ refused = new Set(), ...giving }: Giving): Promise<void> {
  const { store, closing } = giving;
  const { model } = giving.embeddings;
  // The oldest first: by their changes the newest stay the newest.
  for (let after = 0; !closing.aborted;) {
    const some = await store.read(unread(model, after));
    const newest = some.at(-1);
    if (newest === undefined) return;
    after = newest.id;
    const asked = some.filter(({ id }) => !refused.has(id));
    const vectors = asked.length === 0 ? [] : await vectorsOf(giving, asked);
    for (const [at, { id }] of asked.entries()) if (vectors[at] === null) refused.add(id);
    await store.write(function* () {
      for (const [at, { id }] of asked.entries()) yield* keep(id, model, vectors[at] ?? null);
    });
  }
}

/**
 * One for each; null: the model takes or answers all but this one; undefined: nobody knows. Where all together fail, each is asked
 * for alone, so that one keeps no other from its own.
 */
async function vectorsOf(
  { embeddings, closing }: Giving,
  some: readonly Unread[],
): Promise<(Float32Array | null | undefined)[]> {
  const embedded = (those: readonly Unread[]) =>
    embedEach(
      embeddings,
      those.map(({ question }) => question),
      TIMEOUT_MS,
      closing,
    );
  try {
    return await embedded(some);
  } catch (error) {
    const vectors: (Float32Array | null | undefined)[] = [];
    let failed = 0;
    for (const one of some) {
      const [vector] = await embedded([one]).catch(() => []);
      failed = vector === undefined ? failed + 1 : 0;
      vectors.push(vector);
      if (failed === MAX_FAILED || closing.aborted) break;
    }
    const last = vectors.findLastIndex((vector) => vector !== undefined);
    if (last < 0) throw error;
    // A server that answers afterwards is not away.
    return vectors.map((vector, at) => (vector === undefined && at < last ? null : vector));
  }
}

function* unread(model: string, after: number): Steps<Unread[]> {
  return yield* all(
    `SELECT id, question FROM gap_questions
     WHERE question IS NOT NULL AND traits IS NOT NULL AND coalesce(model, '') <> ? AND id > ? ORDER BY id LIMIT ${AT_ONCE}`,
    model,
    after,
  );
}

/** Each with a change of its own, by which every instance learns of it; its words may be gone by now. */
function* keep(id: number, model: string, vector: Float32Array | null): Steps<void> {
  if (vector === null) return;
  const { number } = yield* beginChange();
  yield* run(
    "UPDATE gap_questions SET model = ?1, vector = ?2, change = ?3 WHERE id = ?4 AND question IS NOT NULL AND coalesce(model, '') <> ?1",
    model,
    new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
    number,
    id,
  );
}

/** Does so now and then, where there is a model. Answers what ends it. */
export function startGivingVectors({
  log,
  embeddings,
  ...giving
}: Omit<Giving, "embeddings"> & { readonly log: Log; readonly embeddings: Embeddings | undefined }): () => void {
  if (embeddings === undefined) return () => undefined;
  const told = (cause: unknown): void => {
    if (!giving.closing.aborted) log.warn("questions without an answer are compared by their words for now", { cause });
  };
  const refused = new Set<number>();
  return startRepeating(() => giveVectors({ ...giving, embeddings, refused }), {
    firstMs: FIRST_MS,
    everyMs: EVERY_MS,
    told,
  });
}
