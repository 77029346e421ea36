import { expect, it } from "vitest";

import { deliverUnderFaults } from "./delivery-faults.harness.ts";

it("ends in one right answer for any of 400 mixtures of faults", async () => {
  for (let seed = 1; seed <= 400; seed += 1) await expect(deliverUnderFaults(seed)).resolves.toBe(seed);
});
