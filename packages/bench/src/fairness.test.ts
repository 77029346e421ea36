import { describe, expect, it } from "vitest";
import { benchFairness, LOADS } from "./fairness.ts";

describe("the bench of fairness", () => {
  it("measures what a request of one caller means to others", { timeout: 120_000 }, async () => {
    const { groups, missed } = await benchFairness({
      passages: 40,
      loads: ["reading a conversation of 2,000 turns"],
    });
    expect(groups[0]?.rows).toHaveLength(1);
    for (const { figures } of groups[0]?.rows ?? []) {
      expect(figures["MB resident"]).toBeGreaterThan(20);
      expect(figures["health, ms more"]).toBeGreaterThanOrEqual(0);
      expect(figures["question, ms more"]).toBeGreaterThanOrEqual(0);
    }
    // Only ten thousand passages are held to the bars, and what was not measured is no pass.
    expect(missed.every((words) => words.endsWith("not measured."))).toBe(true);
    expect(missed).toHaveLength(LOADS.length * 3);
  });
});
