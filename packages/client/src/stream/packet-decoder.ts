import { readable } from "../errors/error-body.ts";
import { PartialAnswerError, ProtocolError, type ClientError, type ReplyFacts } from "../errors/errors.ts";
import { wrongBaseUrl } from "../errors/reply-error.ts";
import { isObject, parseWireJson } from "../http/wire-json.ts";
import type { JsonObject, Packet } from "../models.ts";
import { Framing, type TextEnding } from "./framing.ts";
import { type DeltaPattern, patternOf, readKnownDelta } from "./known-deltas.ts";
import { isPlaced, packetOf } from "./packet-from-json.ts";
import { utf8Decoder } from "./utf8-stream.ts";

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

/**
 * Makes a decoder of an answer's stream: `data:` frames and line JSON, told line by line (docs/wire.md, section 1.1).
 * `NaN` is read as null; packets of unknown kind or shape are given as `{unknown}` and counted.
 */
export function createPacketDecoder(
  origin: StreamOrigin = {},
  limits: StreamLimits = DEFAULT_STREAM_LIMITS,
): PacketDecoder {
  return new PacketDecoder(origin, limits);
}

/** Models answer side by side, each in its place and with its thoughts. */
const MAX_PATTERNS = 8;
/** A stream that changes its deltas more often than this has nothing to gain, and each lesson costs two parses. */
const MAX_LESSONS = 100;

/** Bytes in, packets out, with no waiting in between. */
export class PacketDecoder {
  readonly #host: string;
  readonly #contentType: string;
  readonly #facts: ReplyFacts;
  readonly #limits: StreamLimits;
  readonly #utf8 = utf8Decoder();
  readonly #framing: Framing;
  readonly #patterns: DeltaPattern[] = [];
  #lessons = 0;
  #packets: Packet[] = [];
  #bytesSeen = 0;
  #models = 1;
  readonly #stopped = new Set<number>();
  #cancelled = false;
  #errors = 0;
  #known = 0;
  #firstUnknown: JsonObject | undefined;
  /** Packets of a kind or shape this version does not know. */
  unknownPackets = 0;
  /** The server sends heartbeats, so that long silence means it is gone. */
  heartbeats = false;
  /** The session the answer belongs to, where the stream names it. */
  sessionId: string | undefined;
  /** Set when the stream is not whole: to be thrown after the packets given so far. */
  failure: ClientError | undefined;

