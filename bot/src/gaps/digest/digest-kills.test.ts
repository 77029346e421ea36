import { testWithPostgres } from "@threadlore/testkit/postgres";
import { expect, it } from "vitest";
import { digestKillLoop } from "./digest-kills.harness.ts";

it("a bot that is killed again and again posts the digest of each week once", async () => {
  const { weeks, wrong, stray } = await digestKillLoop({ kills: 4, seed: 31, isAtServer: false });
  expect({ wrong, stray }).toEqual({ wrong: [], stray: 0 });
  expect(weeks).toBeGreaterThan(1);
}, 300_000);

await testWithPostgres((postgres) => {
  it("two bots on one database, one killed now and then, post the digest of each week once", async () => {
    const database = await postgres.createDatabase();
    const { weeks, wrong, stray } = await digestKillLoop({ kills: 4, seed: 32, isAtServer: true, database });
    expect({ wrong, stray }).toEqual({ wrong: [], stray: 0 });
    expect(weeks).toBeGreaterThan(1);
  }, 300_000);
});
