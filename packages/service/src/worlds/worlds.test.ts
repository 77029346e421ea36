import { describe, expect, it } from "vitest";
import { judgeWorlds } from "./worlds.harness.ts";

describe("who may see what", () => {
  it(
    "holds in 12 random worlds: nothing hidden is shown, and no reply tells that it is there",
    { timeout: 300_000 },
    async () => {
      const { problems, replies, finds } = await judgeWorlds(12, 1);
      expect(problems).toEqual([]);
      expect(replies).toBeGreaterThan(1_000);
      expect(finds).toBeGreaterThan(100);
    },
  );

  it("would be found not to hold if pairs shared what was written last under an id", { timeout: 300_000 }, async () => {
    const united = `
      CREATE TRIGGER united AFTER UPDATE OF status ON documents WHEN new.status = 'indexed' BEGIN
        UPDATE documents SET sections = new.sections, semantic_identifier = new.semantic_identifier
        WHERE id = new.id AND sequence < new.sequence;
      END`;
    const { problems } = await judgeWorlds(3, 1, { prepare: (db) => db.sqlite.exec(united) });
    expect(problems.join("\n")).toMatch(/was shown secret\d+x by/);
    expect(problems.join("\n")).toContain("can tell what is hidden by");
  });
});
