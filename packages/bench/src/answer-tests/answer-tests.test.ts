import { expect, it } from "vitest";
import { benchAnswerTests, benchRegressions } from "./answer-tests.ts";

it("the bench of answer tests asks them, and times the same questions without them", async () => {
  const { groups, missed } = await benchAnswerTests({ tests: 12, passages: 60, rounds: 1 });
  const figures = groups.flatMap(({ rows }) => rows.map((row) => row.figures));
  expect(figures).toHaveLength(3);
  for (const row of figures) {
    expect(row["times one after another"]).toBeGreaterThan(0);
    expect(row["service CPU s"]).toBeGreaterThan(0);
  }
  expect(missed).toEqual([]);
});

it("the bench of regressions finds what was done to documents and filters, and alarms for nothing else", async () => {
  const { groups, missed } = await benchRegressions({ regressions: 6, asked: 8 });
  const [seeded] = groups;
  expect(seeded?.rows.find(({ name }) => name === "all regressions")?.figures).toEqual({
    seeded: 6,
    found: 6,
    "cause named": 6,
  });
  expect(seeded?.rows.at(-1)?.figures).toEqual({ runs: 8, "false alarms": 0 });
  expect(missed).toEqual([]);
});
