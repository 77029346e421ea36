import { testWithPostgres } from "@threadlore/testkit/postgres";
import { expect, it } from "vitest";
import { gapKillLoop } from "./gap-kill.harness.ts";

it.each([
  ["at the server", true, 5],
  ["in the bot's own store", false, 6],
])(
  "a bot that is killed again and again notes each question once and tells each asker once, with gaps %s",
  async (_where, isAtServer, seed) => {
    const report = await gapKillLoop({ kills: 4, seed, isAtServer });
    expect(report).toEqual({ asked: 4, miscounted: [], mistold: [], misanswered: [] });
  },
  300_000,
);

await testWithPostgres((postgres) => {
  it("two bots on one database, one killed now and then, note each question once and tell each asker once", async () => {
    const database = await postgres.createDatabase();
    const report = await gapKillLoop({ kills: 4, seed: 7, isAtServer: false, database });
    expect(report).toEqual({ asked: 4, miscounted: [], mistold: [], misanswered: [] });
  }, 300_000);
});
