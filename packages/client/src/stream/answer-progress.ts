import type { ErrorPacket, JsonObject, MessageIdsPacket, Packet, PlacedPacket, SessionPacket } from "../models.ts";

/** Follows how far an answer has come: several models can answer at once, each with a stop of its own. */
export class AnswerProgress {
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
