import { readable } from "../errors/error-body.ts";
import { PartialAnswerError, ProtocolError, type ClientError, type ReplyFacts } from "../errors/errors.ts";
import { createFraming, type TextEnding } from "./framing.ts";
import { isHotPacket } from "./hot-packets.ts";
import { createKnownDeltas } from "./known-deltas.ts";
import { ErrorPacket, MessageIdsPacket, PlacedPacket, SessionPacket, type JsonObject, type Packet } from "../models.ts";
import { wrongBaseUrl } from "../errors/reply-error.ts";
import { createUtf8Stream } from "./utf8-stream.ts";
import { parseWireJson } from "../http/wire-json.ts";

/** Bounds of a stream. A stream that exceeds one ends with ProtocolError; what came before stands. */
export interface StreamLimits {
  /** Longest single packet, in characters. Default 16,000,000. */
  maxPacketLength: number;
  /** Longest stream, in bytes. Default 64,000,000. */
  maxStreamBytes: number;
}

export const DEFAULT_STREAM_LIMITS: StreamLimits = { maxPacketLength: 16_000_000, maxStreamBytes: 64_000_000 };

/** Where a stream comes from, for the messages of its errors. */
export interface StreamOrigin {
  /** Host and port. */
  host?: string;
  /** The reply's content type. */
  contentType?: string;
}

/** Bytes in, packets out, with no waiting in between. */
export interface PacketDecoder {
  /** Takes the next bytes and gives the packets that are complete now. Gives nothing once `failure` is set. */
  push(bytes: Uint8Array): Packet[];
  /**
   * The stream is over: gives what its unterminated last line held, then decides how it ended. `lost` is what broke the
   * connection, where it did not end by itself.
   */
  finish(lost?: unknown): Packet[];
  /** Set when the stream is not whole: to be thrown after the packets given so far. */
  readonly failure: ClientError | undefined;
  /** Packets of a kind or shape this version does not know. */
  readonly unknownPackets: number;
  /** Packets, events and comments so far: each is a sign of life. */
  readonly signs: number;
  /** The server sends heartbeats, so that long silence means it is gone. */
  readonly heartbeats: boolean;
  /** The session the answer belongs to, where the stream names it. */
  readonly sessionId: string | undefined;
  /** Every model that was to answer has stopped or failed. */
  readonly complete: boolean;
}

/**
 * Makes a decoder of an answer's stream: `data:` frames and line JSON, told line by line (facts: wire section 1.1).
 * `NaN` is read as null; packets of unknown kind or shape are given as `{unknown}` and counted.
 */
export function createPacketDecoder(
  origin: StreamOrigin = {},
  limits: StreamLimits = DEFAULT_STREAM_LIMITS,
): PacketDecoder {
  const { host = "the server", contentType = "no content type" } = origin;
  const facts: ReplyFacts = { status: 200, ...(origin.host === undefined ? {} : { host }) };
  const utf8 = createUtf8Stream();
  const progress = new AnswerProgress();
  const deltas = createKnownDeltas(limits.maxPacketLength);
  const framing = createFraming(limits.maxPacketLength, { take, takeKnown });
  let packets: Packet[] = [];
  let failure: ClientError | undefined;
  let bytesSeen = 0;

  function take(text: string): void {
    if (failure !== undefined) return;
    const value = readObject(text);
    if (value === undefined) {
      failure = new ProtocolError(`${host} sent a packet that is no JSON object. The answer ends there.`, facts);
      return;
    }
    deltas.learn(value, text);
    packets.push(packetOf(value, progress));
  }

  function takeKnown(text: string, from: number, ending: TextEnding): number {
    const packet = failure === undefined ? deltas.read(text, from, ending) : undefined;
    if (packet === undefined) return 0;
    packets.push(progress.placed(packet));
    return deltas.end;
  }

  function push(bytes: Uint8Array): Packet[] {
    packets = [];
    if (failure !== undefined) return packets;
    bytesSeen += bytes.length;
    framing.push(utf8.decode(bytes));
    failure ??= excess() ?? (framing.looksLike === "page" ? wrongBaseUrl(host, 200, facts) : undefined);
    return packets;
  }

  function excess(): ClientError | undefined {
    if (framing.oversized) {
      return new ProtocolError(`${host} sent a packet of more than ${limits.maxPacketLength} characters.`, facts);
    }
    if (bytesSeen <= limits.maxStreamBytes) return undefined;
    return new ProtocolError(`${host} sent a stream of more than ${limits.maxStreamBytes} bytes.`, facts);
  }

  function finish(lost?: unknown): Packet[] {
    packets = [];
    if (failure !== undefined) return packets;
    // Bytes of a character that never came whole belong to a packet that did not either: they are left where they are.
    const tail = framing.finish();
    // A last line that is no JSON was cut in the middle: that makes the answer partial, not the server wrong.
    const cut = tail !== undefined && readObject(tail) === undefined;
    if (tail !== undefined && !cut) take(tail);
    failure ??= verdict(lost, cut);
    return packets;
  }

  function verdict(lost: unknown, cut: boolean): ClientError | undefined {
    if (framing.looksLike === "text") {
      return new ProtocolError(`${host} answered with ${contentType} that is no stream of packets.`, facts);
    }
    if (lost === undefined && !cut && progress.known === 0 && progress.firstUnknown !== undefined) {
      const wrong = notAStream(progress.firstUnknown, host, facts);
      if (wrong !== undefined) return wrong;
    }
    if (lost === undefined ? progress.complete || progress.errors > 0 : progress.complete) return undefined;
    const message = "The answer broke off: the server ended the stream before the answer was finished. Ask again.";
    return new PartialAnswerError(message, facts, lost === undefined ? undefined : { cause: lost });
  }

  return {
    push,
    finish,
    get failure() {
      return failure;
    },
    get unknownPackets() {
      return progress.unknowns;
    },
    get signs() {
      return framing.signs;
    },
    get heartbeats() {
      return progress.heartbeats;
    },
    get sessionId() {
      return progress.sessionId;
    },
    get complete() {
      return progress.complete;
    },
  };
}

