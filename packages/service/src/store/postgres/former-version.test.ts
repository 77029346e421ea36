import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@threadlore/client";
import { Connections } from "@threadlore/postgres";
import { testWithPostgres } from "@threadlore/testkit/postgres";
import { afterEach, expect, it } from "vitest";
import { type RunningService, serve } from "../../serve.ts";
import { temporaryFolder } from "../../service.harness.ts";

/** Keys of the database in `fixtures`, which the first version on PostgreSQL wrote. */
const OWNER = "tl_TESTowner-of-before";
const WORKS = "tl_TESTworks-of-before";
const GONE = "tl_TESTgone-of-before";
const QUESTION = "How many bar does the pump run at?";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function get({ url }: RunningService, key: string, path: string): Promise<string> {
  const reply = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  expect(reply.status, path).toBe(200);
  return reply.text();
}

await testWithPostgres((postgres) => {
  it("a database of the first version on PostgreSQL is served as it was, by two instances that start at one moment", async () => {
    const databaseUrl = await postgres.createDatabase();
    const connections = new Connections({ url: databaseUrl, application: "test", schema: "public" });
    const sql = readFileSync(join(import.meta.dirname, "../fixtures/postgres-1.sql"), "utf8");
    await connections.once((client) => client.query(sql));
    await connections.close();
    const start = async (): Promise<RunningService> => {
      const folder = temporaryFolder();
      cleanups.push(folder.remove);
      const service = await serve({ database: join(folder.path, "copy.db"), databaseUrl, port: 0 });
      cleanups.push(() => service.close());
      await service.service.drain();
      return service;
    };
    const [one, other] = await Promise.all([start(), start()]);
    expect([one.firstKey, other.firstKey]).toEqual([undefined, undefined]);
    const as = (apiKey: string, { url }: RunningService) => createClient({ baseUrl: url, apiKey });
    expect((await as(OWNER, one).sendMessage({ message: QUESTION })).answer).toContain("forty bar");
    expect((await as(WORKS, other).sendMessage({ message: QUESTION })).answer).toContain("nine bar");
    await expect(as(GONE, other).sendMessage({ message: QUESTION })).rejects.toMatchObject({ status: 401 });
    expect(await get(one, WORKS, "/service-api/ingestion")).not.toContain("Straße");
    const [conversation = ""] =
      (await get(other, OWNER, "/chat/get-user-chat-sessions")).match(/[0-9a-f-]{36}/g)?.slice(-1) ?? [];
    const session = await get(one, OWNER, `/chat/get-chat-session/${conversation}`);
    expect(session).toContain("The pump runs at forty bar.");
    expect(session).toMatch(/"current_feedback":"like"/);
  });
});
