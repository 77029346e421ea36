import { describe, expect, it } from "vitest";
import { killRepeatedly } from "./kill.harness.ts";

describe("a service that is killed", () => {
  it(
    "3B kill -9 at any point of ingest: what was acknowledged is there and found after 25 kills",
    { timeout: 120_000 },
    async () => {
      const report = await killRepeatedly(25, 1);
      console.log(`${report.cycles} kills, ${report.acknowledged} acknowledged, ${report.unanswered} unanswered`);
      expect(report.problems).toEqual([]);
      // The kills hit a service at work, or they would show nothing.
      expect(report.acknowledged).toBeGreaterThan(25);
      expect(report.unanswered).toBeGreaterThan(12);
    },
  );
});
