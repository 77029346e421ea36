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
}

interface Unread {
  readonly id: number;
  readonly question: string;
}

/**
 * Gives shared questions that are compared their vectors where they have none of this model: its server was away when they were
 * noted, or it is another model now. No question changes its gap by it; those that come after are compared with all there are.
 * What the model refuses stays without. Throws EmbeddingError where its server cannot be asked.
 */
export async function giveVectors({ store, embeddings, closing }: Giving): Promise<void> {
  const { model } = embeddings;
  for (let before = Number.MAX_SAFE_INTEGER; !closing.aborted;) {
    const some = await store.read(unread(model, before));
    const oldest = some.at(-1);
    if (oldest === undefined) return;
    before = oldest.id;
    const words = some.map(({ question }) => question);
    const vectors = await embedEach(embeddings, words, TIMEOUT_MS, closing);
    await store.write(function* () {
      for (const [at, { id }] of some.entries()) yield* keep(id, model, vectors[at] ?? null);
    });
  }
}

function* unread(model: string, before: number): Steps<Unread[]> {
  return yield* all(
    `SELECT id, question FROM gap_questions
     WHERE question IS NOT NULL AND traits IS NOT NULL AND coalesce(model, '') <> ? AND id < ? ORDER BY id DESC LIMIT ${AT_ONCE}`,
    model,
    before,
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
  return startRepeating(() => giveVectors({ ...giving, embeddings }), { firstMs: FIRST_MS, everyMs: EVERY_MS, told });
}
