import { jsonSchema, parseJsonEventStream } from "ai";
import type { DecodeFrames } from "../src/decode/decoders.ts";

/** The decoder of the ai SDK; it validates nothing here. */
export const decodeByAiSdk: DecodeFrames = async (body, take) => {
  const reader = parseJsonEventStream({ stream: body, schema: jsonSchema<object>({}) }).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    if (value.success) take(value.value);
  }
};
