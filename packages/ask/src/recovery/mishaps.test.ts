import { expect, it } from "vitest";
import { askThroughMishaps } from "./mishaps.harness.ts";

it("whatever is cut, silent or away, an answer ends whole or with one plain sentence, and is asked once", async () => {
  const { whole, broken, wrong } = await askThroughMishaps(Array.from({ length: 64 }, (_, seed) => seed));
  expect(wrong).toEqual([]);
  expect(whole + broken).toBe(64);
  // Only a server that dies in the middle of an answer, or never got the question, has nothing whole to give.
  expect(whole).toBeGreaterThan(48);
});
