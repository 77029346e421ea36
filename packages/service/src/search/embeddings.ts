import { modelServerClient, type ModelSettings } from "../model-server.ts";

/** An embedding model: texts to vectors of length 1. */
export interface Embeddings {
  /** Name of the model; vectors of different models cannot be compared. */
  readonly model: string;
  /**
   * One vector per text, in order. Throws EmbeddingError when the server cannot be reached, refuses, answers something
   * else, takes longer than `timeoutMs`, or the signal is aborted.
   */
  embed(texts: readonly string[], timeoutMs: number, signal?: AbortSignal): Promise<Float32Array[]>;
}

/** The embedding server failed; the message says how. */
export class EmbeddingError extends Error {
  override readonly name = "EmbeddingError";
  /** It answered, and will not take this text whenever it is asked. */
  readonly refused: boolean;

  constructor(message: string, refused: boolean, cause: unknown) {
    super(message, { cause });
    this.refused = refused;
  }
}

/** The embedding model of an OpenAI-compatible server. Its library is loaded with the first text. */
export function embeddingsOf(settings: ModelSettings): Embeddings {
  const { name } = settings;
  return {
    model: name,
    async embed(texts, timeoutMs, signal) {
      const library = await import("openai");
      const client = modelServerClient(library, settings);
      try {
        const { data } = await client.embeddings.create(
          { model: name, input: [...texts], encoding_format: "float" },
          { timeout: timeoutMs, ...(signal && { signal }) },
        );
        const vectors = data.toSorted((one, other) => one.index - other.index).map(({ embedding }) => unit(embedding));
        if (vectors.length !== texts.length || vectors.some((vector) => !vector.every(Number.isFinite))) {
          throw new TypeError("its reply does not hold one vector per text");
        }
        return vectors;
      } catch (error) {
        const status = error instanceof library.APIError ? error.status : undefined;
        const message = error instanceof Error ? error.message : "unknown";
        throw new EmbeddingError(message, [400, 413, 422].includes(status ?? 0), error);
      }
    },
  };
}

/**
 * One vector per text, in order; null: the model refuses this one. Where it refuses a request, each is asked for alone. Throws
 * EmbeddingError as `embed` does for everything else.
 */
export async function embedEach(
  embeddings: Embeddings,
  texts: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<(Float32Array | null)[]> {
  const embedded = (some: readonly string[]) =>
    embeddings.embed(some, timeoutMs, signal).catch((error: unknown) => {
      if (error instanceof EmbeddingError && error.refused) return undefined;
      throw error;
    });
  const together = await embedded(texts);
  if (together !== undefined) return together;
  const alone: (Float32Array | null)[] = [];
  for (const text of texts) alone.push((await embedded([text]))?.[0] ?? null);
  return alone;
}

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}
