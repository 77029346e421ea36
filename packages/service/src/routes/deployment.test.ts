import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createService, type Service } from "../index.ts";
import { addKey } from "../http/keys.ts";
import { addDocumentSet } from "../store/connectors.ts";
import { Database } from "../store/sqlite/database.ts";
import { addTool } from "../store/tools.ts";

const KEYS = { admin: "tl_TESTadmin", editor: "tl_TESTeditor", ordinary: "tl_TESTordinary", limited: "tl_TESTlimited" };

let folder: string;
let service: Service;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "threadlore-deployment-"));
  const database = join(folder, "service.sqlite");
  const db = new Database(database);
  db.transact(addKey(KEYS.editor, { name: "ed", role: "editor" }, 0));
  db.transact(addKey(KEYS.ordinary, { name: "Ord Inary", role: "ordinary" }, 0));
  db.transact(addKey(KEYS.limited, { name: "lim", role: "ordinary", documentSets: ["Handbook"] }, 0));
  const pair = db.run(
    "INSERT INTO pairs (name, connector_id, credential_id, access_type) VALUES ('Open', 1, 1, 'public')",
  ).lastId;
  db.transact(addDocumentSet({ name: "Handbook", pairIds: [pair] }));
  db.transact(addDocumentSet({ name: "Board", pairIds: [1] }));
  addPersona(db, "CANARY-board", ["Board"]);
  addPersona(db, "Both", ["Board", "Handbook"]);
  db.transact(addTool({ name: "CANARY-tool", description: "", definition: {} }));
  addTagged(db, "handbook", pair, ["team", "People"]);
  addTagged(db, "minutes", 1, ["topic", "CANARY-merger"]);
  db.close();
  service = createService({ database, apiKey: KEYS.admin, settings: { anonymous: true } });
});

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

function addPersona(db: Database, name: string, sets: string[]): void {
  db.run(
    "INSERT INTO personas (name, description, instructions, document_sets) VALUES (?, '', '', ?)",
    name,
    JSON.stringify(sets),
  );
}

function addTagged(db: Database, id: string, pair: number, [key, value]: [string, string]): void {
  db.run(
    `INSERT INTO documents (id, pair_id, sequence, semantic_identifier, title, source, sections, metadata, updated_at, status)
     VALUES (?, ?, ?, ?, '', 'web', '[]', '{}', 0, 'indexed')`,
    id,
    pair,
    pair,
    id,
  );
  db.run("INSERT INTO tags SELECT number, ?, ? FROM documents WHERE id = ?", key, value, id);
}

async function get(path: string, key?: string): Promise<unknown> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const reply = await service.fetch(new Request(`http://127.0.0.1${path}`, { headers }));
  return reply.json();
}

