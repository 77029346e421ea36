import type { Log } from "../log.ts";
import type { Embeddings } from "../search/embeddings.ts";
import type { Store } from "../store/store.ts";
import { GapComparison } from "./comparison.ts";
import { noteQuestion, type Noted } from "./noting.ts";
import { prepared, type RawQuestion } from "./questions.ts";

/** What gaps work with. */
export interface GapParts {
  readonly store: Store;
  readonly log: Log;
  readonly now: () => number;
  readonly embeddings: Embeddings | undefined;
}

/** The gaps of a service. */
export interface Gaps {
  /** Notes a question; it is on the disk when this resolves. */
  note(question: RawQuestion): Promise<Noted>;
}

/** Opens the gaps of a service. */
export function openGaps({ store, embeddings }: GapParts): Gaps {
  const comparison = new GapComparison(embeddings?.model);
  return {
    async note(question) {
      const ready = await prepared(question, embeddings);
      await comparison.catchUp(store);
      return store.write(() => noteQuestion(ready, comparison));
    },
  };
}
