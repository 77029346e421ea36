import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { testWithPostgres } from "@threadlore/testkit/postgres";
import { afterEach, describe, expect, it } from "vitest";
import { documentOf, type Instance, startInstance } from "./instance.harness.ts";

const DEMO = join(import.meta.dirname, "../../../demo");
const HANDBOOK = join(DEMO, "handbook");

await testWithPostgres((postgres) => {
  const cleanups: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  /** With the handbook, found. */
  async function start(databaseUrl: string | undefined): Promise<Instance> {
    const instance = await startInstance(databaseUrl);
    cleanups.push(instance.close);
    for (const name of readdirSync(HANDBOOK).toSorted()) {
      const text = readFileSync(join(HANDBOOK, name), "utf8");
      const sent = documentOf(name, text, { doc_updated_at: "2026-01-01T00:00:00Z" });
      expect(await instance.call("POST", "/service-api/ingestion", sent)).toMatchObject({ status: 200 });
    }
    await instance.running.service.drain();
    return instance;
  }

  describe("what is found and answered", () => {
    it("is to the byte the same from PostgreSQL as from SQLite, for every question of the demonstration", async () => {
      const [one, other] = [await start(undefined), await start(await postgres.createDatabase())];
      const questions = [...questionsOf(JSON.parse(readFileSync(join(DEMO, "questions.json"), "utf8"))), ...KEYWORDS];
      expect(questions.length).toBeGreaterThan(20);
      for (const message of questions) {
        const asked = async (instance: Instance): Promise<string[]> => {
          const found = await instance.call("POST", "/search", { query: message });
          const answer = await instance.call("POST", "/chat/send-chat-message", { message, stream: false });
          return [found, answer].map(({ body }) => withoutIds(JSON.stringify(body)));
        };
        const [found, answer] = await asked(one);
        expect(await asked(other)).toEqual([found, answer]);
        expect(answer).toContain('"answer":"');
      }
    });
  });
});

/** What people type besides: keywords, a slip, and what many passages hold. */
const KEYWORDS = ["annual leave carried over", "expences travel", "the team", "on-call rota", "vpn"];

/** Every text that ends as a question, wherever it stands. */
function questionsOf(value: unknown): string[] {
  if (typeof value === "string") return value.endsWith("?") ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(questionsOf) : [];
}

/** Without what is drawn or counted anew for each reply. */
function withoutIds(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UUID")
    .replaceAll(/"((?:user_|reserved_assistant_)?message_id)":\d+/g, '"$1":0');
}
