import { createHmac, randomBytes } from "node:crypto";
import { createPlacement, hiddenTraits, type Traits, traitsOf } from "@threadlore/gaps";
import type { Store } from "@threadlore/inbox";
import type { BookQuestion, ListedGap, NotedGap } from "./book-question.ts";

/** What words are hidden with; made once for all instances, and gone with everything else of the workspace. */
const SECRET = "gaps secret";

/** Gaps of the bot's own store: questions compared by their words alone. Of private ones only hidden words are kept. */
export function createOwnGaps(store: Store) {
  let secret: string | undefined;
  async function secretOf(): Promise<string> {
    if (secret !== undefined) return secret;
    const made = randomBytes(32).toString("base64url");
    await store.rememberFirst(SECRET, made);
    secret = (await store.recall(SECRET)) ?? made;
    await store.remember(SECRET, secret, { lasting: true });
    return secret;
  }
  return {
    async note({ words, reason: _reason, ...question }: BookQuestion): Promise<NotedGap> {
      const key = await secretOf();
      const hide = (term: string): string =>
        createHmac("sha256", key).update(term).digest("base64url").slice(0, HIDDEN_CHARACTERS);
      // Shared ones, too: one kind of traits is compared with another of its kind alone.
      const traits = hiddenTraits(traitsOf(words), hide);
      return store.saveOwnWaiting({ ...question, ...(question.isShared && { words }) }, traits, (known) =>
        createPlacement(known as readonly { readonly gap: string; readonly traits: Traits }[]).placeOf({ traits }),
      );
    },
    async close(gap: string, documentId: string): Promise<string> {
      return (await store.changeOwnGap(gap, documentId)) ?? gap;
    },
    async reopen(gap: string): Promise<void> {
      await store.changeOwnGap(gap, undefined);
    },
    /** `own`: of this store alone; else also those of a server that does not list them. */
    list: (most: number, own: boolean): Promise<readonly ListedGap[]> => store.gapsWaitedFor(most, { own }),
  };
}

/** Enough that two words never look alike by chance. */
const HIDDEN_CHARACTERS = 16;
