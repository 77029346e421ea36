/** Bars of grouping; every run prints what it comes to. */
import { describe, expect, it } from "vitest";
import {
  type CameOften,
  figuresIn,
  type Grouping,
  groupedOften,
  type QuestionFile,
  trueGaps,
} from "./evaluation.harness.ts";
import { GOOD, NARROW, type ModelKind, oracleOf, WEAK } from "./oracle.harness.ts";

const ORDERS = 4;
/** So many of all questions may be put into a gap that is about something else. */
const WRONG = 0.05;
/** Each set is asked whole: 200 questions in 60 gaps. */
const FIRST: readonly QuestionFile[] = ["asked", "kept-back"];
const SECOND: readonly QuestionFile[] = ["people", "people-kept-back"];
const SETS: Readonly<Record<QuestionFile, readonly QuestionFile[]>> = {
  asked: FIRST,
  "kept-back": FIRST,
  people: SECOND,
  "people-kept-back": SECOND,
};

/** What was made once for each set, by what it is: both of its files count in the same questions and answers. */
const made = new Map<string, unknown>();

function once<Made>(key: string, make: () => Made): Made {
  if (!made.has(key)) made.set(key, make());
  return made.get(key) as Made;
}

interface How {
  readonly kind?: ModelKind;
  readonly isAsked?: boolean;
}

/** What comes of all questions of a set, in several orders. */
function often(set: readonly QuestionFile[], name: string, { kind, isAsked = false }: How): CameOften {
  return once(`${set}, ${name} ${whoOf(isAsked)}`, () => {
    const gaps = set.flatMap(trueGaps);
    const vectorOf = kind && once(`${set}, ${name}`, () => oracleOf(gaps, kind));
    return groupedOften(gaps, ORDERS, { isAsked, vectorOf });
  });
}

const whoOf = (isAsked: boolean): string => (isAsked ? "and who asked" : "alone");

/** What comes of the questions of a file, asked among all of their set. */
function come(file: QuestionFile, name: string, how: How = {}) {
  const who = whoOf(how.isAsked ?? false);
  const ids = new Set(trueGaps(file).map(({ id }) => id));
  const { asked, later } = often(SETS[file], name, how).together((id) => ids.has(id));
  console.log(`${file}, ${name} ${who}: ${figuresIn(asked)}; of later ones ${figuresIn(later).split(", pairs")[0]}`);
  return { asked, later };
}

const joined = (one: Grouping) => one.joined / one.alike;
const wrong = (one: Grouping) => one.wrong / one.questions;

const MODELS = [
  ["a good model", GOOD],
  ["one whose texts lie close together", NARROW],
] as const;

/**
 * Whoever asked is shown up to three gaps by their first question, and says which is theirs. The thirds that are kept back are what
 * all this comes to elsewhere. Of the first set, where nearly every gap has a twin and many questions share no word with their kind,
 * seven of ten is not reached on what was kept back.
 */
describe.each([
  { file: "asked", least: 0.7 },
  { file: "people", least: 0.7 },
  { file: "kept-back", least: 0.55 },
  { file: "people-kept-back", least: 0.7 },
] as const)("the questions of $file", ({ file, least }) => {
  it("are in one gap with those alike by words and whoever asked, and hardly any with others", () => {
    const alone = come(file, "words");
    const { asked, later } = come(file, "words", { isAsked: true });
    expect(joined(asked)).toBeGreaterThanOrEqual(least);
    expect(joined(later)).toBeGreaterThanOrEqual(least);
    for (const one of [alone.asked, alone.later, asked, later]) expect(wrong(one)).toBeLessThanOrEqual(WRONG);
  });

  it.each(MODELS)("are so nine times of ten by %s, which tells twins apart, and whoever asked", (name, kind) => {
    const alone = come(file, name, { kind });
    const { asked, later } = come(file, name, { kind, isAsked: true });
    expect(joined(asked)).toBeGreaterThanOrEqual(0.9);
    expect(joined(later)).toBeGreaterThanOrEqual(0.9);
    for (const one of [alone.asked, alone.later, asked, later]) expect(wrong(one)).toBeLessThanOrEqual(WRONG);
  });
});

describe.each([
  ["with twins of most gaps", FIRST],
  ["as thirty people ask", SECOND],
] as const)("200 questions %s", (_, set) => {
  it.each(MODELS)(
    "are put into gaps by %s and whoever asked, hardly any wrongly, in whatever order they come",
    (name, kind) => {
      const { orders } = often(set, name, { kind, isAsked: true });
      const shares = orders.map((one) => wrong(one().asked));
      console.log(
        `${set}, ${name}, wrongly in each order: ${shares.map((one) => (100 * one).toFixed(1)).join(", ")} %`,
      );
      for (const one of shares) expect(one).toBeLessThanOrEqual(WRONG);
    },
  );
});

it.each(["asked", "people"] as const)(
  "a model that hardly tells what is asked joins few questions of %s wrongly",
  (file) => {
    const { asked, later } = come(file, "a weak model", { kind: WEAK });
    expect(wrong(asked)).toBeLessThanOrEqual(WRONG);
    expect(wrong(later)).toBeLessThanOrEqual(WRONG);
  },
);
