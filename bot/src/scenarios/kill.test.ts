import { describe, expect, it } from "vitest";
import { killLoop } from "./kill.harness.ts";

describe("a bot that is killed", () => {
  it.each([
    ["on", 11, 1],
    ["off", 12, 0],
  ] as const)(
    "3D killed: 8 times at random points, with streaming %s: nothing is lost, and nothing answered twice",
    async (streaming, seed, midway) => {
      const report = await killLoop({ kills: 8, seed, lifeMs: 900, streaming });
      expect(report).toMatchObject({ kills: 8, lost: [], twice: [], broken: [], refusals: [] });
      expect(report.questions).toBeGreaterThanOrEqual(8);
      expect(report.midway).toBeGreaterThanOrEqual(midway);
      expect(report.answered).toBe(report.questions);
    },
    300_000,
  );
});
