import { describe, expect, it } from "vitest";
import { trueGaps } from "../../testing/true-gaps.ts";
import { countsOf, figuresOf, FLAWLESS, type LoopFigures, type Played, tableOf } from "./loop-figures.harness.ts";
import { playLoop } from "./loop.harness.ts";

const fitted = trueGaps("asked");
const keptBack = trueGaps("kept-back");
const gaps = [...fitted, ...keptBack];
const WORLD = { gaps, people: 30, passages: 10_000 } as const;

/** Prints what came of a loop, and answers what it comes to over all gaps. */
function told(name: string, played: Played): LoopFigures {
  const isFitted = (truth: string): boolean => fitted.some(({ id }) => id === truth);
  const all = figuresOf(played, () => true);
  console.log(
    tableOf({
      [`${name}, fitted over`]: figuresOf(played, isFitted),
      [`${name}, kept back`]: figuresOf(played, (truth) => !isFitted(truth)),
      [`${name}, all`]: all,
    }),
  );
  const noted = played.asked.filter((one) => one.noted > 0).length;
  console.log(
    `${name}: ${played.toldByThen} of ${noted} askers told by one reply to each gap; ${played.calls.length} replies for all`,
  );
  return all;
}

describe("200 questions in 60 gaps, by 30 people, over 10,000 passages", () => {
  it("are told of once each, by words alone", async () => {
    const played = await playLoop({ ...WORLD, hasVectors: false, kills: 0, seed: 1 });
    const { wronglyJoined } = told("words alone", played);
    expect(countsOf(played)).toEqual({ kills: 0, ...FLAWLESS });
    expect(wronglyJoined).toBeLessThanOrEqual(0.05);
  });

  it("are put together and answered afterwards, with a server of embeddings", async () => {
    const played = await playLoop({ ...WORLD, hasVectors: true, kills: 0, seed: 2 });
    const { inOneGap, wronglyJoined, answered } = told("with vectors", played);
    expect(countsOf(played)).toEqual({ kills: 0, ...FLAWLESS });
    expect(wronglyJoined).toBeLessThanOrEqual(0.05);
    expect(inOneGap).toBeGreaterThanOrEqual(0.9);
    expect(answered).toBeGreaterThanOrEqual(0.9);
  });

  it("are noted, kept and told of once each, with 300 kills of the bot on the way", async () => {
    const played = await playLoop({ ...WORLD, hasVectors: true, kills: 300, seed: 4 });
    told("300 kills", played);
    expect(countsOf(played)).toEqual({ kills: 300, ...FLAWLESS });
  });
});
