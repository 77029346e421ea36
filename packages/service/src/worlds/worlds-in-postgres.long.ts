import { testWithPostgres } from "@threadlore/testkit/postgres";
import { describe, expect, it } from "vitest";
import { judgeWorlds } from "./worlds.harness.ts";

await testWithPostgres(({ createDatabase: databaseUrl }) => {
  describe("who may see what, with the truth in PostgreSQL", () => {
    it("holds in 500 random worlds: nothing hidden is shown, and no reply tells that it is there", async () => {
      const problems: string[] = [];
      let finds = 0;
      // Each world takes five databases: what there is so far is said, as it takes long.
      for (let part = 1; part <= 10; part++) {
        const told = await judgeWorlds(50, 40 + part, { databaseUrl });
        problems.push(...told.problems);
        finds += told.finds;
        console.log(`${part * 50} worlds, ${finds} finds, ${problems.length} problems`);
      }
      expect(problems).toEqual([]);
      expect(finds).toBeGreaterThan(3_000);
    });
  });
});
