import { ErrorPacket, MessageIdsPacket, PlacedPacket, SessionPacket, type JsonObject, type Packet } from "../models.ts";
import { guardOf } from "./model-guard.ts";

/** Whether a value is a placed packet as the model demands. A false says nothing: ask the model. */
export const isPlaced = guardOf(PlacedPacket);

/** Tells packets by their keys, `error` first. What is of unknown kind or shape is kept as it came. */
export function packetOf(value: JsonObject): Packet {
  if (Object.hasOwn(value, "error")) return errorPacketOf(value);
  if (isPlaced(value)) return value as PlacedPacket;
  const isIn = (key: string) => Object.hasOwn(value, key);
  if (isIn("obj")) return PlacedPacket.safeParse(value).data ?? { unknown: value };
  if (isIn("user_message_id")) return MessageIdsPacket.safeParse(value).data ?? { unknown: value };
  // A complete response holds the session's id too; here it would be the wrong thing altogether.
  const isSession = isIn("chat_session_id") && !isIn("answer");
  return (isSession ? SessionPacket.safeParse(value).data : undefined) ?? { unknown: value };
}

/** An error stays an error whatever its other fields look like. */
function errorPacketOf(value: JsonObject): ErrorPacket {
  const parsed = ErrorPacket.safeParse(value);
  if (parsed.success) return parsed.data;
  const { error } = value;
  const inner = typeof error === "object" && error !== null && "message" in error ? error.message : error;
  return { error: typeof inner === "string" ? inner : "The server reported an error without a readable reason." };
}
