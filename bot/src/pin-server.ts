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
import type { IngestionDocumentInput } from "@threadlore/client/models";
import { contentHash, tombstone, type TombstoneFacts } from "@threadlore/documents";
import type { Server, Servers } from "./context.ts";

/** How a call to the server about a kept message ended. */
export type Sent =
  | { readonly kind: "done"; readonly serverId?: string }
  /** It may work later without anybody doing anything. */
  | { readonly kind: "again"; readonly words: string; readonly at?: number }
  /** Somebody has to do something; `fix`: what whoever runs the bot has to do, for them alone. */
  | { readonly kind: "failed"; readonly words: string; readonly fix?: string };

/** The server to which documents are given: with the key for it, else with the channel's, which may be refused. */
export function keepingServer(servers: Servers): Server {
  return servers.ingest ?? servers.channel;
}

/** Equal: the server has it already. */
export function hashOf(document: IngestionDocumentInput, pair: number | null): Promise<string> {
  return contentHash(JSON.stringify([document, pair]));
}

/** Gives a document to the server. `pair` null: the server's own default, because whoever runs the bot said so. */
export async function sendDocument(
  server: Server,
  { document, pair }: { document: IngestionDocumentInput; pair: number | null },
  signal?: AbortSignal,
): Promise<Sent> {
  try {
    const request = { document, ...(pair !== null && { cc_pair_id: pair }) };
    const { document_id: serverId } = await server.client.ingest(request, signal && { signal });
    return { kind: "done", ...(serverId !== undefined && { serverId }) };
  } catch (error) {
    return sentBecause(error, pair);
  }
}

/** Takes a document back: deleted where the server can, else replaced by a tombstone under the same id. */
export async function withdrawDocument(
  server: Server,
  { serverId, stone, pair }: { serverId: string; stone: TombstoneFacts; pair: number | null },
  signal?: AbortSignal,
): Promise<Sent> {
  try {
    // A message is nobody else's document: it goes from every place it was ever kept in.
    await server.deployment.deleteDocument(serverId, { pairId: "all", ...(signal && { signal }) });
    return { kind: "done" };
  } catch (error) {
    // An unknown document is one that is gone already.
    if (error instanceof NotFoundError) return { kind: "done" };
    if (error instanceof UnsupportedError) return sendDocument(server, { document: tombstone(stone), pair }, signal);
    return sentBecause(error, pair);
  }
}

/** Rejects with what is no answer of the server: an abort, a mistake of ours. */
function sentBecause(error: unknown, pair: number | null): Sent {
  if (!(error instanceof ClientError) || error instanceof AbortedError) throw error;
  const setup = (fix: string): Sent => ({ kind: "failed", words: SETUP, fix });
  if (error instanceof AuthError || error instanceof PermissionError) return setup(MAY_NOT);
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
const MAY_NOT =
  "The knowledge server does not let the bot add documents: the key may ask, but not add. " +
  "Set THREADLORE_INGEST_KEY to a key that may, and start the bot again.";
const CANNOT =
  "The knowledge server does not take documents at the address it was given. Check it with `threadlore-bot doctor`.";
const UNREACHABLE = "The knowledge server cannot be reached right now. I keep trying; nothing is lost.";
const LIMITED = "The knowledge server takes no more right now. I try again when it does; nothing is lost.";

function unknownPair(pair: number | null): string {
  const which = pair === null ? "its default place" : `the place for kept messages (pair ${pair})`;
  return `The knowledge server does not know ${which}, or hides it from the key. Set THREADLORE_PAIR to one that exists.`;
}
