import { describe, expect, it } from "vitest";
import { judgeWorlds } from "./worlds.harness.ts";

describe("who may see what", () => {
  it("holds in 2,000 random worlds: nothing hidden is shown, and no reply tells that it is there", async () => {
    const { problems, worlds, replies, finds } = await judgeWorlds(2_000, 2);
    console.log(`${worlds} worlds, ${replies} replies, ${finds} finds`);
    expect(problems).toEqual([]);
    expect(finds).toBeGreaterThan(10_000);
  });
});
