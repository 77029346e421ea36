import { expect, it } from "vitest";
import { seeGapWorld } from "./gap-worlds.harness.ts";

it("in 10,000 questions no word of a private one stands outside its asker's sight", async () => {
  let [told, named, isPrivate] = [0, 0, 0];
  for (let seed = 100; seed < 120; seed += 1) {
    const world = await seeGapWorld(500, seed, seed % 2 === 0);
    expect(world.leaks, `seed ${seed}`).toEqual([]);
    expect(world.miscounted, `seed ${seed}`).toEqual([]);
    told += world.told;
    named += world.named;
    isPrivate += world.private;
  }
  console.log({ told, named, private: isPrivate });
  expect(named).toBeGreaterThan(500);
}, 3_600_000);
