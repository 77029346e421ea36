import type { PinRecord } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";

/** Of several documents of one id the server tells which, behind it. */
const PAIR = / \(pair \d+\)$/;

/** The id of a document that the server names. */
export const idNamed = (named: string): string => named.replace(PAIR, "");

/** The pin of a document that the server names; undefined: it is no pin, or nobody's any more. */
export async function pinNamed({ store }: Pick<BotContext, "store">, named: string): Promise<PinRecord | undefined> {
  return (await store.pinOfDocument(named)) ?? (await store.pinOfDocument(idNamed(named)));
}
