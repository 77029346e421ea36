import { describe, expect, it } from "vitest";
import { killLoop } from "./kill.harness.ts";

describe("a bot that is killed", () => {
  it.each([
    ["on", 1],
    ["on", 2],
    ["off", 3],
  ] as const)("3D killed: 100 times at random points, with streaming %s (seed %d)", async (streaming, seed) => {
    const report = await killLoop({ kills: 100, seed, lifeMs: 1_200, streaming });
    expect(report).toMatchObject({ kills: 100, lost: [], twice: [], broken: [], refusals: [] });
  });
});
