import { testWithPostgres } from "@threadlore/testkit/postgres";
import { expect, it } from "vitest";
import { stillKillLoop } from "./still-kill.harness.ts";

it("owners are asked of what newer documents contradict, of more than half, and of hardly anything else, once each, by a bot that is killed", async () => {
  const { contradicted, reached, falsely, misasked, kept } = await stillKillLoop({ kills: 4, seed: 3, every: 6 });
  expect(misasked).toEqual([]);
  expect(reached / contradicted).toBeGreaterThanOrEqual(0.6);
  expect(falsely.length / kept).toBeLessThanOrEqual(0.05);
}, 300_000);

it("whoever pins a newer document says what it changes, and owners are asked once of that as well, by a bot that is killed", async () => {
  const wish = { kills: 4, seed: 5, every: 6, pinned: true };
  const { contradicted, reached, falsely, misasked, kept, byHand } = await stillKillLoop(wish);
  expect(misasked).toEqual([]);
  expect(new Set(byHand.offered).size).toBe(byHand.offered.length);
  expect(byHand.pressed.size).toBeGreaterThan(0);
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
