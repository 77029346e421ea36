import { expect, it } from "vitest";
import { generateCorpus } from "../search/search-corpus.ts";
import { benchInstances } from "./instances.ts";

const SMALL = {
  pagesOf: async (count: number) => generateCorpus(count, undefined),
  collections: [40],
  questions: 3,
  rounds: 1,
  behind: 30,
  runs: 1,
  documents: 20,
  senders: [4],
  instances: [2],
  ingestions: 1,
};

it("the bench of instances measures each part, and refuses one there is not", { timeout: 120_000 }, async () => {
  const { groups } = await benchInstances(SMALL);
  expect(groups.map(({ rows }) => rows.length)).toEqual([2, 1, 2]);
  for (const { columns, rows } of groups) {
    for (const { figures } of rows) {
      expect(Object.keys(figures)).toEqual(columns.map(({ title }) => title));
      expect(Object.values(figures).every(Number.isFinite)).toBe(true);
    }
  }
  await expect(benchInstances({ ...SMALL, only: ["searching"] })).rejects.toThrow("There are: ingestion,");
});
