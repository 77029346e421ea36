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
  /** Somebody has to do something; `permission`: whoever runs the bot. */
  | { readonly kind: "failed"; readonly words: string; readonly permission: boolean };

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
  const failed = (words: string, permission = false): Sent => ({ kind: "failed", words, permission });
  if (error instanceof AuthError || error instanceof PermissionError) return failed(MAY_NOT, true);
  if (error instanceof NotFoundError) return failed(unknownPair(pair), true);
  if (error instanceof UnsupportedError || error instanceof WrongBaseUrlError) return failed(CANNOT, true);
  if (error instanceof InvalidRequestError) return failed("The knowledge server refused this text as it is.");
  if (error instanceof RateLimitError && error.retryAt !== undefined) {
    return { kind: "again", words: LIMITED, at: error.retryAt.getTime() };
  }
  return { kind: "again", words: UNREACHABLE };
}

const MAY_NOT =
  "The knowledge server does not let me add documents: my key may ask, but not add. " +
  "Whoever runs me sets THREADLORE_INGEST_KEY to a key that may, and starts me again; I try again by myself.";
const CANNOT =
  "The knowledge server does not take documents at the address I was given. Whoever runs me can check it with `threadlore-bot doctor`.";
const UNREACHABLE = "The knowledge server cannot be reached right now. I keep trying; nothing is lost.";
const LIMITED = "The knowledge server takes no more right now. I try again when it does; nothing is lost.";

function unknownPair(pair: number | null): string {
  const which = pair === null ? "its default place" : `the place for kept messages (pair ${pair})`;
  return `The knowledge server does not know ${which}, or hides it from my key. Whoever runs me sets THREADLORE_PAIR to one that exists.`;
}
