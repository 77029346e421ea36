import { testWithPostgres } from "@threadlore/testkit/postgres";
import { expect, it } from "vitest";
import { digestKillLoop } from "./digest-kills.harness.ts";

it.each([
  ["at the server", true, 41],
  ["in the bot's own store", false, 42],
])("100 kills, with gaps %s: the digest of each week is posted once", async (_where, isAtServer, seed) => {
  const { weeks, midway, ...wrong } = await digestKillLoop({ kills: 100, seed, isAtServer });
  expect(wrong).toEqual({ wrong: [], stray: 0 });
  expect(weeks).toBeGreaterThan(20);
  expect(midway).toBeGreaterThan(0);
});

await testWithPostgres((postgres) => {
  it("60 kills beside a bot that stays: the digest of each week is posted once", async () => {
    const database = await postgres.createDatabase();
    const { weeks, wrong, stray } = await digestKillLoop({ kills: 60, seed: 43, isAtServer: true, database });
    expect({ wrong, stray }).toEqual({ wrong: [], stray: 0 });
    expect(weeks).toBeGreaterThan(10);
  });
});
