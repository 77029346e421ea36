import type { Hit } from "./hit.ts";
import type { Scope } from "./scope.ts";

/** A passage the index found, without what the store knows of it. */
export type Found = Omit<Hit, "document">;

/**
 * The passages an answer is drawn from, and that words are rare or common in. Whoever does not see everything is
 * answered from a corpus of what they see: how often a word occurs elsewhere tells what is written there.
 */
export interface Corpus {
  /** How many there are. */
  readonly passages: number;
  /** In how many of them a word occurs, in any of its forms, counted no further than `most`. Asks `in_time()`. */
  holding(word: string, most: number): number;
  /**
   * Those of the scope that match any of the terms (words, or words side by side), best first, at most `limit`: BM25,
   * whose parts are counted over the whole corpus. Asks `in_time()`.
   */
  match(terms: readonly string[], scope: Scope, limit: number): readonly Found[];
}

/** Weights of title, heading, text and words about the document. */
export const WEIGHTS = { title: 2, heading: 1.5, text: 1, about: 0.7 } as const;
