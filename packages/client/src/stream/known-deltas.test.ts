import { cutBody } from "@threadlore/testkit";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patternOf, readKnownDelta } from "./known-deltas.ts";
import { guardOf } from "./model-guard.ts";
import { type JsonObject, type Packet, PlacedPacket } from "../models.ts";
import { createPacketDecoder } from "./packet-decoder.ts";

const encoder = new TextEncoder();

function decode(body: string, cut: Parameters<typeof cutBody>[1] = "whole") {
  const decoder = createPacketDecoder();
  const packets: Packet[] = cutBody(encoder.encode(body), cut).flatMap(({ bytes }) => decoder.push(bytes));
  packets.push(...decoder.finish());
  return { packets, outcome: decoder.failure?.outcome, unknown: decoder.unknownPackets };
}

/** What stands around a delta's text, as servers print it and as no server should. */
const surroundings = fc.constantFrom(
  ['{"placement": {"turn_index": 2, "model_index": 0}, "obj": {"type": "message_delta", "content": "', '"}}'],
  ['{"placement":{"turn_index":2,"tab_index":1},"obj":{"type":"message_delta","content":"', '"}}'],
  ['{"placement": {"turn_index": 0, "tab_index": 0}, "obj": {"type": "reasoning_delta", "reasoning": "', '"} }'],
  ['{"placement": {"turn_index": 1, "tab_index": 0}, "obj": {"type": "message_delta", "content": "', '"}}\r'],
  ['{"placement": {"turn_index": 1, "tab_index": 0},\t"obj": {"type": "message_delta", "content": "', '"}}'],
  ['{"placement": {"turn_index": 1, "tab_index": 0, "later": "content"}, "obj": {"type": "message_delta", "content": "', '"}}'],
  ['{"placement": {"turn_index": 1, "tab_index": 0, "later": {}}, "obj": {"type": "message_delta", "content": "', '"}}'],
  ['{"placement": {"turn_index": 1, "tab_index": 0, "__proto__": "x"}, "obj": {"type": "message_delta", "content": "', '"}}'],
  ['{"obj": {"type": "message_delta", "content": "x"}, "placement": {"turn_index": 1, "tab_index": 0, "content": "', '"}}'],
  ['{"placement": {"turn_index": 1, "tab_index": 0}, "obj": {"type": "message_delta", "content": "x", "5": "', '"}}'],
  ['{"placement": {"turn_index": 1, "tab_index": 0}, "obj": {"type": "message_delta", "content": "x", "content": "', '"}}'],
  ['{"placement": {"turn_index": 1, "tab_index": 0}, "obj": {"content": "x", "type": "', '"}}'],
  ['{"placement": {"turn_index": 1, "tab_index": 0}, "error": "e", "obj": {"type": "message_delta", "content": "', '"}}'],
); // prettier-ignore

/** What can stand between the quotation marks; not all of it may. */
const written = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => JSON.stringify(text).slice(1, -1)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("x", "message_delta", '\\"}}', '\\"content\\": \\"', "content", "\\ud83d", "\\u00e9 \\n", "\\x", "\\", "\t", "\r", '"', '"}}', "…", "NaN"),
  },
); // prettier-ignore

const streams = fc.tuple(
  fc
    .uniqueArray(surroundings, { minLength: 1, maxLength: 3 })
    .chain((few) => fc.array(fc.tuple(fc.constantFrom(...few), written), { minLength: 2, maxLength: 12 })),
  fc.constantFrom(["", "\n"], ["data: ", "\n\n"], ["data:", "\n\n"], ["data: ", "\r\n\r\n"], ["id: 1\ndata: ", "\n\n"]),
);

describe("deltas that are known by what stands around their text", () => {
  it("are read as they would be parsed, in any framing and cut anywhere", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(streams, fc.nat(), ([deltas, [before = "", after = ""]], seed) => {
        const frames = deltas.map(([[begin = "", end = ""], text]) => `${before}${begin}${text}${end}${after}`);
        const expected: Packet[] = [];
        // A decoder that has seen nothing knows nothing.
        for (const frame of frames) {
          const { packets, outcome } = decode(frame);
          expected.push(...packets);
          if (outcome === "protocol" || (packets.length === 0 && before === "")) break;
        }
        const whole = decode(frames.join(""));
        expect(whole.packets).toEqual(expected);
        expect(decode(frames.join(""), { seed })).toEqual(whole);
      }),
      { numRuns: 400 },
    );
  });

  it("are known from the second one on, until they change", () => {
    const delta = (content: string, turn: number) =>
      JSON.stringify({
        placement: { turn_index: turn, tab_index: 0 },
        obj: { type: "message_delta", content },
      });
    const first = delta("one", 0);
    expect(readKnownDelta([], `${first}\n`, 0, "\n", 1_000)).toBeUndefined();
    const pattern = patternOf(JSON.parse(first) as JsonObject, first, guardOf(PlacedPacket));
    const patterns = pattern === undefined ? [] : [pattern];
    const read = (text: string, from: number, ending: "\n" | "\n\n") =>
      readKnownDelta(patterns, text, from, ending, 1_000);
    const second = delta('two and "three" and ü', 0);
    expect(read(`…${second}\n`, 1, "\n")).toEqual({ packet: JSON.parse(second), end: second.length + 2 });
    expect(read(second, 0, "\n")).toBeUndefined();
    expect(read(`${second}\n`, 0, "\n\n")).toBeUndefined();
    expect(read(`${second}\n\n`, 0, "\n\n")?.end).toBe(second.length + 2);
    expect(read(`${delta("x".repeat(1_000), 0)}\n`, 0, "\n")).toBeUndefined();
    expect(read(`${delta("four", 1)}\n`, 0, "\n")).toBeUndefined();
  });

  it("are objects of their own", () => {
    const line = '{"placement": {"turn_index": 0, "tab_index": 0}, "obj": {"type": "message_delta", "content": "a"}}\n';
    const placements = decode(line.repeat(3)).packets.map((packet) => "placement" in packet && packet.placement);
    expect(new Set(placements).size).toBe(3);
  });
});