  constructor({ host, contentType = "no content type" }: StreamOrigin, limits: StreamLimits) {
    this.#host = host ?? "the server";
    this.#contentType = contentType;
    this.#facts = { status: 200, host };
    this.#limits = limits;
    this.#framing = new Framing(limits.maxPacketLength, {
      take: (text) => this.#take(text),
      takeKnown: (text, from, ending) => this.#takeKnown(text, from, ending),
    });
  }

  /** Packets, events and comments so far: each is a sign of life. */
  get signs(): number {
    return this.#framing.signs;
  }

  /** Every model that was to answer has stopped or failed: several can answer at once, each with a stop of its own. */
  get complete(): boolean {
    return this.#cancelled || this.#stopped.size + this.#errors >= this.#models;
  }

  /** Takes the next bytes and gives the packets that are complete now. Gives nothing once `failure` is set. */
  push(bytes: Uint8Array): Packet[] {
    this.#packets = [];
    if (this.failure !== undefined) return this.#packets;
    this.#bytesSeen += bytes.length;
    this.#framing.push(this.#utf8(bytes));
    this.failure ??= this.#excess();
    if (this.#framing.looksLike === "page") this.failure ??= wrongBaseUrl(this.#host, 200, this.#facts);
    return this.#packets;
  }

  /**
   * The stream is over: gives what its unterminated last line held, then decides how it ended. `lost` is what broke the
   * connection, where it did not end by itself.
   */
  finish(lost?: unknown): Packet[] {
    this.#packets = [];
    if (this.failure !== undefined) return this.#packets;
    // Bytes of a character that never came whole belong to a packet that did not either: they are left where they are.
    const tail = this.#framing.finish();
    // A last line that is no JSON was cut in the middle: that makes the answer partial, not the server wrong.
    const cut = tail !== undefined && readObject(tail) === undefined;
    if (tail !== undefined && !cut) this.#take(tail);
    this.failure ??= this.#verdict(lost, cut);
    return this.#packets;
  }

  #take(text: string): void {
    if (this.failure !== undefined) return;
    const value = readObject(text);
    if (value === undefined) {
      this.failure = this.#broken(`sent a packet that is no JSON object. The answer ends there.`);
      return;
    }
    this.#learn(value, text);
    const packet = packetOf(value);
    this.#note(packet);
    this.#packets.push(packet);
  }

  /** Follows how far the answer has come. */
  #note(packet: Packet): void {
    this.#known++;
    if ("error" in packet) this.#errors++;
    else if ("obj" in packet) {
      const { obj, placement } = packet;
      if (obj.type === "chat_heartbeat") this.heartbeats = true;
      // A stop the server itself makes belongs to no model and ends them all.
      if (obj.type === "stop" && typeof placement.model_index === "number") this.#stopped.add(placement.model_index);
      else if (obj.type === "stop") this.#cancelled = true;
    } else if ("user_message_id" in packet) this.#models = packet.responses?.length || this.#models;
    else if ("chat_session_id" in packet) this.sessionId = packet.chat_session_id;
    else {
      this.#known--;
      this.unknownPackets++;
      this.#firstUnknown ??= packet.unknown;
    }
  }

  #takeKnown(text: string, from: number, ending: TextEnding): number {
    if (this.failure !== undefined) return 0;
    const delta = readKnownDelta(this.#patterns, text, from, ending, this.#limits.maxPacketLength);
    if (delta === undefined) return 0;
    // A delta of text neither ends a run nor names anything.
    this.#known++;
    this.#packets.push(delta.packet);
    return delta.end;
  }

  #learn(value: JsonObject, text: string): void {
    const pattern = this.#lessons < MAX_LESSONS ? patternOf(value, text, isPlaced) : undefined;
    if (pattern === undefined) return;
    this.#lessons++;
    this.#patterns.unshift(pattern);
    this.#patterns.length = Math.min(this.#patterns.length, MAX_PATTERNS);
  }

  #excess(): ClientError | undefined {
    const { maxPacketLength, maxStreamBytes } = this.#limits;
    if (this.#framing.oversized) return this.#broken(`sent a packet of more than ${maxPacketLength} characters.`);
    if (this.#bytesSeen <= maxStreamBytes) return undefined;
    return this.#broken(`sent a stream of more than ${maxStreamBytes} bytes.`);
  }

  #verdict(lost: unknown, cut: boolean): ClientError | undefined {
    if (this.#framing.looksLike === "text") {
      return this.#broken(`answered with ${this.#contentType} that is no stream of packets.`);
    }
    if (lost === undefined && !cut && this.#known === 0 && this.#firstUnknown !== undefined) {
      const instead = otherReply(this.#firstUnknown);
      if (instead !== undefined) return this.#broken(instead);
    }
    if (this.complete || (lost === undefined && this.#errors > 0)) return undefined;
    const message = "The answer broke off: the server ended the stream before the answer was finished. Ask again.";
    return new PartialAnswerError(message, this.#facts, lost === undefined ? undefined : { cause: lost });
  }

  #broken(what: string): ProtocolError {
    return new ProtocolError(`${this.#host} ${what}`, this.#facts);
  }
}

/** What a whole reply of another kind is, where a stream was due: an error body under status 200, a complete response. */
function otherReply(value: JsonObject): string | undefined {
  if (Object.hasOwn(value, "answer")) return "answered with a complete response where a stream was asked for.";
  const says = value["detail"] ?? value["message"];
  if (says === undefined) return undefined;
  return `answered with an error where a stream was due${typeof says === "string" ? `: ${readable(says)}` : "."}`;
}

function readObject(text: string): JsonObject | undefined {
  try {
    const value = parseWireJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
