/** Bars of grouping; every run prints what it comes to. Of words alone they hold what is reached, not what was wished for. */
import { describe, expect, it } from "vitest";
import { figuresIn, type Grouping, groupedOften, trueGaps } from "./evaluation.harness.ts";
import { GOOD, NARROW, type ModelKind, oracleOf, WEAK } from "./oracle.harness.ts";

const ORDERS = 4;
/** So many of all questions may be put into a gap that is about something else. */
const WRONG = 0.05;

function come(file: "asked" | "kept-back", name: string, kind?: ModelKind) {
  const gaps = trueGaps(file);
  const { asked, later } = groupedOften(gaps, ORDERS, kind && { vectorOf: oracleOf(gaps, kind) });
  console.log(`${file}, ${name}: ${figuresIn(asked)}; of later ones ${figuresIn(later).split(", pairs")[0]}`);
  return { asked, later };
}

const joined = (one: Grouping) => one.joined / one.alike;
const wrong = (one: Grouping) => one.wrong / one.questions;

/** So many are joined by words alone; 70 of 100 were wished for. The third that is kept back is what they come to elsewhere. */
describe.each([
  { file: "asked", byWords: 0.2 },
  { file: "kept-back", byWords: 0.07 },
] as const)("the questions of $file", ({ file, byWords }) => {
  it("are grouped by a model that tells what is asked from what is nearly asked", () => {
    for (const [name, kind] of [
      ["a good model", GOOD],
      ["one whose texts lie close together", NARROW],
    ] as const) {
      const { asked, later } = come(file, name, kind);
      expect(joined(asked)).toBeGreaterThanOrEqual(0.9);
      expect(wrong(asked)).toBeLessThanOrEqual(WRONG);
      expect(wrong(later)).toBeLessThanOrEqual(WRONG);
    }
  });

  it("are rarely joined wrongly by words alone", () => {
    const { asked, later } = come(file, "words alone");
    expect(joined(asked)).toBeGreaterThanOrEqual(byWords);
    expect(wrong(asked)).toBeLessThanOrEqual(WRONG);
    expect(wrong(later)).toBeLessThanOrEqual(WRONG);
  });
});

it("a model that hardly tells what is asked joins few questions wrongly", () => {
  const { asked, later } = come("asked", "a weak model", WEAK);
  expect(wrong(asked)).toBeLessThanOrEqual(WRONG);
  expect(wrong(later)).toBeLessThanOrEqual(WRONG);
});
