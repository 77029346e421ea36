import { askThroughMishaps } from "./mishaps.harness.ts";
import { expect, it } from "vitest";

it("500 random mixes of cuts, restarts, silences and closed panels: each answer ends whole or with a sentence, asked once", async () => {
  const { wrong } = await askThroughMishaps(Array.from({ length: 500 }, (_, seed) => 1_000 + seed));
  expect(wrong).toEqual([]);
});