async function post(path: string, body: unknown, key?: string): Promise<unknown> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  headers["content-type"] = "application/json";
  const request = new Request(`http://127.0.0.1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return (await service.fetch(request)).json();
}

function ask(request: Record<string, unknown>, key?: string): Promise<unknown> {
  return post("/chat/send-chat-message", { ...request, stream: false }, key);
}

describe("who is calling", () => {
  it.each([
    ["admin", "owner", ["admin", "manage:actions", "manage:connectors", "write:chat"]],
    ["editor", "ed", ["manage:connectors", "write:chat"]],
    ["ordinary", "Ord Inary", ["read:search", "write:chat"]],
  ] as const)("tells an %s key what it may do", async (role, user, permissions) => {
    const me = await get("/me", KEYS[role]);
    expect(me).toMatchObject({ id: user, role, is_anonymous_user: false });
    expect(me).toHaveProperty("effective_permissions", expect.arrayContaining([...permissions]));
  });

  it("claims no admin permission for an ordinary key", async () => {
    const { effective_permissions } = (await get("/me", KEYS.ordinary)) as { effective_permissions: string[] };
    expect(effective_permissions.filter((permission) => /^(manage:|admin)/.test(permission))).toEqual([]);
  });

  it("shows an address even for a user whose name is none", async () => {
    expect(await get("/me", KEYS.ordinary)).toHaveProperty("email", "Ord%20Inary@threadlore.invalid");
  });

  it("tells whether a model answers or sources are quoted", async () => {
    expect(await get("/me", KEYS.ordinary)).toHaveProperty("answered_by", "quotes");
    const model = { baseUrl: "http://127.0.0.1:9", name: "scripted" };
    const written = createService({ database: ":memory:", apiKey: KEYS.admin, model });
    const headers = { authorization: `Bearer ${KEYS.admin}` };
    const reply = await written.fetch(new Request("http://127.0.0.1/me", { headers }));
    expect(await reply.json()).toHaveProperty("answered_by", "model");
    await written.close();
  });

  it("says so when the caller is nobody in particular", async () => {
    expect(await get("/me")).toMatchObject({ id: "__anonymous_user__", is_anonymous_user: true });
    expect(await get("/auth/type")).toMatchObject({ anonymous_user_enabled: true });
  });

  it("does not take a wrong key for the anonymous user", async () => {
    expect(await get("/me", "tl_TESTwrong")).toMatchObject({ error_code: "UNAUTHENTICATED" });
  });
});

describe("what the service offers", () => {
  it("has a version that nobody can take for a release of another server", async () => {
    const { backend_version } = (await get("/version", KEYS.ordinary)) as { backend_version: string };
    expect(backend_version).toMatch(/^threadlore-\d+\.\d+\.\d+/);
  });

  it("lists persona 0 and answers an unknown one with 404", async () => {
    expect(await get("/persona", KEYS.ordinary)).toMatchObject([
      { id: 0, is_listed: true, tools: [{ id: 1 }, { name: "CANARY-tool" }] },
      { name: "CANARY-board" },
      { name: "Both" },
    ]);
    expect(await get("/persona/0", KEYS.ordinary)).toMatchObject({ id: 0 });
    expect(await get("/persona/9", KEYS.ordinary)).toMatchObject({ error_code: "PERSONA_NOT_FOUND" });
  });

  it.each([
    ["a limited key", KEYS.limited],
    ["nobody in particular", undefined],
  ])("hides from %s the personas and document sets that are not theirs", async (_, key) => {
    const personas = (await get("/persona", key)) as { id: number; name: string; document_sets: unknown }[];
    expect(personas.slice(1)).toMatchObject([{ name: "Both", document_sets: [{ name: "Handbook" }] }]);
    expect(JSON.stringify(personas)).not.toContain("oard");
    expect(await get("/persona/1", key)).toMatchObject({ error_code: "PERSONA_NOT_FOUND" });
    expect(await ask({ message: "x", chat_session_info: { persona_id: 1 } }, key)).toMatchObject({
      detail: [{ loc: ["body", "chat_session_info", "persona_id"] }],
    });
  });

  it("shows callers without a key no custom tool, and calls none for them", async () => {
    expect(await get("/tool", KEYS.ordinary)).toMatchObject([{ id: 1 }, { name: "CANARY-tool" }]);
    expect(await get("/tool")).toMatchObject([{ id: 1 }]);
    expect(JSON.stringify(await get("/persona"))).not.toContain("CANARY-tool");
    expect(await ask({ message: "x", forced_tool_id: 2 })).toMatchObject({
      detail: [{ loc: ["body", "forced_tool_id"] }],
    });
    expect(await ask({ message: "x", allowed_tool_ids: [2] })).toMatchObject({
      detail: [{ loc: ["body", "allowed_tool_ids", 0] }],
    });
  });

  it("takes no feedback from callers without a key", async () => {
    const feedback = { chat_message_id: 1, is_positive: true };
    expect(await post("/chat/create-chat-message-feedback", feedback)).toMatchObject({
      error_code: "INSUFFICIENT_PERMISSIONS",
    });
  });

  it("shows document sets the caller may see, and says which are public", async () => {
    expect(await get("/manage/document-set", KEYS.ordinary)).toMatchObject([
      { name: "Board", is_public: false },
      { name: "Handbook", is_public: true, cc_pair_summaries: [{ name: "Open", source: "ingestion_api" }] },
    ]);
    expect(await get("/manage/document-set", KEYS.limited)).toMatchObject([{ name: "Handbook" }]);
    expect(await get("/manage/document-set")).toEqual([]);
  });

  it("shows tags of documents the caller may see and of no others", async () => {
    const handbook = { tag_key: "team", tag_value: "People", source: "web" };
    expect(await get("/query/valid-tags", KEYS.limited)).toEqual({ tags: [handbook] });
    expect(await get("/query/valid-tags")).toEqual({ tags: [handbook] });
    expect(await get("/query/valid-tags", KEYS.ordinary)).toEqual({
      tags: [handbook, { tag_key: "topic", tag_value: "CANARY-merger", source: "web" }],
    });
  });

  it("narrows tags by the beginning of a key or value, by source and by number", async () => {
    const names = async (query: string) =>
      ((await get(`/query/valid-tags?${query}`, KEYS.admin)) as { tags: { tag_value: string }[] }).tags.map(
        (tag) => tag.tag_value,
      );
    expect(await names("match_pattern=peo")).toEqual(["People"]);
    expect(await names("match_pattern=TOP")).toEqual(["CANARY-merger"]);
    expect(await names("match_pattern=%25")).toEqual([]);
    expect(await names("sources=file")).toEqual([]);
    expect(await names("sources=file&sources=web&limit=1")).toEqual(["People"]);
  });
});
