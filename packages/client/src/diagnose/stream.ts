import { createConversations } from "../parts/conversations.ts";
import { readable } from "../errors/error-body.ts";
import { evidenceOf, type ServerFinding, found } from "./finding.ts";
import type { ConnectionOptions } from "../http/connection-options.ts";
import type { Transport } from "../http/transport.ts";
import { pathSegment } from "../http/path-segment.ts";

const WHAT = "streaming";
/** An answer this quick says nothing about what stands between. */
const TOO_QUICK_MS = 1_000;
/** What comes at once lies this close together, what a working model writes does not. */
const AT_ONCE_MS = 50;

/**
 * Asks a question and watches how its answer arrives. Servers send the session's line at once and the text as it is
 * written; a proxy that gathers replies lets everything through in one go at the end. The session is deleted again.
 */
export async function checkStream(
  connection: ConnectionOptions,
  transport: Transport,
  question: string,
  signal?: AbortSignal,
): Promise<ServerFinding> {
  const start = performance.now();
  const arrival: Arrival = {};
  let sessionId: string | undefined;
  let refusal: string | undefined;
  try {
    for await (const packet of createConversations(noting(connection, arrival)).streamMessage(
      { message: question },
      signal ? { signal } : {},
    )) {
      if ("error" in packet) refusal = packet.error;
      else if ("chat_session_id" in packet) sessionId = packet.chat_session_id;
    }
  } catch (error) {
    return found(WHAT, false, evidenceOf(error), "Ask again; if it stays, look at what stands between.");
  } finally {
    if (sessionId !== undefined) await forget(transport, sessionId);
  }
  if (refusal !== undefined) {
    const evidence = `The server took the question and could not answer it: ${readable(refusal)}`;
    return found(WHAT, false, evidence, "Look at the server: its model may be down or not set up.");
  }
  const { first = start, last = start } = arrival;
  return judged(last - start, last - first);
}

/** When the first and the last bytes of a reply came: how long a busy machine takes to read them says nothing. */
interface Arrival {
  first?: number;
  last?: number;
}

function noting(connection: ConnectionOptions, arrival: Arrival): ConnectionOptions {
  const send = connection.fetch ?? ((request: Request) => fetch(request));
  return {
    ...connection,
    async fetch(request) {
      const response = await send(request);
      // What came before was a refusal, and this is another attempt.
      arrival.first = undefined;
      const note = new TransformStream<Uint8Array, Uint8Array>(
        {
          transform(bytes, onwards) {
            arrival.last = performance.now();
            arrival.first ??= arrival.last;
            onwards.enqueue(bytes);
          },
        },
        undefined,
        // Whatever has come is taken at once, whether or not it is read yet.
        { highWaterMark: Infinity },
      );
      return response.body === null ? response : new Response(response.body.pipeThrough(note), response);
    },
  };
}

function judged(totalMs: number, spreadMs: number): ServerFinding {
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
  if (spreadMs > AT_ONCE_MS) {
    const evidence = `The answer came bit by bit: the first packet after ${seconds(totalMs - spreadMs)}, the last after ${seconds(totalMs)}.`;
    return found(WHAT, true, evidence);
  }
  if (totalMs < TOO_QUICK_MS) {
    const evidence = `The answer was there after ${seconds(totalMs)}: too quick to tell whether it came bit by bit.`;
    return found(WHAT, "unknown", evidence);
  }
  const evidence = `Nothing came for ${seconds(totalMs)}, then the whole answer at once: something between gathers replies.`;
  const fix = "Turn off response buffering for this path in the proxy (nginx: `proxy_buffering off;`).";
  return found(WHAT, false, evidence, fix);
}

/** Leaves no session behind, where the server lets sessions be deleted. */
async function forget(transport: Transport, sessionId: string): Promise<void> {
  const path = `/chat/delete-chat-session/${pathSegment(sessionId)}`;
  await transport.text({ method: "DELETE", path, repeatable: false }).catch(() => {});
}
