import type { DatabaseSync } from "node:sqlite";
import type { IndexFound, IndexQuery, WordCounts } from "../engine/index-query.ts";

/** Whatever questions are answered by. Both throw OutOfTime. */
export interface Answering {
  search(query: IndexQuery): Promise<IndexFound>;
  /** How common words are, folded, over what somebody may see. */
  count(words: readonly string[], visible: readonly number[] | undefined, budgetMs: number): Promise<WordCounts>;
}

/** An index in a file that is open. */
export interface OpenIndex extends Answering {
  readonly here: { readonly sqlite: DatabaseSync };
  /** Whether it has all that was there when it was begun. */
  readonly isWhole: boolean;
  /** Lets go of the file. */
  close(): Promise<void>;
}
