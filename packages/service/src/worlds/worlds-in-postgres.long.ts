import { testWithPostgres } from "@threadlore/testkit/postgres";
import { describe, expect, it } from "vitest";
import { openStore } from "../index.ts";
import { judgeWorlds } from "./worlds.harness.ts";

await testWithPostgres(({ createDatabase, dropDatabase }) => {
  describe("who may see what, with the truth in PostgreSQL", () => {
    it("holds in 500 random worlds: nothing hidden is shown, and no reply tells that it is there", async () => {
      const problems: string[] = [];
      let finds = 0;
      const withTables = await createDatabase();
      await (await openStore(withTables)).close();
      // Each world takes five databases. They are copied, as making the tables takes as long as all that is asked of them.
      const databaseUrl = () => createDatabase(withTables);
      for (let part = 1; part <= 10; part++) {
        const told = await judgeWorlds(50, 40 + part, { databaseUrl, dropDatabase });
        problems.push(...told.problems);
        finds += told.finds;
        console.log(`${part * 50} worlds, ${finds} finds, ${problems.length} problems`);
      }
      expect(problems).toEqual([]);
      expect(finds).toBeGreaterThan(3_000);
    });
  });
});
