import { ErrorPacket, MessageIdsPacket, PlacedPacket, SessionPacket, type JsonObject, type Packet } from "../models.ts";
import type { AnswerProgress } from "./answer-progress.ts";
import { guardOf } from "./model-guard.ts";

/** Whether a value is a placed packet as the model demands. A false says nothing: ask the model. */
export const isPlaced = guardOf(PlacedPacket);

/** Tells packets by their keys, `error` first. What is of unknown kind or shape is kept as it came. */
export function packetOf(value: JsonObject, progress: AnswerProgress): Packet {
  if (Object.hasOwn(value, "error")) return progress.error(errorPacketOf(value));
  if (isPlaced(value)) return progress.placed(value as PlacedPacket);
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
