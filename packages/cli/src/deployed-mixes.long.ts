import { expect, it } from "vitest";
import { askThroughMixes } from "./deployed-mixes.harness.ts";

it("500 questions in mixes of cuts, silences and restarts end whole or in one plain sentence, and none is asked twice", async () => {
  const { whole, told, wrong } = await askThroughMixes(Array.from({ length: 500 }, (_, seed) => 10_000 + seed));
  expect(wrong).toEqual([]);
  expect(whole).toBeGreaterThan(told);
});
