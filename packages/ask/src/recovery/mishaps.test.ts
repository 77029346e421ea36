import { expect, it } from "vitest";
import { askThroughMishaps } from "./mishaps.harness.ts";

it("whatever is cut, silent or away, an answer is whole where the server has it, else one plain sentence, and is asked once", async () => {
  const { whole, broken, wrong } = await askThroughMishaps(Array.from({ length: 64 }, (_, seed) => seed));
  expect(wrong).toEqual([]);
  expect(whole + broken).toBe(64);
  // Both are seen: a server that forgot an answer, or never got the question, has nothing whole to give.
  expect(whole).toBeGreaterThan(broken);
  expect(broken).toBeGreaterThan(0);
});
