import { testWithPostgres } from "@threadlore/testkit/postgres";
import { describe, expect, it } from "vitest";
import { judgeWorlds } from "./worlds.harness.ts";

await testWithPostgres(({ createDatabase: databaseUrl }) => {
  describe("who may see what, with the truth in PostgreSQL", () => {
    it(
      "holds in 2 random worlds: nothing hidden is shown, and no reply tells that it is there",
      { timeout: 300_000 },
      async () => {
        const { problems, replies, finds } = await judgeWorlds(2, 3, { databaseUrl });
        expect(problems).toEqual([]);
        expect(replies).toBeGreaterThan(100);
        expect(finds).toBeGreaterThan(10);
      },
    );
  });
});
