import { createHmac, randomBytes } from "node:crypto";
import { createPlacement, hiddenTraits, MAX_OFFERED, type Traits, traitsOf } from "@threadlore/gaps";
import type { ComparedWords, Store } from "@threadlore/inbox";
import type { BookQuestion, ListedGap, MaybeGap, NotedGap, NotedQuestion } from "./book-question.ts";

/** What words are hidden with; made once for all instances, and gone with everything else of the workspace. */
const SECRET = "gaps secret";

const placementOf = (known: readonly ComparedWords[]) =>
  createPlacement(known as readonly { readonly gap: string; readonly traits: Traits }[]);

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
  /** What a question that is alone in its gap may be of, where others may read something of that. */
  async function maybeOf(ref: string, but: string, traits: Traits): Promise<readonly MaybeGap[]> {
    if ((await store.waitingIn(but)).length > 1) return [];
    const found: MaybeGap[] = [];
    for (const gap of placementOf(await store.comparedWords(ref)).maybeOf({ traits }, but)) {
      const words = (await store.waitingIn(gap)).find((one) => one.isShared)?.words;
      const state = (await store.ownGap(gap))?.state;
      if (words !== undefined && state !== undefined && state !== "dismissed")
        found.push({ gap, words, isClosed: state === "closed" });
      if (found.length === MAX_OFFERED) break;
    }
    return found;
  }
  return {
    async note({ words, reason: _reason, ...question }: BookQuestion): Promise<NotedQuestion> {
      const key = await secretOf();
      const hide = (term: string): string =>
        createHmac("sha256", key).update(term).digest("base64url").slice(0, HIDDEN_CHARACTERS);
      // Shared ones, too: one kind of traits is compared with another of its kind alone.
      const traits = hiddenTraits(traitsOf(words), hide);
      const kept = { ...question, ...(question.isShared && { words }) };
      const { isNew: _isNew, ...noted } = await store.saveOwnWaiting(kept, traits, (known) =>
        placementOf(known).placeOf({ traits }),
      );
      return { ...noted, maybe: await maybeOf(question.ref, noted.gap, traits) };
    },
    same(ref: string, gap: string): Promise<NotedGap | undefined> {
      return store.joinOwnGap(ref, gap);
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
