import { describe, expect, it } from "vitest";
import { killOnTheWay } from "./upgrade-kills.harness.ts";

describe("a service that is killed while it brings a former index up to date", () => {
  it(
    "3B kill -9 on the way: each document is found at every moment, and nothing former is left in the end",
    { timeout: 120_000 },
    async () => {
      const { phases, problems } = await killOnTheWay({ kills: 8, documents: 700, seed: 3 });
      expect(problems).toEqual([]);
      expect(phases.building).toBeGreaterThan(0);
    },
  );
});
