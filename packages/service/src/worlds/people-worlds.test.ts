import { testWithPostgres } from "@threadlore/testkit/postgres";
import { describe, expect, it } from "vitest";
import type { Way } from "./looks.harness.ts";
import { judgeCompanies } from "./people-worlds.harness.ts";

describe("what people see who sign in", () => {
  it(
    "is in 25 random companies what their groups give at each moment, to the byte of a key with just these rights",
    { timeout: 300_000 },
    async () => {
      const { problems, looks, finds, afterLoss } = await judgeCompanies(25, 1);
      expect(problems).toEqual([]);
      expect(looks).toBeGreaterThan(450);
      expect(finds).toBeGreaterThan(60);
      expect(afterLoss).toBeGreaterThan(5);
    },
  );
});

describe("a look by every way", () => {
  /** Rules that are taken away go on giving what they gave. */
  const stays = "CREATE TRIGGER stays BEFORE DELETE ON group_rules BEGIN SELECT RAISE(IGNORE); END";
  const all: Way[] = ["search", "answer", "listing", "document", "session", "mcp", "panel"];
  it.each(all)(
    "finds by the way %s alone that what is taken from a group stays given",
    { timeout: 300_000 },
    async (way) => {
      const { problems } = await judgeCompanies(8, 1, { prepare: stays, ways: [way] });
      expect(problems.join("\n")).toMatch(/shows secret\d+x of pair/);
    },
  );

  const paths: Partial<Record<Way, string>> = {
    search: "/search",
    answer: "/chat/send-chat-message",
    document: "/document/text",
    mcp: "/mcp",
  };
  it.each(Object.entries(paths))(
    "finds that what comes by the way %s is answered with the rights of who sees everything",
    { timeout: 300_000 },
    async (_, faulty) => {
      const { problems } = await judgeCompanies(4, 1, {
        misled: (path, owner) => (path === faulty ? owner : undefined),
      });
      expect(problems.join("\n")).toMatch(/shows secret\d+x of pair/);
    },
  );
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
