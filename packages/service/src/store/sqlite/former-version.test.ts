import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createClient } from "@threadlore/client";
import { afterEach, expect, it } from "vitest";
import { type RunningService, serve } from "../../serve.ts";
import { temporaryFolder } from "../../service.harness.ts";
import { SCHEMA_VERSION } from "./migrations.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Keys of the database in `fixtures`, which the version before PostgreSQL wrote with schema 13. */
const OWNER = "tl_TESTowner-of-before";
const WORKS = "tl_TESTworks-of-before";
const GONE = "tl_TESTgone-of-before";
const QUESTION = "How many bar does the pump run at?";

/** The former version's database as a file, without the index it had beside it. */
function formerDatabase(): string {
  const folder = temporaryFolder();
  cleanups.push(folder.remove);
  const file = join(folder.path, "threadlore.db");
  const db = new DatabaseSync(file);
  db.exec(readFileSync(join(import.meta.dirname, "../fixtures/schema-13.sql"), "utf8"));
  db.close();
  return file;
}

async function get({ url }: RunningService, key: string, path: string): Promise<string> {
  const reply = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  expect(reply.status, path).toBe(200);
  return reply.text();
}

it("a database of the version before is served as it was: documents, pairs, keys, conversations, feedback and files", async () => {
  const database = formerDatabase();
  const service = await serve({ database, port: 0 });
  cleanups.push(() => service.close());
  // No key is made where there is one.
  expect(service.firstKey).toBeUndefined();
  await service.service.drain();
  const as = (apiKey: string) => createClient({ baseUrl: service.url, apiKey });
  expect((await as(OWNER).sendMessage({ message: QUESTION })).answer).toContain("forty bar");
  // Whoever sees one set alone is answered from that, though both documents have one id.
  expect((await as(WORKS).sendMessage({ message: QUESTION })).answer).toContain("nine bar");
  await expect(as(GONE).sendMessage({ message: QUESTION })).rejects.toMatchObject({ status: 401 });
  const listed = await get(service, OWNER, "/service-api/ingestion");
  for (const id of ["pump", "Straße/ä"]) expect(listed).toContain(`"document_id":"${id}"`);
  expect(await get(service, WORKS, "/service-api/ingestion")).not.toContain("Straße");
  const [conversation = ""] =
    (await get(service, OWNER, "/chat/get-user-chat-sessions")).match(/[0-9a-f-]{36}/g)?.slice(-1) ?? [];
  const session = await get(service, OWNER, `/chat/get-chat-session/${conversation}`);
  expect(session).toContain("The pump runs at forty bar.");
  expect(session).toMatch(/"current_feedback":"like"/);
  const reply = await as(OWNER).ingest({
    document: { id: "pump", semantic_identifier: "The pump", sections: [{ text: "The pump runs at fifty bar." }] },
  });
  expect(reply.already_existed).toBe(true);
  await service.service.drain();
  expect((await as(OWNER).sendMessage({ message: QUESTION })).answer).toContain("fifty bar");
  // As it was, it lies beside.
  expect(existsSync(`${database}.before-schema-${SCHEMA_VERSION}-was-13`)).toBe(true);
});
