import * as z from "zod";
import type { BotContext } from "../../context.ts";

/** What closed a gap. */
export const Closing = z.object({
  documentId: z.string(),
  title: z.string(),
  /** Of the message that answers it. */
  permalink: z.string(),
  /** User id of whose answer it is. */
  owner: z.string(),
  /** How the answer begins; shown to whoever may read its channel. */
  beginning: z.string().optional(),
});
export type Closing = z.infer<typeof Closing>;

const nameOf = (gap: string): string => `closed gap:${gap}`;

/** Keeps what closed a gap, for everybody who is told of it from now on. */
export async function keepClosing({ store }: Pick<BotContext, "store">, gap: string, closing: Closing): Promise<void> {
  await store.remember(nameOf(gap), JSON.stringify(closing));
}

/** It answers the gap no more. */
export async function dropClosing({ store }: Pick<BotContext, "store">, gap: string): Promise<void> {
  await store.remember(nameOf(gap), "");
}

/** What closed a gap; undefined: nothing, as far as is known. */
export async function closingOf({ store }: Pick<BotContext, "store">, gap: string): Promise<Closing | undefined> {
  const kept = await store.recall(nameOf(gap));
  return kept === undefined || kept === "" ? undefined : Closing.parse(JSON.parse(kept));
}

/** The channel of the message that answers it, by its link; undefined: the link is none of a message. */
export function channelOf({ permalink }: Pick<Closing, "permalink">): string | undefined {
  return /\/archives\/([A-Z0-9]+)\/p\d+/.exec(permalink)?.[1];
}
