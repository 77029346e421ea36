import { expect, it } from "vitest";
import { seeGapWorld } from "./gap-worlds.harness.ts";

it.each([
  ["at the server", true],
  ["in the bot's own store", false],
] as const)(
  "no word of a private question stands outside its asker's sight, with gaps %s",
  async (_where, isAtServer) => {
    const world = await seeGapWorld(100, isAtServer ? 3 : 4, isAtServer);
    expect(world.leaks).toEqual([]);
    expect(world.miscounted).toEqual([]);
    // Something was at stake.
    expect(world.private).toBeGreaterThan(30);
    expect(world.told).toBeGreaterThan(5);
    expect(world.named).toBeGreaterThan(2);
    expect(world.alike).toBeGreaterThan(20);
  },
  120_000,
);
