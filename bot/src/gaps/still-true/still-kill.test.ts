import { testWithPostgres } from "@threadlore/testkit/postgres";
import { expect, it } from "vitest";
import { stillKillLoop } from "./still-kill.harness.ts";

it("owners are asked of what newer documents contradict, of more than half, and of hardly anything else, once each, by a bot that is killed", async () => {
  const { contradicted, reached, falsely, misasked, kept } = await stillKillLoop({ kills: 4, seed: 3, every: 6 });
  expect(misasked).toEqual([]);
  expect(reached / contradicted).toBeGreaterThanOrEqual(0.6);
  expect(falsely.length / kept).toBeLessThanOrEqual(0.05);
}, 300_000);

await testWithPostgres((postgres) => {
  it("two bots on one database, one killed now and then, ask each owner once", async () => {
    const database = await postgres.createDatabase();
    const { misasked, reached } = await stillKillLoop({ kills: 4, seed: 4, every: 9, database });
    expect([misasked, reached > 0]).toEqual([[], true]);
  }, 300_000);
});
