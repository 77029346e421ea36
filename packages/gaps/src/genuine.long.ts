/** What grouping comes to with a model there is. */
import { beforeAll, describe, expect, it } from "vitest";
import { figuresIn, groupedOften, type QuestionFile, trueGaps, type VectorOf } from "./evaluation.harness.ts";
import { genuineOf } from "./genuine.harness.ts";

const ORDERS = 4;
const WRONG = 0.05;

describe.each([
  { set: ["people", "people-kept-back"], least: 0.9 },
  // An English model; what has a twin, and shares no word with its kind, it tells apart no better.
  { set: ["asked", "kept-back"], least: 0.7 },
] as const)("with a small model of sentences and whoever asked, the questions of $set", ({ set, least }) => {
  const gaps = set.flatMap((file: QuestionFile) => trueGaps(file));
  let vectorOf: VectorOf;
  beforeAll(async () => {
    vectorOf = await genuineOf(gaps);
  }, 600_000);

  it.each(set)("in %s are in one gap with those alike, and hardly any with others", (file) => {
    const ids = new Set(trueGaps(file).map(({ id }) => id));
    const come = (isAsked: boolean) => groupedOften(gaps, ORDERS, { vectorOf, isAsked }).together((id) => ids.has(id));
    const [alone, { asked, later }] = [come(false), come(true)];
    console.log(`${file}, MiniLM alone: ${figuresIn(alone.asked)}`);
    console.log(`${file}, MiniLM and who asked: ${figuresIn(asked)}; later ${figuresIn(later).split(", pairs")[0]}`);
    expect(asked.joined / asked.alike).toBeGreaterThanOrEqual(least);
    expect(later.joined / later.alike).toBeGreaterThanOrEqual(least);
    for (const one of [alone.asked, alone.later, asked, later])
      expect(one.wrong / one.questions).toBeLessThanOrEqual(WRONG);
  });
});
