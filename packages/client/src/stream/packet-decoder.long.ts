import { cutBody, listExchanges, loadExchange, ownStreams, seededRandom } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import type { Packet } from "../models.ts";
import { createPacketDecoder } from "./packet-decoder.ts";

function decode(body: Uint8Array, cut: Parameters<typeof cutBody>[1]) {
  const decoder = createPacketDecoder();
  const packets: Packet[] = cutBody(body, cut).flatMap(({ bytes }) => decoder.push(bytes));
  packets.push(...decoder.finish());
  return { packets, outcome: decoder.failure?.outcome ?? "whole", unknown: decoder.unknownPackets };
}

const recorded = listExchanges()
  .map((name) => loadExchange(name))
  .filter(({ response }) => (response.headers["content-type"] ?? "").startsWith("text/event-stream"));
const streams = [...ownStreams.filter(({ streamed }) => streamed), ...recorded].map(
  ({ name, response }) => [name, response.body] as const,
);

describe("every stream there is", () => {
  // The longest of our own is one line of 300 kB, which takes many minutes; `packets.test.ts` cuts it in steps.
  it.each(streams.filter(([, body]) => body.length < 200_000))(
    "%s cut at every byte gives a beginning of its packets",
    (_, body) => {
      const whole = decode(body, "whole");
      for (let at = 0; at < body.length; at++) {
        const { packets, outcome } = decode(body.subarray(0, at), { at: [at >> 1] });
        expect(packets.length).toBeLessThanOrEqual(whole.packets.length);
        // Of a very long stream only the packets at the cut are compared each time; all of them would take an hour.
        const from = body.length < 40_000 ? 0 : Math.max(0, packets.length - 2);
        expect(packets.slice(from)).toEqual(whole.packets.slice(from, packets.length));
        // A broken line is told from a cut one only where more follows it.
        expect(outcome).toMatch(whole.outcome === "protocol" ? /^(partial|protocol)$/ : /^(partial|whole)$/);
      }
    },
  );

  it.each(streams)("%s decodes alike over up to 20,000 random cuts", (_, body) => {
    const whole = decode(body, "whole");
    const random = seededRandom(body.length);
    const rounds = Math.min(20_000, Math.ceil(40_000_000 / body.length));
    for (let round = 0; round < rounds; round++) {
      const seed = Math.floor(random() * 2 ** 31);
      expect(decode(body, { seed, most: 1 + Math.floor(random() ** 3 * 4096) }), `seed ${seed}`).toEqual(whole);
    }
  });
});
