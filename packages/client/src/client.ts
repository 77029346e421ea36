import { AnswerFailedError, InvalidRequestError, PartialAnswerError, ProtocolError } from "./errors/errors.ts";
import { readJson } from "./http/reply-body.ts";
import { withoutSecrets } from "./http/secrets.ts";
import type { ConnectionOptions } from "./http/connection-options.ts";
import type { Call } from "./http/send.ts";
import { createTransport, type OpenReply, type Transport } from "./http/transport.ts";
import {
  ChatFullResponse,
  IngestionDocument,
  IngestionRequest,
  IngestionResponse,
  Owner,
  Section,
  type IngestionRequestInput,
  type Packet,
  type SendMessageInput,
} from "./models.ts";
import { chatCall, messageStream } from "./stream/message-stream.ts";
import { createPacketDecoder, DEFAULT_STREAM_LIMITS, type StreamLimits } from "./stream/packet-decoder.ts";
import { readBatches } from "./stream/packet-stream.ts";
import { DEFAULT_PROFILE, type Profile } from "./profile.ts";
import { requestBody } from "./http/request-body.ts";
import { withDefaults } from "./with-defaults.ts";

/** How a client is made. */
export interface ClientOptions extends ConnectionOptions {
  /** What differs by server; what is absent follows the specification. */
  profile?: Partial<Profile>;
  /** Bounds of a streamed answer; what is absent has its default. */
  limits?: Partial<StreamLimits>;
}

/** What a caller may say about one call. */
export interface CallOptions {
  /**
   * Ends the call: the connection is closed at once, AbortedError is thrown, and nothing comes afterwards. A reason with
   * `leaveRunning: true` leaves an answer being written to be written on: somebody else goes on with it.
   */
  signal?: AbortSignal;
}

/** Chat and ingestion over one connection. */
export interface Client {
  /** As given, in one form: no trailing slash. */
  readonly baseUrl: string;
  readonly profile: Profile;
  /**
   * Sends a message and gives its answer packet by packet as it comes. Nothing is sent before the first packet is asked
   * for. An error line of the server is a packet (`"error" in packet`).
   *
   * Throws PartialAnswerError when the stream ends before the answer does, after everything that came was given. A stop
   * by the signal, or by leaving the loop, closes the connection and calls the server's stop operation where it has one.
   */
  streamMessage(request: SendMessageInput, options?: CallOptions): AsyncIterable<Packet>;
  /**
   * Sends a message and waits for the complete answer, up to five minutes by default. Throws AnswerFailedError, with
   * what was answered by then, when the server accepted the message and could not answer it.
   */
  sendMessage(request: SendMessageInput, options?: CallOptions): Promise<ChatFullResponse>;
  /**
   * Submits a document. With an id, ingestion is repeated after losses, because the same id is the same document;
   * without one, only where nothing was sent. Keep `document_id` of the answer: it can differ from the id sent.
   */
  ingest(request: IngestionRequestInput, options?: CallOptions): Promise<IngestionResponse>;
}

/**
 * Makes a client for one server and key. Nothing is sent yet.
 *
 * Throws InvalidRequestError for a base URL that is none, holds a password, or would send the key over plain HTTP to
 * another machine. Calls throw the subclasses of ClientError.
 */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options);
  const profile = withDefaults(DEFAULT_PROFILE, options.profile);
  const limits = withDefaults(DEFAULT_STREAM_LIMITS, options.limits);

  return {
    baseUrl: transport.baseUrl,
    profile,

    streamMessage: messageStream(transport, limits),

    async sendMessage(request, { signal } = {}) {
      const call = { ...chatCall({ ...request, stream: false }), slow: true, signal };
      const opened = await transport.open(call).catch(explained);
      if (isStreamType(opened.headers)) throw await unaskedStream(opened, transport);
      const reply = await transport.read(opened);
      if (/^\s*data:/.test(reply.text)) throw streamedAllTheSame(reply.status, transport.host);
      const answer = readJson(reply, ChatFullResponse, transport.host);
      if (answer.error_msg == null || answer.error_msg === "") return answer;
      const words = withoutSecrets(answer.error_msg, call.secrets ?? []);
      throw new AnswerFailedError(`The server could not answer: ${words}`, answer.answer, {
        status: reply.status,
        host: transport.host,
      });
    },

    async ingest(request, { signal } = {}) {
      const { body, hasId } = ingestionBody(request);
      const path = profile.ingestionPath;
      const call: Call = { method: "POST", path, json: body, repeatable: hasId, slow: true, signal };
      const reply = await transport.text(call);
      if (reply.status === 200) return readJson(reply, IngestionResponse, transport.host);
      const message = `${transport.host} did not accept the document: status ${reply.status} where 200 means accepted.`;
      throw new ProtocolError(message, { status: reply.status, host: transport.host });
    },
  };
}

function isStreamType(headers: Headers): boolean {
  return (headers.get("content-type") ?? "").toLowerCase().startsWith("text/event-stream");
}

/** What came instead of one complete response. Nobody waits for the end of it: its beginning tells a stream from a page. */
async function unaskedStream(reply: OpenReply, { host, timeouts }: Transport): Promise<unknown> {
  const batches = readBatches(reply, createPacketDecoder({ host }), timeouts);
  try {
    await batches.next();
  } catch (error) {
    if (!(error instanceof PartialAnswerError)) return error;
  } finally {
    batches.leave();
  }
  return streamedAllTheSame(reply.status, host);
}

function streamedAllTheSame(status: number, host: string): ProtocolError {
  const message = `${host} answered with a stream where one complete response was asked for. Ask it for a stream instead; the question may have been stored.`;
  return new ProtocolError(message, { status, host });
}

/** Deployed servers hide why a complete answer could not begin (docs/wire.md, section 1.7). */
function explained(error: unknown): never {
  if (!(error instanceof InvalidRequestError) || !error.message.includes("Message ID is required")) throw error;
  const { status, host = "The server" } = error;
  throw new InvalidRequestError(
    `${host} could not begin an answer: an unknown session, persona, document set or file. Ask for a stream to learn which.`,
    error.issues,
    { host, status },
    { cause: error },
  );
}

function ingestionBody(request: IngestionRequestInput): { body: unknown; hasId: boolean } {
  const { parsed, body } = requestBody(IngestionRequest, request);
  const { source, metadata, id } = parsed.document;
  const document = withoutNulls(Object.assign({}, body["document"], { source, metadata }), IngestionDocument);
  const parts = { sections: Section, primary_owners: Owner, secondary_owners: Owner };
  for (const [name, schema] of Object.entries(parts)) {
    const list = document[name];
    if (Array.isArray(list)) document[name] = list.map((part: object) => withoutNulls(part, schema));
  }
  return { body: { ...withoutNulls(body, IngestionRequest), document }, hasId: id != null && id !== "" };
}

/**
 * The specification makes ingestion's fields optional and none of them nullable but a person's middle initial. What a
 * null means under a key the model does not know is the server's to say.
 */
function withoutNulls(value: object, schema: { shape: object }): Record<string, unknown> {
  const isDropped = (key: string) => key !== "middle_initial" && Object.hasOwn(schema.shape, key);
  return Object.fromEntries(Object.entries(value).filter(([key, member]) => member !== null || !isDropped(key)));
}
