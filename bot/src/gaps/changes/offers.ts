import { createHash } from "node:crypto";
import type { PinRecord } from "@threadlore/inbox";
import * as z from "zod";
import type { BotContext } from "../../context.ts";
import { idNamed } from "../still-true/server-names.ts";

/** What somebody was shown: kept answers that a message they had kept may change. No word of either. */
export const Offer = z.object({
  /** To whom alone. */
  to: z.string(),
  /** The message that may change them. */
  channel: z.string(),
  ts: z.string(),
  hash: z.string(),
  /** In the order they were shown; `owner`: whose each is, as the server knows them. */
  kept: z.array(z.object({ id: z.string(), owner: z.nullable(z.string()) })),
});
export type Offer = z.infer<typeof Offer>;

const hashOf = (...parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 24);

/** What is offered of one version of a message is known by; its buttons carry it. */
export const offerRef = ({ channel, ts, hash }: Pick<Offer, "channel" | "ts" | "hash">): string =>
  hashOf(channel, ts, hash);

const offerName = (ref: string): string => `changes:${ref}`;

/** Keeps what is offered; false: that was done before, also by another instance. */
export function keepOffer({ store }: Pick<BotContext, "store">, offer: Offer): Promise<boolean> {
  return store.rememberFirst(offerName(offerRef(offer)), JSON.stringify(offer));
}

/** What was offered; undefined: it is forgotten, or there never was anything. */
export async function findOffer({ store }: Pick<BotContext, "store">, ref: string): Promise<Offer | undefined> {
  const kept = await store.recall(offerName(ref));
  return kept === undefined ? undefined : Offer.parse(JSON.parse(kept));
}

/** A sentence of a message that stands against one of a kept answer. */
interface Against {
  readonly document_id: string;
  readonly says: string;
  readonly kept_says: string;
}

const againstName = ({ channel, ts }: Pick<Offer, "channel" | "ts">, { document_id: id, says, kept_says }: Against) =>
  `changes-said:${hashOf(channel, ts, id, says, kept_says)}`;

/** Whether somebody was asked about these two sentences before: a reply below a message makes another version of the same words. */
export async function wasOffered(
  { store }: Pick<BotContext, "store">,
  message: Pick<Offer, "channel" | "ts">,
  against: Against,
): Promise<boolean> {
  return (await store.recall(againstName(message, against))) !== undefined;
}

/** Whether they were asked whether the message, as it reads now, changes this answer, with whatever sentences. */
export async function wasAskedOf(
  context: Pick<BotContext, "store">,
  { channel, ts, hash }: Pick<PinRecord, "channel" | "ts" | "hash">,
  kept: string,
): Promise<boolean> {
  const offer = hash === undefined ? undefined : await findOffer(context, offerRef({ channel, ts, hash }));
  return offer?.kept.some(({ id }) => idNamed(id) === idNamed(kept)) === true;
}

/** They are asked about them now. */
export async function noteOffered(
  { store }: Pick<BotContext, "store">,
  message: Pick<Offer, "channel" | "ts">,
  shown: readonly Against[],
): Promise<void> {
  for (const against of shown) await store.remember(againstName(message, against), "");
}

/** A kept answer, and a document that may change it, as administrators were shown them. No word of either. */
export const ShownChange = z.object({ kept: z.string(), newer: z.string() });
export type ShownChange = z.infer<typeof ShownChange>;

/**
 * What it is known by, as long as both say the same; its button carries it. A document is the same one also where another of its id
 * came.
 */
export const changeRef = (newer: string, { document_id: id, says, kept_says }: Against): string =>
  hashOf(idNamed(newer), idNamed(id), says, kept_says);

const changeName = (ref: string): string => `changes-shown:${ref}`;

/** Keeps what is shown, so that it can be pressed. */
export async function keepShown({ store }: Pick<BotContext, "store">, ref: string, shown: ShownChange): Promise<void> {
  await store.remember(changeName(ref), JSON.stringify(shown));
}

/** What was shown; undefined: it is forgotten, or there never was anything. */
export async function findShown({ store }: Pick<BotContext, "store">, ref: string): Promise<ShownChange | undefined> {
  const kept = await store.recall(changeName(ref));
  return kept === undefined ? undefined : ShownChange.parse(JSON.parse(kept));
}
