import { afterEach, describe, expect, it } from "vitest";
import { addKey } from "../http/keys.ts";
import { createService, type Service } from "../index.ts";
import { addDocumentSet } from "../store/connectors.ts";
import { listDocuments, newestDocuments } from "../store/documents.ts";
import { Database } from "../store/sqlite/database.ts";
import { type SqlStep, sqliteText, type Steps } from "../store/steps.ts";
import { listTags } from "../store/tags.ts";
import { send } from "./looks.harness.ts";

const EVEN_MS = 150;
const LIMITED = "tl_TESTlimited";
const OWNER = "tl_TESTowner";

const opened: Service[] = [];
afterEach(async () => {
  for (const service of opened.splice(0)) await service.close();
});

async function withHidden(evenMs: number): Promise<{ service: Service; database: Database }> {
  const database = new Database(":memory:");
  database.run("INSERT INTO pairs VALUES (2, 'Seen', 1, 1, 'private'), (3, 'Hidden', 1, 1, 'private')");
  database.transact(addDocumentSet({ name: "Seen", pairIds: [2] }));
  database.transact(addKey(OWNER, { name: "owner", role: "admin" }, 0));
  database.transact(addKey(LIMITED, { name: "limited", role: "editor", documentSets: ["Seen"] }, 0));
  const service = createService({ database, settings: { evenMs }, logLevel: "silent" });
  opened.push(service);
  for (const pair of [2, 3]) {
    const sections = [{ text: "The lift is kept by Bo." }];
    const metadata = { team: "lift" };
    const document = { id: `${pair}.md`, semantic_identifier: "Lifts", sections, source: "file", metadata };
    await send(service, OWNER, "POST", "/service-api/ingestion", { document, cc_pair_id: pair });
  }
  await service.drain();
  return { service, database };
}

type Sent = readonly [method: string, path: string, body?: unknown];

const tool = (name: string, given: unknown): Sent => [
  "POST",
  "/mcp",
  { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } },
];

const WAYS: readonly Sent[] = [
  ["POST", "/search", { query: "Who keeps the lift?" }],
  ["POST", "/chat/send-chat-message", { message: "Who keeps the lift?", stream: true }],
  ["POST", "/chat/send-chat-message", { message: "Who keeps the lift?", stream: false }],
  tool("search", { query: "Who keeps the lift?" }),
  tool("ask", { question: "Who keeps the lift?" }),
  ["GET", "/query/valid-tags"],
  ["GET", "/service-api/ingestion"],
  ["GET", "/service-api/connector-docs/2"],
  ["GET", "/persona"],
];

describe("how long a reply takes to whoever does not see everything", () => {
  it("has a least that does not depend on what is hidden, by every way that reads documents", async () => {
    const { service } = await withHidden(EVEN_MS);
    for (const [method, path, body] of WAYS) {
      const begun = performance.now();
      const { status, text } = await send(service, LIMITED, method, path, body);
      expect(status, text).toBe(200);
      // A timer may be a millisecond early.
      expect(performance.now() - begun, path).toBeGreaterThanOrEqual(EVEN_MS - 2);
    }
  });

  it("is not that of who sees everything", async () => {
    const { service } = await withHidden(20_000);
    const begun = performance.now();
    expect((await send(service, OWNER, "POST", "/search", { query: "Who keeps the lift?" })).text).toContain("Bo");
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  it("keeps nobody else waiting: who waits for a moment is not at work", async () => {
    const { service } = await withHidden(8_000);
    const begun = performance.now();
    const waiting = Array.from({ length: 8 }, () => send(service, LIMITED, "POST", "/search", { query: "the lift" }));
    expect((await send(service, OWNER, "POST", "/search", { query: "Who keeps the lift?" })).text).toContain("Bo");
    expect(performance.now() - begun).toBeLessThan(8_000);
    await Promise.all(waiting);
  }, 60_000);
});

describe("lists of somebody's documents", () => {
  const lists: readonly [string, () => Steps<unknown>][] = [
    ["documents", () => listDocuments([2])],
    ["newest documents", () => newestDocuments([2], 5)],
    ["tags", () => listTags([2], { prefix: "", sources: [], limit: 10 })],
  ];
  it.each(lists)("are read from their pairs alone: %s", async (_, list) => {
    const { database } = await withHidden(0);
    const { sql, given } = list().next().value as SqlStep;
    const plan = database.sqlite.prepare(`EXPLAIN QUERY PLAN ${sqliteText(sql)}`).all(...given);
    const said = plan.map(({ detail }) => String(detail)).join("\n");
    expect(said).toMatch(/SEARCH documents USING (?:COVERING )?INDEX documents_by_pair/);
    expect(said).not.toMatch(/SCAN (?:documents|tags)/);
  });
});
