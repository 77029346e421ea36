import { expect, it } from "vitest";
import { FITTED, trueGaps } from "./evaluation.harness.ts";
import { fittedModel } from "./fit.harness.ts";
import { genuineOf } from "./genuine.harness.ts";
import { MODEL } from "./weights.ts";

/** Where it fails it prints the weights to be written into weights.ts: something they are fitted over has changed. */
it("the weights are those that the questions asked give", { timeout: 1_800_000 }, async () => {
  const worlds = FITTED.map(trueGaps);
  expect(fittedModel(worlds, await genuineOf(worlds.flat()))).toEqual(MODEL);
});
