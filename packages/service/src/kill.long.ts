import { describe, expect, it } from "vitest";
import { killRepeatedly } from "./kill.harness.ts";

describe("a service that is killed a thousand times", () => {
  it("3B kill -9 at any point of ingest: what was acknowledged is there and found after 1,000 kills", async () => {
    const report = await killRepeatedly(1_000, 2);
    console.log(`${report.cycles} kills, ${report.acknowledged} acknowledged, ${report.unanswered} unanswered`);
    expect(report.problems).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(2_000);
    expect(report.unanswered).toBeGreaterThan(1_000);
  });
});
