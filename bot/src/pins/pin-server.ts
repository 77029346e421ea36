import {
  AbortedError,
  AuthError,
  ClientError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  UnsupportedError,
  WrongBaseUrlError,
} from "@threadlore/client";
import { acknowledge, isFound, newerBy, searchFor } from "@threadlore/client/acknowledgement";
import type { FoundPassage } from "@threadlore/client/deployment";
import type { IngestionDocumentInput } from "@threadlore/client/models";
import { tombstone, type TombstoneFacts } from "@threadlore/documents";
import type { PinRecord } from "@threadlore/inbox";
import type { BotContext } from "../context.ts";
import type { Server } from "../knowledge-server/servers.ts";
import type { Place } from "../slack/read/people.ts";

/** How a call to the server about a kept message ended. */
export type Sent =
  /** `isSeen`: it can be found there. */
  | { readonly kind: "done"; readonly serverId?: string; readonly isSeen?: boolean }
  /** The server said that it took it, and it is not to be found there. */
  | { readonly kind: "unconfirmed"; readonly serverId?: string }
  /** It may work later without anybody doing anything. */
  | { readonly kind: "again"; readonly words: string; readonly at?: number }
  /** Somebody has to do something; `fix`: what whoever runs the bot has to do, for them alone. */
  | { readonly kind: "failed"; readonly words: string; readonly fix?: string };

/** A document on its way to the server. */
export interface Sending {
  readonly document: IngestionDocumentInput;
  /** Null: the server's own default, because whoever runs the bot said so. */
  readonly pair: number | null;
  /** The server is known to have had it, perhaps as it was before. Default false. */
  readonly known?: boolean;
  /** How often it was sent already, as it is, without being found. Default 0. */
  readonly sends?: number;
}

/** Gives a document to the server, and looks whether it is there where the server's reply leaves it open. */
export async function sendDocument(server: Server, sending: Sending, signal?: AbortSignal): Promise<Sent> {
  const { pair, known = false, sends = 0 } = sending;
  const document = newerBy(sending.document, sends);
  let isSeen = false;
  const search = async (query: string): Promise<readonly FoundPassage[] | undefined> => {
    const passages = await searchIn(server, query, signal);
    isSeen = passages !== undefined;
    return passages;
  };
  try {
    const request = { document, ...(pair !== null && { cc_pair_id: pair }) };
    const reply = await server.client.ingest(request, { signal });
    const found = await acknowledge({ reply, document, known, search });
    signal?.throwIfAborted();
    const serverId = reply.document_id;
    return found === "unconfirmed" ? { kind: "unconfirmed", serverId } : { kind: "done", serverId, isSeen };
  } catch (error) {
    return sentBecause(error, pair);
  }
}

/** Whether a document that was sent so often can be found by now. False also where the server cannot be asked. */
export async function canBeFound(server: Server, sending: Sending, signal?: AbortSignal): Promise<boolean> {
  const { known = false, sends = 1 } = sending;
  const document = newerBy(sending.document, sends - 1);
  const passages = await searchIn(server, searchFor(document), signal).catch(() => undefined);
  signal?.throwIfAborted();
  return passages !== undefined && isFound(document, passages, known);
}

function searchIn({ deployment }: Server, query: string, signal: AbortSignal | undefined) {
  return ifOffered(deployment.search({ query, skip_query_expansion: true }, { signal }));
}

/** Undefined: the server does not offer it, or not to this key. */
export async function ifOffered<Found>(call: Promise<Found>): Promise<Found | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof UnsupportedError || error instanceof PermissionError) return undefined;
    throw error;
  }
}

/** Takes a message's document back: deleted where the server can, else replaced by a tombstone under the same id. */
export async function withdrawDocument(
  { servers, self, config, now }: Pick<BotContext, "servers" | "self" | "config" | "now">,
  pin: PinRecord,
  why: TombstoneFacts["why"],
  { place, signal }: { place?: Place; signal?: AbortSignal } = {},
): Promise<Sent> {
  const pair = pin.pair ?? config.pair ?? null;
  try {
    // A message is nobody else's document: it goes from every place it was ever kept in.
    await servers.ingest.deployment.deleteDocument(pin.serverId ?? pin.documentId, { pairId: "all", signal });
    return { kind: "done" };
  } catch (error) {
    // An unknown document is one that is gone already.
    if (error instanceof NotFoundError) return { kind: "done" };
    if (error instanceof UnsupportedError) {
      const kind = place?.kind === "public" ? "public" : "private";
      const channel = { id: pin.channel, name: place?.name ?? "", kind } as const;
      const document = tombstone({ team: self.teamId, channel, ts: pin.ts, why, at: now() });
      const sent = await sendDocument(servers.ingest, { document, pair, known: true }, signal);
      return sent.kind === "unconfirmed" ? { kind: "again", words: NOT_GONE } : sent;
    }
    return sentBecause(error, pair);
  }
}

/** Rejects with what is no answer of the server: an abort, a mistake of ours. */
function sentBecause(error: unknown, pair: number | null): Sent {
  if (!(error instanceof ClientError) || error instanceof AbortedError) throw error;
  const setup = (fix: string): Sent => ({ kind: "failed", words: SETUP, fix });
  if (error instanceof AuthError) return setup(NOT_ACCEPTED);
  if (error instanceof PermissionError) return setup(MAY_NOT);
  if (error instanceof NotFoundError) return setup(unknownPair(pair));
  if (error instanceof UnsupportedError || error instanceof WrongBaseUrlError) return setup(CANNOT);
  if (error instanceof InvalidRequestError) {
    return { kind: "failed", words: "The knowledge server refused this text as it is." };
  }
  if (error instanceof RateLimitError && error.retryAt !== undefined) {
    return { kind: "again", words: LIMITED, at: error.retryAt.getTime() };
  }
  return { kind: "again", words: UNREACHABLE };
}

/** What people are told where only whoever runs the bot can do something. */
export const SETUP = "Whoever runs me has to set up first where messages are kept; I try again by myself.";
const NOT_ACCEPTED =
  "The knowledge server does not accept the key the bot adds documents with: it is wrong, expired or was revoked. " +
  "Set THREADLORE_INGEST_KEY to one that is, and start the bot again.";
const MAY_NOT =
  "The knowledge server does not let the bot add documents: the key may ask, but not add. " +
  "Set THREADLORE_INGEST_KEY to a key that may, and start the bot again.";
const CANNOT =
  "The knowledge server does not take documents at the address it was given. Check it with `threadlore-bot doctor`.";
const NOT_GONE = "The knowledge server does not confirm yet that it can no longer be found. I keep trying.";
const UNREACHABLE = "The knowledge server cannot be reached right now. I keep trying; nothing is lost.";
const LIMITED = "The knowledge server takes no more right now. I try again when it does; nothing is lost.";

function unknownPair(pair: number | null): string {
  const which = pair === null ? "its default place" : `the place for kept messages (pair ${pair})`;
  return `The knowledge server does not know ${which}, or hides it from the key. Set THREADLORE_PAIR to one that exists.`;
}
