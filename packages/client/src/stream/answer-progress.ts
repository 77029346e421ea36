import type { JsonObject, Packet } from "../models.ts";

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

  /** Takes note of a packet and gives it back. */
  note<Kind extends Packet>(packet: Kind): Kind {
    const found: Packet = packet;
    this.known++;
    if ("error" in found) this.errors++;
    else if ("obj" in found) {
      const { obj, placement } = found;
      if (obj.type === "chat_heartbeat") this.heartbeats = true;
      // A stop the server itself makes belongs to no model and ends them all.
      if (obj.type === "stop" && typeof placement.model_index === "number") this.#stopped.add(placement.model_index);
      else if (obj.type === "stop") this.#cancelled = true;
    } else if ("user_message_id" in found) this.#models = found.responses?.length || this.#models;
    else if ("chat_session_id" in found) this.sessionId = found.chat_session_id;
    else {
      this.known--;
      this.unknowns++;
      this.firstUnknown ??= found.unknown;
    }
    return packet;
  }
}
