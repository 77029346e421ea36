import type { ErrorPacket, MessageIdsPacket, Packet, PlacedPacket, SessionPacket, UnknownPacket } from "../models.ts";

/** Whether a packet is a step of the run: a piece of the answer, a citation, a search, the stop. */
export function isPlacedPacket(packet: Packet): packet is PlacedPacket {
  return Object.hasOwn(packet, "obj") && !isErrorPacket(packet);
}

/** Whether a packet says that the run failed, and why. */
export function isErrorPacket(packet: Packet): packet is ErrorPacket {
  return Object.hasOwn(packet, "error");
}

/** Whether a packet names the session the server made for the message. */
export function isSessionPacket(packet: Packet): packet is SessionPacket {
  return Object.hasOwn(packet, "chat_session_id");
}

/** Whether a packet names the stored messages. */
export function isMessageIdsPacket(packet: Packet): packet is MessageIdsPacket {
  return Object.hasOwn(packet, "user_message_id");
}

/** Whether a packet is of a kind or shape this version does not know; `packet.unknown` holds it as it came. */
export function isUnknownPacket(packet: Packet): packet is UnknownPacket {
  const keys = Object.keys(packet);
  return keys.length === 1 && keys[0] === "unknown";
}
