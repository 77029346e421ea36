import { expect, it } from "vitest";
import { costsOfNoting } from "./cost.harness.ts";

it("noting a question costs at most 20 ms of processor time, of 500 questions beside 20,000 all but 25", async () => {
  const costs = await costsOfNoting(20_000, 500);
  console.log(`p50 ${costs[249]?.toFixed(1)} ms, p95 ${costs[474]?.toFixed(1)} ms`);
  expect(costs[474]).toBeGreaterThan(0);
  expect(costs[474]).toBeLessThanOrEqual(20);
});
