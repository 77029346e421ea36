import { expect, it } from "vitest";
import { seeWorlds } from "./worlds.harness.ts";

it("what only some may see reaches nobody else, and what is told as more repeats nothing that everybody may see, in 400 random worlds", async () => {
  const seen = await seeWorlds(400, Date.now());
  console.log(JSON.stringify(seen));
  expect(seen).toMatchObject({ leaks: [], repeated: 0 });
  expect(seen.told).toBeGreaterThan(seen.withMore / 2);
});
