import { testWithPostgres } from "@threadlore/testkit/postgres";
import { describe, expect, it } from "vitest";
import { judgeWorlds } from "./worlds.harness.ts";

await testWithPostgres(({ createDatabase: databaseUrl }) => {
  describe("who may see what, with the truth in PostgreSQL", () => {
    it("holds in 500 random worlds: nothing hidden is shown, and no reply tells that it is there", async () => {
      const { problems, worlds, replies, finds } = await judgeWorlds(500, 4, { databaseUrl });
      console.log(`${worlds} worlds, ${replies} replies, ${finds} finds`);
      expect(problems).toEqual([]);
      expect(finds).toBeGreaterThan(3_000);
    });
  });
});
