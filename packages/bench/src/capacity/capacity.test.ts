import { expect, it } from "vitest";
import { generateCorpus } from "../search/search-corpus.ts";
import { benchCapacity } from "./capacity.ts";

it(
  "the bench of capacity tells what documents take, and holds connections open while people ask",
  { timeout: 120_000 },
  async () => {
    const pagesOf = async (count: number) => {
      const { pages, questions } = generateCorpus(count, undefined);
      return { pages, questions };
    };
    const size = { collections: [50], connections: 20, askers: 4, lastsMs: 2_000 };
    const { groups, missed } = await benchCapacity({ ...size, pagesOf });
    const [disk, memory] = groups.map(({ rows }) => rows[0]?.figures ?? {});
    expect(disk?.["documents a GB"]).toBeGreaterThan(100);
    expect(memory?.["questions answered"]).toBeGreaterThan(4);
    expect(memory?.["MB asked"]).toBeGreaterThanOrEqual(memory?.["MB connected"] ?? 0);
    expect(missed).toEqual([]);
  },
);
