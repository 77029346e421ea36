import { seededRandom } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { Bitmap } from "./bitmap.ts";
import { encodePostings, PostingsList } from "./postings.ts";
import { countWithin, idsWithin } from "./scope.ts";

/** Some of the ids up to `end`, few or many, by themselves or side by side. */
function someOf(random: () => number, end: number): number[] {
  const ids: number[] = [];
  for (let id = 1; id < end; id += 1 + Math.floor(random() ** 4 * 400)) ids.push(id);
  return ids;
}

function setOf(ids: readonly number[]): Bitmap {
  const set = new Bitmap();
  for (const id of ids) set.add(id);
  return set;
}

describe("a set of passages", () => {
  it("knows of every stretch whether it holds any of it", () => {
    const random = seededRandom(3);
    for (let round = 0; round < 200; round++) {
      const ids = someOf(random, 1 + Math.floor(random() * 2_000));
      const set = setOf(ids);
      for (let stretch = 0; stretch < 20; stretch++) {
        const from = Math.floor(random() * 2_200);
        const to = from + Math.floor(random() ** 2 * 300);
        expect(set.hasAny(from, to), `${from} to ${to} of ${ids.join()}`).toBe(ids.some((id) => id >= from && id < to));
      }
    }
  });

  it("has as many of a term's postings, and the same first ones, as are in both", () => {
    const random = seededRandom(4);
    for (let round = 0; round < 60; round++) {
      const ids = someOf(random, 20_000);
      const within = someOf(random, 20_000).filter((id) => Math.floor(id / 1_500) % 3 === round % 3);
      const postings = { ids: Uint32Array.from(ids), impacts: new Uint8Array(ids.length).fill(1), length: ids.length };
      const list = new PostingsList(encodePostings(postings));
      const both = ids.filter((id) => within.includes(id));
      expect(countWithin(list, setOf(within))).toBe(both.length);
      expect(idsWithin(list, setOf(within), 20)).toEqual(both.slice(0, 20));
    }
  });
});
