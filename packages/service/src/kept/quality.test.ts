import { expect, it } from "vitest";
import { startKept } from "./kept.harness.ts";
import { keptPairs, outcomeOf } from "./quality.harness.ts";

it("of newer documents in quite other words some that say otherwise are told, and hardly any that only looks so", async () => {
  const { told, falselyTold, strays } = await outcomeOf(keptPairs(), await startKept(undefined));
  expect(told.length).toBeGreaterThanOrEqual(3);
  expect(falselyTold).toEqual([]);
  expect(strays.length).toBeLessThanOrEqual(2);
});
