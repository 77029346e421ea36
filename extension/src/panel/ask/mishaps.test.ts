import { askThroughMishaps } from "./mishaps.harness.ts";
import { expect, it } from "vitest";

it("whatever is cut, silent, away or closed, an answer ends whole or with a sentence, and is whole once asked again", async () => {
  const { whole, again, wrong } = await askThroughMishaps(Array.from({ length: 48 }, (_, seed) => seed));
  expect(wrong).toEqual([]);
  expect(whole + again).toBe(48);
}, 120_000);
