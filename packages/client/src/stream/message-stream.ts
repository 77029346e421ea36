import { leavesRunning } from "../delay.ts";
import { wrongBaseUrl } from "../errors/reply-error.ts";
import { requestBody } from "../http/request-body.ts";
import { withoutSecrets } from "../http/secrets.ts";
import type { Call } from "../http/send.ts";
import type { OpenReply, Transport } from "../http/transport.ts";
import { type Packet, SendMessageRequest, type SendMessageInput } from "../models.ts";
import { createPacketDecoder, type PacketDecoder, type StreamLimits, type StreamOrigin } from "./packet-decoder.ts";
import { type Batches, flatten, openLater, readBatches, STREAM_TYPES } from "./packet-stream.ts";

/**
 * Sends messages and gives their answers packet by packet, over one connection: `streamMessage` of the client, which says
 * how it ends.
 */
export function messageStream(
  transport: Transport,
  limits: StreamLimits,
): (request: SendMessageInput, options?: { signal?: AbortSignal }) => AsyncIterable<Packet> {
  function answerTo(request: SendMessageInput, given: AbortSignal | undefined): Batches {
    let decoder: PacketDecoder | undefined;
    const open = async (signal: AbortSignal) => {
      const reply = await transport.open({ ...chatCall(withoutStream(request)), accept: STREAM_TYPES, signal });
      decoder = createPacketDecoder(streamOrigin(reply, transport.host), limits);
      return readBatches(reply, decoder, transport.timeouts);
    };
    return openLater(open, given, (stopped) => {
      // A closed connection does not end a run on deployed servers: left alone, it is finished and stored.
      const sessionId = decoder?.sessionId ?? request.chat_session_id;
      if (stopped && !leavesRunning(given) && decoder?.complete !== true && sessionId != null)
        stopRun(transport, sessionId);
    });
  }

  return (request, { signal } = {}) => flatten(withoutSecretsOf(request, answerTo(request, signal)));
}

/** Where a stream comes from. A web page is no stream: closed unread, it throws WrongBaseUrlError. */
function streamOrigin(reply: OpenReply, host: string): StreamOrigin {
  const contentType = reply.headers.get("content-type") ?? "no content type";
  if (!contentType.toLowerCase().startsWith("text/html")) return { host, contentType };
  reply.close();
  throw wrongBaseUrl(host, reply.status, { status: reply.status, host });
}

/** A message as it is sent; not repeatable, whatever it asks for. */
export function chatCall(request: SendMessageInput): Call {
  const { parsed, body } = requestBody(SendMessageRequest, request);
  const secrets = Object.values(parsed.mcp_headers ?? {});
  return { method: "POST", path: "/chat/send-chat-message", json: body, repeatable: false, secrets };
}

/** Error lines repeat what a tool's server said, and with it the headers it was sent. */
function withoutSecretsOf({ mcp_headers: headers }: SendMessageInput, batches: Batches): Batches {
  const secrets = Object.values(headers ?? {});
  if (secrets.length === 0) return batches;
  const clean = (_key: string, value: unknown) => (typeof value === "string" ? withoutSecrets(value, secrets) : value);
  const cleaned = (packet: Packet) =>
    "error" in packet ? (JSON.parse(JSON.stringify(packet), clean) as Packet) : packet;
  return {
    next: async () => (await batches.next())?.map(cleaned),
    leave: () => batches.leave(),
  };
}

/** The stop operation, where the server has it. Best effort: nobody waits for it and its failure is no news. */
function stopRun(transport: Transport, sessionId: string): void {
  const path = `/chat/stop-chat-session/${encodeURIComponent(sessionId)}`;
  const signal = AbortSignal.timeout(STOP_MS);
  transport.text({ method: "POST", path, repeatable: false, signal }).catch(() => {});
}

const STOP_MS = 10_000;

/** A stream is what servers give when nothing is said. */
function withoutStream(request: SendMessageInput): SendMessageInput {
  const { stream, ...rest } = request;
  return stream === undefined ? request : rest;
}