/** Tells packets by their keys, `error` first. What is of unknown kind or shape is kept as it came. */
function packetOf(value: JsonObject, progress: AnswerProgress): Packet {
  if (Object.hasOwn(value, "error")) return progress.error(errorPacketOf(value));
  if (isHotPacket(value)) return progress.placed(value);
  if (Object.hasOwn(value, "obj")) {
    const placed = PlacedPacket.safeParse(value);
    if (placed.success) return progress.placed(placed.data);
  } else if (Object.hasOwn(value, "user_message_id")) {
    const ids = MessageIdsPacket.safeParse(value);
    if (ids.success) return progress.ids(ids.data);
  } else if (Object.hasOwn(value, "chat_session_id") && !Object.hasOwn(value, "answer")) {
    // A complete response holds the session's id too; here it would be the wrong thing altogether.
    const session = SessionPacket.safeParse(value);
    if (session.success) return progress.session(session.data);
  }
  return progress.unknown(value);
}

/** An error stays an error whatever its other fields look like. */
function errorPacketOf(value: JsonObject): ErrorPacket {
  const parsed = ErrorPacket.safeParse(value);
  if (parsed.success) return parsed.data;
  const { error } = value;
  const inner = typeof error === "object" && error !== null && "message" in error ? error.message : error;
  return { error: typeof inner === "string" ? inner : "The server reported an error without a readable reason." };
}

function readObject(text: string): JsonObject | undefined {
  try {
    const value = parseWireJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A whole reply of another kind where a stream was due: an error body under status 200, or a complete response. */
function notAStream(value: JsonObject, host: string, facts: ReplyFacts): ProtocolError | undefined {
  if (Object.hasOwn(value, "answer")) {
    return new ProtocolError(`${host} answered with a complete response where a stream was asked for.`, facts);
  }
  const says = value["detail"] ?? value["message"];
  if (says === undefined) return undefined;
  const words = typeof says === "string" ? `: ${readable(says)}` : ".";
  return new ProtocolError(`${host} answered with an error where a stream was due${words}`, facts);
}

/** Follows how far an answer has come: several models can answer at once, each with a stop of its own. */
class AnswerProgress {
  errors = 0;
  known = 0;
  unknowns = 0;
  firstUnknown: JsonObject | undefined;
  heartbeats = false;
  sessionId: string | undefined;
  #models = 1;
  #stopped = new Set<number>();
  #cancelled = false;

  get complete(): boolean {
    return this.#cancelled || this.#stopped.size + this.errors >= this.#models;
  }

  placed(packet: PlacedPacket): Packet {
    this.known++;
    const { obj, placement } = packet;
    if (obj.type === "chat_heartbeat") this.heartbeats = true;
    // A stop the server itself makes belongs to no model and ends them all.
    if (obj.type === "stop" && typeof placement.model_index === "number") this.#stopped.add(placement.model_index);
    else if (obj.type === "stop") this.#cancelled = true;
    return packet;
  }

  error(packet: ErrorPacket): Packet {
    this.known++;
    this.errors++;
    return packet;
  }

  ids(packet: MessageIdsPacket): Packet {
    this.known++;
    if (packet.responses !== undefined && packet.responses.length > 0) this.#models = packet.responses.length;
    return packet;
  }

  session(packet: SessionPacket): Packet {
    this.known++;
    this.sessionId = packet.chat_session_id;
    return packet;
  }

  unknown(value: JsonObject): Packet {
    this.unknowns++;
    this.firstUnknown ??= value;
    return { unknown: value };
  }
}
