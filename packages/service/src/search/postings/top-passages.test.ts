import { seededRandom } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { Bitmap } from "./bitmap.ts";
import { decodeBlock, blockRoom, encodePostings, PostingsList } from "./postings.ts";
import { type Scored, topPassages, type WeighedList } from "./top-passages.ts";

interface Given {
  readonly ids: number[];
  readonly impacts: number[];
  readonly weight: number;
}

/** Postings of a term that about `share` of all passages up to `end` hold. */
function givenOf(random: () => number, end: number, share: number): Given {
  const ids: number[] = [];
  for (let id = Math.floor(random() * 3); id < end; id += 1 + Math.floor((random() * 2) / share)) ids.push(id);
  // Few impacts, so that many sums are equal.
  const impacts = ids.map(() => 1 + Math.floor(random() ** 3 * 12) * 20);
  return { ids, impacts, weight: 1 + Math.floor(random() * 5_000) };
}

function listOf({ ids, impacts, weight }: Given): WeighedList {
  const postings = { ids: Uint32Array.from(ids), impacts: Uint8Array.from(impacts), length: ids.length };
  return { list: new PostingsList(encodePostings(postings)), weight };
}

/** Every sum there is, sorted. */
function bruteForce(given: readonly Given[], allowed: (id: number) => boolean, limit: number): Scored[] {
  const sums = new Map<number, number>();
  for (const { ids, impacts, weight } of given) {
    for (const [index, id] of ids.entries()) {
      if (allowed(id)) sums.set(id, (sums.get(id) ?? 0) + (impacts[index] as number) * weight);
    }
  }
  return [...sums]
    .map(([id, sum]) => ({ id, sum }))
    .toSorted((one, other) => other.sum - one.sum || other.id - one.id)
    .slice(0, limit);
}

describe("the best passages", () => {
  it("are those that adding everything up gives, to the last one of equals", () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = seededRandom(seed);
      const end = Math.floor(10 ** (1 + random() * 3.9));
      const given = Array.from({ length: 1 + Math.floor(random() * 7) }, () =>
        givenOf(random, end, 10 ** -(random() * 3)),
      );
      const hidden = random() < 0.3 ? 0 : random();
      const allowed = new Bitmap(end);
      // What is hidden stands between the others, or in long stretches: then whole blocks are left out.
      const stretch = seed % 3 === 0 ? 1 : 10 + Math.floor(random() * 3_000);
      for (let id = 0, isSeen = true; id < end; id++) {
        if (id % stretch === 0) isSeen = random() >= hidden;
        if (isSeen) allowed.add(id);
      }
      for (const limit of [1, 10, 40, 500]) {
        const expected = bruteForce(given, (id) => allowed.has(id), limit);
        expect(topPassages(given.map(listOf), allowed, limit)).toEqual(expected);
      }
    }
  });

  it("are none where no term is held or nothing may be seen", () => {
    const given = givenOf(seededRandom(1), 1_000, 0.5);
    expect(topPassages([], new Bitmap(1_000), 10)).toEqual([]);
    expect(topPassages([listOf(given)], new Bitmap(1_000), 10)).toEqual([]);
  });

  it("are given up when the pause says so", () => {
    const given = givenOf(seededRandom(2), 100_000, 0.5);
    const allowed = new Bitmap(100_000);
    for (let id = 0; id < 100_000; id++) allowed.add(id);
    let pauses = 0;
    const search = (): unknown =>
      topPassages([listOf(given)], allowed, 10, () => {
        if (++pauses === 3) throw new Error("out of time");
      });
    expect(search).toThrow("out of time");
    expect(pauses).toBe(3);
  });
});

describe("postings", () => {
  it("are read as they were written, whatever lies between their ids", () => {
    const random = seededRandom(5);
    for (let round = 0; round < 50; round++) {
      const ids: number[] = [];
      for (let id = Math.floor(random() * 1_000); ids.length < 1_000 && id < 2 ** 32;) {
        ids.push(id);
        id += 1 + Math.floor(2 ** (random() * (round / 2)));
      }
      const impacts = ids.map(() => 1 + Math.floor(random() * 255));
      const { list } = listOf({ ids, impacts, weight: 1 });
      expect(list.length).toBe(ids.length);
      expect(list.end).toBe((ids.at(-1) ?? 0) + 1);
      const room = blockRoom();
      const read: { ids: number[]; impacts: number[] } = { ids: [], impacts: [] };
      for (const [block, at] of list.places.entries()) {
        const count = decodeBlock(list.bytes, at, room);
        read.ids.push(...room.ids.subarray(0, count));
        read.impacts.push(...room.impacts.subarray(0, count));
        expect(list.firsts[block]).toBe(room.ids[0]);
        expect(list.most[block]).toBe(Math.max(...room.impacts.subarray(0, count)));
      }
      expect(read).toEqual({ ids, impacts });
    }
  });
});
