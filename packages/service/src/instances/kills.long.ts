import { testWithPostgres } from "@threadlore/testkit/postgres";
import { describe, expect, it } from "vitest";
import { killInstances } from "./kills.harness.ts";

await testWithPostgres((postgres) => {
  describe("instances that are killed 300 times", () => {
    it("lose nothing and answer everything once", async () => {
      const { problems, ...counts } = await killInstances(await postgres.createDatabase(), 300, 2);
      console.log(JSON.stringify(counts));
      expect(problems).toEqual([]);
      expect(counts.acknowledged).toBeGreaterThan(1_000);
      expect(counts.answered).toBeGreaterThan(300);
      expect(counts.unanswered).toBeGreaterThan(300);
    });
  });
});
