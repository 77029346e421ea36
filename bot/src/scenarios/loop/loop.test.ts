import { expect, it } from "vitest";
import { trueGaps } from "../../testing/true-gaps.ts";
import { countsOf, figuresOf, FLAWLESS, tableOf } from "./loop-figures.harness.ts";
import { playLoop } from "./loop.harness.ts";

it("the loop, with 10 kills of the bot on the way: each question noted once, each reply kept once, each asker told once", async () => {
  const gaps = trueGaps("asked").slice(0, 8);
  const played = await playLoop({ gaps, people: 30, passages: 300, hasVectors: false, kills: 10, seed: 3 });
  console.log(tableOf({ "8 gaps, words alone": figuresOf(played, () => true) }));
  expect(countsOf(played)).toEqual({ kills: 10, ...FLAWLESS });
}, 600_000);
