import { expect, it } from "vitest";
import { seeWorlds } from "./worlds.harness.ts";

it("what only some may see reaches nobody else, and what is told as more repeats nothing that everybody may see, in 16 random worlds", async () => {
  const seen = await seeWorlds(16, 20_261_127);
  expect(seen).toMatchObject({ leaks: [], repeated: 0 });
  expect(seen.withMore).toBeGreaterThan(4);
  expect(seen.told).toBeGreaterThan(seen.withMore / 2);
}, 240_000);
