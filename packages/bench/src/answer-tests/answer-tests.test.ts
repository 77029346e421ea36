import { expect, it } from "vitest";
import { benchAnswerTests } from "./answer-tests.ts";

it("the bench of answer tests asks them, finds what was done to documents and filters, and alarms for nothing else", async () => {
  const size = { tests: 12, passages: 60, rounds: 1, regressions: 6, asked: 8 };
  const { groups, missed } = await benchAnswerTests(size);
  const [many, seeded] = groups;
  expect(many?.rows.map(({ figures }) => Number.isFinite(figures["times one after another"]))).toEqual([
    true,
    true,
    true,
  ]);
  expect(seeded?.rows.find(({ name }) => name === "all regressions")?.figures).toEqual({
    seeded: 6,
    found: 6,
    "cause named": 6,
  });
  expect(seeded?.rows.at(-1)?.figures).toEqual({ runs: 8, "false alarms": 0 });
  expect(missed).toEqual([]);
});
