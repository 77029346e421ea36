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

describe.each(["asked", "kept-back"] as const)("the questions of %s", (file) => {
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

  it("are wrongly joined by few words, and by no weak model", () => {
    for (const [name, kind] of [
      ["words alone", undefined],
      ["a weak model", WEAK],
    ] as const) {
      const { asked, later } = come(file, name, kind);
      expect(joined(asked)).toBeGreaterThanOrEqual(0.15);
      expect(wrong(asked)).toBeLessThanOrEqual(WRONG);
      expect(wrong(later)).toBeLessThanOrEqual(WRONG);
    }
  });
});
