/** Looking for words in everything that was asked and answered here. */
import { type FoundLine, folded, hasAll, lineWith } from "./found.ts";
import type { KeptConversation } from "./history-store.ts";
import type { ListedConversation } from "./history.ts";

/** Conversations that are read at once. */
const BATCH = 25;

/** A conversation that has the words. */
export interface Hit {
  readonly listed: ListedConversation;
  /** The line they stand in; absent where that is the title. */
  readonly line?: FoundLine;
}

/**
 * Conversations that have all the words in their title, or in all that was said in them; newest first, told as they are
 * found. Of those only the server has, the title is looked at.
 * @param read gives conversations kept here
 */
export async function searchHistory(
  listed: readonly ListedConversation[],
  words: readonly string[],
  read: (ids: readonly string[]) => Promise<readonly (KeptConversation | undefined)[]>,
  { found, stopped }: { readonly found: (hits: readonly Hit[]) => void; readonly stopped: AbortSignal },
): Promise<void> {
  const hits: Hit[] = [];
  for (let at = 0; at < listed.length && !stopped.aborted; at += BATCH) {
    const batch = listed.slice(at, at + BATCH);
    const kept = await read(batch.filter((one) => !one.isRemote).map(({ id }) => id));
    const byId = new Map(kept.flatMap((one) => (one === undefined ? [] : [[one.id, one] as const])));
    for (const one of batch) {
      const hit = hitOf(one, byId.get(one.id), words);
      if (hit !== undefined) hits.push(hit);
    }
    if (!stopped.aborted) found([...hits]);
  }
}

function hitOf(listed: ListedConversation, kept: KeptConversation | undefined, words: readonly string[]) {
  if (hasAll(folded(listed.title), words)) return { listed };
  const said = kept?.turns.map(({ question, answer }) => `${question}\n${answer.text}`).join("\n") ?? "";
  if (!hasAll(folded(`${listed.title}\n${said}`), words)) return undefined;
  const line = lineWith(said, words);
  return { listed, ...(line !== undefined && { line }) };
}
