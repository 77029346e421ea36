import { setImmediate } from "node:timers/promises";
import type { Log } from "../log.ts";
import type { Database } from "../store/sqlite/database.ts";
import { type Background, type Pace, startBackground } from "./background.ts";
import { embedEach, EmbeddingError, type Embeddings } from "./embeddings.ts";
import { LostIndex } from "./hosting/index-trouble.ts";
import { awaitsVectors } from "./succession/succession.ts";
import { keepVectors, passagesWithoutVector, type Unembedded } from "./vectors.ts";

/** Passages sent with one request. */
const AT_ONCE = 32;
/** Longest wait for their vectors; small machines take a while. */
const TIMEOUT_MS = 60_000;

/**
 * Gives passages their vectors, in the background. Until then they are found by their words alone. A server that fails is
 * asked again after `retryAfterMs`, 30 s by default.
 */
export function startEmbedder(
  { db, log, embeddings }: { readonly db: Database; readonly log: Log; readonly embeddings: Embeddings },
  { retryAfterMs = 30_000 }: { readonly retryAfterMs?: number } = {},
): Background {
  const work = async ({ stopping }: Pace): Promise<void> => {
    try {
      // Whatever else waits goes first.
      await setImmediate();
      while (!stopping.aborted && !awaitsVectors(db)) {
        const passages = passagesWithoutVector(db, embeddings.model, AT_ONCE);
        if (passages.length === 0) return;
        await keepVectors(db, embeddings.model, await vectorsOf(embeddings, passages, stopping));
      }
    } catch (error) {
      // The running request ends with the service.
      if (!stopping.aborted) throw error;
    }
  };
  const failed = (cause: unknown): void => {
    // That is told already, and nobody's fault here.
    if (cause instanceof LostIndex) return;
    const isOfModel = cause instanceof EmbeddingError;
    log.warn(isOfModel ? "the embedding model could not be asked" : "vectors could not be kept", { cause });
  };
  return startBackground(work, failed, retryAfterMs);
}

/** By passage; null: the model refuses this one. */
async function vectorsOf(embeddings: Embeddings, passages: readonly Unembedded[], signal: AbortSignal) {
  const texts = passages.map(({ title, text }) => `${title}\n${text}`);
  const vectors = await embedEach(embeddings, texts, TIMEOUT_MS, signal);
  return new Map(passages.map((passage, at) => [passage, vectors[at] ?? null]));
}
