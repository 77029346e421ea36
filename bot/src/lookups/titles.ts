import type { Answer } from "@threadlore/ask";
import type { BotContext } from "../context.ts";
import { idOf, plainAddress } from "./documents.ts";

const MAX_TITLE = 300;

/** Where it is kept what the document at an address is called. */
const mark = (address: string): string => `titled:${idOf(address)}`;

/**
 * Keeps what the documents are called that an answer cites: many addresses say nothing of what lies there, and a server
 * finds by words. Who may see such a document the server is asked.
 */
export async function rememberTitles({ store }: Pick<BotContext, "store">, { citations }: Answer): Promise<void> {
  for (const { source } of citations) {
    const address = plainAddress(source.link ?? "");
    if (address !== undefined) await store.remember(mark(address), source.title.slice(0, MAX_TITLE));
  }
}

/** What the document at an address (see `plainAddress`) is called, where an answer has cited it. */
export function titleAt({ store }: Pick<BotContext, "store">, address: string): Promise<string | undefined> {
  return store.recall(mark(address));
}
