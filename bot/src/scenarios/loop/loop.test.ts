import { expect, it } from "vitest";
import { trueGaps } from "../../testing/true-gaps.ts";
import { ALL_STAND_ONCE, ALL_TOLD_ONCE, figuresOf, standingOf, tableOf, tellingsOf } from "./loop-figures.harness.ts";
import { playLoop } from "./loop.harness.ts";

it("the loop, with 3 kills of the bot on the way: each question noted once, each reply kept once, each asker told once", async () => {
  const gaps = trueGaps("asked").slice(0, 3);
  const played = await playLoop({ gaps, people: 30, passages: 300, hasVectors: false, kills: 3, seed: 3 });
  console.log(tableOf({ "3 gaps, words alone": figuresOf(played, () => true) }));
  expect(standingOf(played)).toEqual({ kills: 3, ...ALL_STAND_ONCE });
  expect(tellingsOf(played)).toEqual(ALL_TOLD_ONCE);
}, 600_000);
