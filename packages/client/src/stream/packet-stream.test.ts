import { describe, expect, it } from "vitest";
import type { Packet } from "../models.ts";
import { flatten, type Batches } from "./packet-stream.ts";

const said = (content: string): Packet => ({
  placement: { turn_index: 0, tab_index: 0 },
  obj: { type: "message_delta", content },
});

async function* batches(): AsyncGenerator<Packet[], undefined> {
  yield [said("a"), said("b")];
  yield [said("c")];
}

function batchesOf(generator: AsyncGenerator<Packet[], undefined>): Batches {
  return { next: async () => (await generator.next()).value, leave() {} };
}

describe("packets out of batches", () => {
  it("come one by one, also where they are asked for all at once", async () => {
    const packets = flatten(batchesOf(batches()));
    const results = await Promise.all(Array.from({ length: 5 }, () => packets.next()));
    expect(results.map(({ value }) => value)).toEqual([said("a"), said("b"), said("c"), undefined, undefined]);
  });

  it("come no more once the reader left, also where they were already on their way", async () => {
    const arrival = Promise.withResolvers<void>();
    const packets = flatten(
      batchesOf(
        (async function* () {
          await arrival.promise;
          return yield* batches();
        })(),
      ),
    );
    const waiting = packets.next();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const left = packets.return?.();
    arrival.resolve();
    await left;
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await packets.next()).toEqual({ done: true, value: undefined });
  });

  it("end with the error of the stream once, and then for good", async () => {
    const packets = flatten(
      batchesOf(
        (async function* () {
          yield [said("a")];
          throw new TypeError("broke");
        })(),
      ),
    );
    expect((await packets.next()).value).toEqual(said("a"));
    await expect(packets.next()).rejects.toThrow("broke");
    expect((await packets.next()).done).toBe(true);
  });
});
