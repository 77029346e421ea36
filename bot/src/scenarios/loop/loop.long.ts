import { describe, expect, it } from "vitest";
import { trueGaps } from "../../testing/true-gaps.ts";
import {
  ALL_STAND_ONCE,
  ALL_TOLD_ONCE,
  figuresOf,
  type LoopFigures,
  type Played,
  standingOf,
  tableOf,
  tellingsOf,
} from "./loop-figures.harness.ts";
import { type LoopOptions, playLoop } from "./loop.harness.ts";

/** Sets of gaps, each by the files of its two parts: gaps that what is measured was built over, and gaps that it never saw. */
const SETS = [
  { set: "as thirty people ask", built: "people", keptBack: "people-kept-back", byWords: 0.7 },
  // Nearly every gap has a twin, and half of the questions share no word with their kind: words do not reach seven of ten.
  { set: "with twins of most gaps", built: "asked", keptBack: "kept-back", byWords: 0.55 },
] as const;
const BY_VECTORS = 0.9;

/** Kinds of loops. */
const LOOPS: readonly (readonly [string, Pick<LoopOptions, "hasVectors" | "kills" | "seed">])[] = [
  ["by words alone", { hasVectors: false, kills: 0, seed: 1 }],
  ["with a server of embeddings", { hasVectors: true, kills: 0, seed: 2 }],
  ["with a server of embeddings, and 300 kills of the bot on the way", { hasVectors: true, kills: 300, seed: 4 }],
];
const MAX_WRONG = 0.05;

describe.each(SETS)("200 questions in 60 gaps, by 30 people, over 10,000 passages: $set,", (one) => {
  const { set, built, keptBack, byWords } = one;
  const parts = { built: trueGaps(built), "kept back": trueGaps(keptBack) };
  const gaps = Object.values(parts).flat();
  describe.each(LOOPS)("%s", (name, kind) => {
    const least = kind.hasVectors ? BY_VECTORS : byWords;
    const played = once(() => playLoop({ ...kind, gaps, people: 30, passages: 10_000 }));
    const figures = once(async () => told(`${set}, ${name}`, await played(), parts.built));

    it("are answered, noted, called and kept once each: nothing is lost or doubled", async () => {
      await figures();
      expect(standingOf(await played())).toEqual({ kills: kind.kills, ...ALL_STAND_ONCE });
    });

    it("are told of once to everybody who asked", async () => {
      expect(tellingsOf(await played())).toEqual(ALL_TOLD_ONCE);
    });

    it(`are put into gaps, at most ${100 * MAX_WRONG} % of them wrongly`, async () => {
      expect((await figures()).wronglyJoined).toBeLessThanOrEqual(MAX_WRONG);
    });

    it(`that are alike are put into one gap, by themselves or by one press of their asker, ${100 * least} % of them`, async () => {
      expect((await figures()).inOneGap).toBeGreaterThanOrEqual(least);
    });

    it(`in other words are answered afterwards, at once or by one press of their asker, ${100 * least} % of them`, async () => {
      expect((await figures()).answeredOrTold).toBeGreaterThanOrEqual(least);
    });
  });
});

/** One run, of which much is told. */
function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => (made ??= make());
}

/** Prints what came of a loop, and answers what it comes to over all gaps. */
function told(name: string, played: Played, built: readonly { readonly id: string }[]): LoopFigures {
  const isBuilt = (truth: string): boolean => built.some(({ id }) => id === truth);
  const all = figuresOf(played, () => true);
  console.log(
    tableOf({
      [`${name}, built over`]: figuresOf(played, isBuilt),
      [`${name}, kept back`]: figuresOf(played, (truth) => !isBuilt(truth)),
      [`${name}, all`]: all,
    }),
  );
  const noted = played.asked.filter((one) => one.noted > 0).length;
  console.log(
    `${name}: ${played.toldByThen} of ${noted} askers told by one reply to each gap; ${played.calls.length} replies for all`,
  );
  return all;
}
