import { expect, it } from "vitest";
import { askThroughMishaps } from "./mishaps.harness.ts";

it("2,000 random mixes of cuts, restarts and silences: each answer ends whole or with one plain sentence, asked once", async () => {
  const { wrong } = await askThroughMishaps(Array.from({ length: 2_000 }, (_, seed) => 1_000 + seed));
  expect(wrong).toEqual([]);
});
