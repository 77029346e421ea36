import { describe, expect, it } from "vitest";
import { generateCorpus } from "./search-corpus.ts";
import { benchSearch, missedBars } from "./search.ts";

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
    const large = timed.map((group) => ({ ...group, name: "time: 10,000 passages, top 10" }));
    const withEach = (figure: number) =>
      large.map((group) => ({
        ...group,
        rows: group.rows.map((row) => ({
          ...row,
          figures: Object.fromEntries(group.columns.map(({ title }) => [title, figure])),
        })),
      }));
    expect(missedBars(withEach(1))).toEqual([]);
    expect(missedBars(withEach(6))).toHaveLength(2);
    expect(missedBars(withEach(Number.NaN))).toHaveLength(2);
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
