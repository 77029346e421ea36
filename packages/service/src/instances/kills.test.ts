import { testWithPostgres } from "@threadlore/testkit/postgres";
import { describe, expect, it } from "vitest";
import { killInstances } from "./kills.harness.ts";

await testWithPostgres((postgres) => {
  describe("instances that are killed", () => {
    it("lose nothing and answer everything once, through 9 kills", { timeout: 180_000 }, async () => {
      const { problems, ...counts } = await killInstances(await postgres.createDatabase(), 9, 1);
      console.log(JSON.stringify(counts));
      expect(problems).toEqual([]);
      // They were at work, or it would show nothing.
      expect(counts.acknowledged).toBeGreaterThan(20);
      expect(counts.answered).toBeGreaterThan(5);
      expect(counts.unanswered).toBeGreaterThan(2);
    });
  });
});
