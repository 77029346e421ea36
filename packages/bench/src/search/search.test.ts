import { describe, expect, it } from "vitest";
import { missedOf } from "../bars.ts";
import { generateCorpus } from "./search-corpus.ts";
import { benchSearch, SEARCH_BARS } from "./search.ts";

const SMALL = { collections: [60], peersUpTo: 60, questions: 3, timed: 4, rounds: 1 };

describe("the search bench", () => {
  it("asks every contestant the same questions, and tells bars that are missed", { timeout: 240_000 }, async () => {
    const { groups } = await benchSearch(SMALL);
    const timed = groups.filter(({ name }) => name.startsWith("time"));
    expect(timed).toHaveLength(1);
    for (const { columns, rows } of groups) {
      expect(rows).toHaveLength(6);
      expect(rows.filter(({ ours }) => ours)).toHaveLength(2);
      for (const { figures } of rows) {
        expect(Object.keys(figures)).toEqual(columns.map(({ title }) => title));
        expect(Object.values(figures).every(Number.isFinite)).toBe(true);
      }
    }
    const measured = ["quality", "time: 10,000 passages, top 10", "time: 100,000 passages, top 10"];
    const withEach = (figure: number) =>
      measured.map((name) => ({
        name,
        columns: [],
        rows: (timed[0]?.rows ?? []).map((row) => ({
          ...row,
          figures: { "nDCG@10": figure, "recall@100": figure, "times the statement": figure },
        })),
      }));
    expect(missedOf(withEach(1), SEARCH_BARS)).toEqual([]);
    expect(missedOf(withEach(6), SEARCH_BARS)).toHaveLength(3);
    expect(missedOf(withEach(0), SEARCH_BARS)).toHaveLength(2);
    expect(missedOf(withEach(Number.NaN), SEARCH_BARS)).toHaveLength(5);
  });

  it("holds a bar that was not measured to be missed", async () => {
    const { missed } = await benchSearch({ ...SMALL, collections: [], questions: 1 });
    expect(missed.filter((words) => words.startsWith("time: "))).toEqual([
      "time: 10,000 passages, top 10: not measured.",
      "time: 10,000 passages, top 10: not measured.",
      "time: 100,000 passages, top 10: not measured.",
    ]);
  });

  it("generates the same text each time, with and without abstracts", () => {
    const document = { id: "1", title: "Wings", text: "Lift is measured . Drag is not . Both are forces ." };
    const abstracts = { documents: [document], questions: ["what is lift ?"], relevant: [new Set(["1"])] };
    for (const given of [undefined, abstracts]) {
      const corpus = generateCorpus(20, given);
      expect(corpus).toEqual(generateCorpus(20, given));
      expect(new Set(corpus.pages.map(({ id }) => id)).size).toBe(20);
      expect(corpus.questions.length).toBeGreaterThan(0);
    }
    expect(generateCorpus(2, abstracts).pages[1]?.text).toContain("Lift");
  });
});
