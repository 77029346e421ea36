import type { Answering } from "../hosting/answering.ts";

/** A passage that is looked for in a former index. */
export interface SamePassage {
  readonly document: number;
  /** Position in the document, from 0. */
  readonly ordinal: number;
  readonly title: string;
  readonly text: string;
}

/** What a model made of a text; null: it refused it. */
export interface KnownVector {
  readonly model: string;
  readonly vector: Float32Array | null;
}

/**
 * An index that another one takes the place of. Until that is whole it answers; then it hands on what cannot be made again
 * without asking others, and goes.
 */
export interface Former {
  /** Answers questions as they were answered before; undefined: what it finds may not stand in the documents. */
  readonly answering: Answering | undefined;
  /** Whether it has any vector. */
  readonly hasVectors: boolean;
  /** The vector of the same text in the same place; undefined: it has none. */
  vectorOf(passage: SamePassage): KnownVector | undefined;
  /** Takes some of it away, never holding anything for long. Answers whether there is more; from the first call on nothing
   * else may be asked of it. */
  removeSome(): Promise<boolean>;
  /** Lets go of what is open; it stays where it is. */
  close(): Promise<void>;
}
