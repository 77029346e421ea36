import { jsonSchema, parseJsonEventStream } from "ai";
import type { DecodeFrames } from "../src/peers.ts";

/** The decoder of the ai SDK; it validates nothing here. */
export const decodeByAiSdk: DecodeFrames = async (body, onPacket) => {
  const reader = parseJsonEventStream({ stream: body, schema: jsonSchema<object>({}) }).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    if (value.success) onPacket(value.value);
  }
};
