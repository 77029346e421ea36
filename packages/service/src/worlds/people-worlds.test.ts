import { testWithPostgres } from "@threadlore/testkit/postgres";
import { describe, expect, it } from "vitest";
import { judgeCompanies } from "./people-worlds.harness.ts";

describe("what people see who sign in", () => {
  it(
    "is in 60 random companies what their groups give at each moment, to the byte of a key with just these rights",
    { timeout: 300_000 },
    async () => {
      const { problems, looks, finds } = await judgeCompanies(60, 1);
      expect(problems).toEqual([]);
      expect(looks).toBeGreaterThan(1_000);
      expect(finds).toBeGreaterThan(150);
    },
  );

  it("would be found to be something else if leaving a group counted for nothing", { timeout: 300_000 }, async () => {
    const prepare = `
      CREATE TRIGGER stays AFTER DELETE ON memberships WHEN old.issuer = 'local' BEGIN
        INSERT INTO memberships VALUES (old.person, old.issuer, old.name);
      END`;
    const { problems } = await judgeCompanies(25, 1, { prepare });
    expect(problems.join("\n")).toMatch(/shows secret\d+x of pair|is listed|is told/);
  });
});

await testWithPostgres(({ createDatabase: databaseUrl }) => {
  describe("what people see who sign in, with the truth in PostgreSQL", () => {
    it("is in 5 random companies what their groups give at each moment", { timeout: 300_000 }, async () => {
      const { problems, finds } = await judgeCompanies(5, 2, { databaseUrl });
      expect(problems).toEqual([]);
      expect(finds).toBeGreaterThan(10);
    });
  });
});
