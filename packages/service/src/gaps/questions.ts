import { MAX_GAP_QUESTION } from "@threadlore/client/models";
import { traitsOf } from "@threadlore/gaps";
import type { Embeddings } from "../search/embeddings.ts";
import type { Steps } from "../store/steps.ts";
import type { QuestionToNote } from "./noting.ts";

/** A question before it was looked at. */
export interface RawQuestion extends Pick<QuestionToNote, "names" | "isShared" | "reason" | "askedAt"> {
  readonly words: string;
}

/** A question that was asked here. */
export interface OwnQuestion extends RawQuestion {
  /** Whether what it was asked in is still there. */
  readonly isThere: () => Steps<boolean>;
}

/** So long a vector is waited for, milliseconds; without one words alone decide. */
const VECTOR_MS = 2_000;

/** Looks at a question: what it is about, and where there is an embedding model what it means. Never throws. */
export async function prepared(
  { words, ...rest }: RawQuestion,
  embeddings: Embeddings | undefined,
): Promise<QuestionToNote> {
  const looked = words.slice(0, MAX_GAP_QUESTION).toWellFormed();
  return { ...rest, words: looked, traits: traitsOf(looked), vector: await vectorOf(looked, embeddings) };
}

async function vectorOf(words: string, embeddings: Embeddings | undefined): Promise<QuestionToNote["vector"]> {
  if (embeddings === undefined) return undefined;
  try {
    const [numbers] = await embeddings.embed([words], VECTOR_MS);
    return numbers && { model: embeddings.model, numbers };
  } catch {
    // Search says that the server is not there; a question that was not embedded is compared by its words.
    return undefined;
  }
}
