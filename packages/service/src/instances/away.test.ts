import { afterEach, expect, it, vi } from "vitest";
import { afterThisTest } from "@threadlore/testkit";
import { createService } from "../index.ts";
import { Database } from "../store/sqlite/database.ts";
import { DatabaseError } from "../store/sqlite/database-error.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";

afterEach(() => vi.restoreAllMocks());

it("an answer whose database is away while it is written comes whole, and is kept once it is back", async () => {
  let isAway = false;
  for (const way of ["write", "makeRoom"] as const) {
    const own = SqliteStore.prototype[way];
    vi.spyOn(SqliteStore.prototype, way).mockImplementation(function (this: SqliteStore, steps) {
      const away = () => Promise.reject(new DatabaseError("unreachable", "x", "The database cannot be reached."));
      return isAway ? away() : own.call(this, steps);
    });
  }
  const db = new Database(":memory:");
  const key = "tl_TESTaway";
  const service = createService({ database: db, apiKey: key, logLevel: "silent" });
  afterThisTest(() => service.close());
  const ask = (path: string, body: object) =>
    service.fetch(
      new Request(`http://127.0.0.1${path}`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      }),
    );
  const sections = [{ text: "The ferry to Norderney leaves at noon from pier two." }];
  const document = { id: "d", semantic_identifier: "Ferry", sections, source: "web", metadata: {} };
  await ask("/service-api/ingestion", { document });
  await service.drain();
  const reply = await ask("/chat/send-chat-message", { message: "When does the ferry leave?", stream: true });
  let text = "";
  for await (const piece of reply.body ?? []) {
    text += new TextDecoder().decode(piece);
    if (text.includes("reserved_assistant_message_id")) isAway = true;
  }
  expect(text).toContain("at noon");
  expect(text).toMatch(/"type":"stop","stop_reason":null/);
  const kept = () => db.get("SELECT status, text FROM messages WHERE role = 'assistant'");
  expect(kept()).toMatchObject({ status: "running" });
  isAway = false;
  await vi.waitFor(
    () => expect(kept()).toMatchObject({ status: "done", text: expect.stringContaining("at noon") }),
    5_000,
  );
});
