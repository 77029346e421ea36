import { expect, it } from "vitest";
import { costsOfNoting } from "./cost.harness.ts";

it("noting a question costs at most 20 ms of processor time, of 100 questions beside 300 all but five", async () => {
  const costs = await costsOfNoting(300, 100);
  expect(costs[94]).toBeGreaterThan(0);
  expect(costs[94]).toBeLessThanOrEqual(20);
});
