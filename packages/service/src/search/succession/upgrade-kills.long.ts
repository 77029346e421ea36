import { describe, expect, it } from "vitest";
import { killOnTheWay } from "./upgrade-kills.harness.ts";

describe("a service that is killed a hundred times while it brings former indexes up to date", () => {
  it("3B kill -9 on the way: each document is found at every moment, and nothing former is left in the end", async () => {
    const { kills, ends, phases, problems } = await killOnTheWay({ kills: 100, documents: 3_000, seed: 4 });
    console.log(`${kills} kills, ${ends} ends, ${JSON.stringify(phases)}`);
    expect(problems).toEqual([]);
    expect(phases.building).toBeGreaterThan(20);
    expect(phases.leaving).toBeGreaterThan(5);
  });
});
