import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createService, type Service } from "../index.ts";
import { addKey } from "../http/keys.ts";
import { addConnector, addCredential, addDocumentSet, addPair, ConnectorError, findPair } from "../store/connectors.ts";
import { Database } from "../store/sqlite/database.ts";

const ADMIN = "tl_TESTadmin";
const EDITOR = "tl_TESTeditor";
const ORDINARY = "tl_TESTordinary";

let folder: string;
let db: Database;
let service: Service;

// The store is reached through a connection of its own, as the command line does while the service runs.
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "threadlore-credentials-"));
  const database = join(folder, "service.sqlite");
  service = createService({ database, apiKey: ADMIN });
  db = new Database(database);
  db.transact(addKey(EDITOR, { name: "ed", role: "editor" }, 0));
  db.transact(addKey(ORDINARY, { name: "ord", role: "ordinary" }, 0));
});

afterEach(async () => {
  db.close();
  await service.close();
  rmSync(folder, { recursive: true });
});

async function call(
  method: string,
  path: string,
  body?: unknown,
  key = ADMIN,
): Promise<{ status: number; body: unknown }> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const reply = await service.fetch(new Request(`http://127.0.0.1${path}`, init));
  return { status: reply.status, body: await reply.json() };
}

const swap = (body: unknown, key?: string) => call("PUT", "/manage/admin/credential/swap", body, key);

function wiki(): { connector: number; first: number; second: number; pair: number } {
  const connector = db.transact(addConnector({ name: "Wiki", source: "web" }));
  const first = db.transact(addCredential({ name: "first", source: "web" }));
  const second = db.transact(addCredential({ name: "second", source: "web" }));
  const pair = db.transact(addPair({ name: "Wiki pages", connectorId: connector, credentialId: first }));
  return { connector, first, second, pair };
}

function addDocument(id: string, pair: number, status: string, failure: string | null, sequence: number): void {
  db.run(
    `INSERT INTO documents (id, pair_id, sequence, semantic_identifier, title, source, sections, metadata, updated_at,
                            status, failure)
     VALUES (?, ?, ?, ?, '', 'web', '[]', '{}', 0, ?, ?)`,
    id,
    pair,
    sequence,
    `Title of ${id}`,
    status,
    failure,
  );
}

describe("credential swap", () => {
  it("replaces the credential of the connector and answers in the specified shape", async () => {
    const { connector, second, pair } = wiki();
    expect(await swap({ new_credential_id: second, connector_id: connector })).toEqual({
      status: 200,
      body: { success: true, message: "Credential swapped successfully", data: null },
    });
    expect(db.perform(findPair(pair))?.credential.id).toBe(second);
  });

  it("accepts the access_type deployed servers demand and leaves the pair's access as it is", async () => {
    const { connector, second, pair } = wiki();
    const reply = await swap({ new_credential_id: second, connector_id: connector, access_type: "public" });
    expect(reply.status).toBe(200);
    expect(db.perform(findPair(pair))?.access).toBe("private");
  });

  it("succeeds again when it is repeated, so that a retry does no harm", async () => {
    const { connector, second } = wiki();
    await swap({ new_credential_id: second, connector_id: connector });
    expect((await swap({ new_credential_id: second, connector_id: connector })).status).toBe(200);
  });

  it("swaps in every pair of a connector whose pairs use one credential", async () => {
    const { connector, first, second, pair } = wiki();
    const other = db.transact(addPair({ name: "Again", connectorId: connector, credentialId: first }));
    expect((await swap({ new_credential_id: second, connector_id: connector })).status).toBe(200);
    expect([pair, other].map((id) => db.perform(findPair(id))?.credential.id)).toEqual([second, second]);
  });

  it("refuses a connector whose pairs use several credentials, and names them", async () => {
    const { connector, first, second, pair } = wiki();
    const other = db.transact(addPair({ name: "Again", connectorId: connector, credentialId: second }));
    const reply = await swap({ new_credential_id: first, connector_id: connector });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({
      detail: expect.stringContaining(
        `pair ${pair} uses credential ${first}, pair ${other} uses credential ${second}`,
      ) as unknown,
    });
    expect(db.perform(findPair(pair))?.credential.id).toBe(first);
  });

  it.each([
    [
      "an unknown credential",
      (made: ReturnType<typeof wiki>) => [999, made.connector],
      "Credential not found: there is no credential 999.",
    ],
    [
      "an unknown connector",
      (made: ReturnType<typeof wiki>) => [made.second, 999],
      "Connector not found: there is no connector 999.",
    ],
  ] as const)("refuses %s in plain words", async (_case, ids, detail) => {
    const [new_credential_id, connector_id] = ids(wiki());
    expect(await swap({ new_credential_id, connector_id })).toEqual({
      status: 400,
      body: { error_code: "CREDENTIAL_SWAP_REFUSED", detail },
    });
  });

  it("refuses a connector without a pair and a credential of another source", async () => {
    const { connector } = wiki();
    const lonely = db.transact(addConnector({ name: "Lonely", source: "file" }));
    const file = db.transact(addCredential({ name: "file", source: "file" }));
    const noPair = await swap({ new_credential_id: file, connector_id: lonely });
    const wrongSource = await swap({ new_credential_id: file, connector_id: connector });
    expect([noPair.status, wrongSource.status]).toEqual([400, 400]);
    expect(JSON.stringify(noPair.body)).toContain("No pair joins connector");
    expect(JSON.stringify(wrongSource.body)).toContain(
      `Credential ${file} is for file, connector ${connector} is for web`,
    );
  });

  it.each([
    ["a missing field", { new_credential_id: 1 }, ["body", "connector_id"]],
    ["a wrong type", { new_credential_id: "2", connector_id: 1 }, ["body", "new_credential_id"]],
    ["a fraction", { new_credential_id: 2, connector_id: 1.5 }, ["body", "connector_id"]],
    ["an unknown access_type", { new_credential_id: 1, connector_id: 1, access_type: "nope" }, ["body", "access_type"]],
    ["an array", [], ["body"]],
  ])("answers %s with an HTTPValidationError that tells where", async (_case, body, loc) => {
    const reply = await swap(body);
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ detail: [{ loc, msg: expect.any(String), type: expect.any(String) }] });
  });

  it.each([ORDINARY, EDITOR])("is for admin keys only (%s)", async (key) => {
    const { connector, second } = wiki();
    const reply = await swap({ new_credential_id: second, connector_id: connector }, key);
    expect(reply).toMatchObject({ status: 403, body: { error_code: "INSUFFICIENT_PERMISSIONS" } });
  });

  it("checks the role before it looks at the body", async () => {
    expect((await swap({}, ORDINARY)).status).toBe(403);
  });
});

describe("connector listings", () => {
  it("lists pairs with their document counts, without the default pair", async () => {
    const { pair } = wiki();
    addDocument("a", pair, "indexed", null, 1);
    addDocument("b", pair, "failed", "no text in it", 2);
    addDocument("c", pair, "pending", null, 3);
    addDocument("d", 1, "indexed", null, 4);
    const { body } = await call("GET", "/manage/admin/connector/status", undefined, EDITOR);
    expect(body).toMatchObject([
      {
        cc_pair_id: pair,
        name: "Wiki pages",
        connector: { source: "web" },
        access_type: "private",
        documents: { pending: 1, indexed: 1, failed: 1 },
      },
    ]);
  });

  it("shows a pair's documents, failed ones first and with the reason", async () => {
    const { pair } = wiki();
    addDocument("a", pair, "indexed", null, 1);
    addDocument("b", pair, "failed", "no text in it", 2);
    addDocument("c", pair, "pending", null, 3);
    const { body } = await call("GET", `/manage/admin/cc-pair/${pair}?page_size=2`);
    expect(body).toMatchObject({
      cc_pair_id: pair,
      documents: { pending: 1, indexed: 1, failed: 1 },
      document_list: [
        { document_id: "b", semantic_identifier: "Title of b", status: "failed", failure: "no text in it" },
        { document_id: "c", status: "pending", failure: null },
      ],
    });
    const next = await call("GET", `/manage/admin/cc-pair/${pair}?page_size=2&page_num=1`);
    expect(next.body).toMatchObject({ document_list: [{ document_id: "a" }] });
  });

  it("shows the default pair when it is asked for by number", async () => {
    expect(await call("GET", "/manage/admin/cc-pair/1")).toMatchObject({
      status: 200,
      body: { access_type: "private" },
    });
  });

  it("answers an unknown pair with 404 and a number that is none with 422", async () => {
    expect(await call("GET", "/manage/admin/cc-pair/77")).toMatchObject({
      status: 404,
      body: { error_code: "CONNECTOR_NOT_FOUND" },
    });
    expect(await call("GET", "/manage/admin/cc-pair/x")).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["path", "id"] }] },
    });
    expect(await call("GET", "/manage/admin/cc-pair/1?page_size=5000")).toMatchObject({ status: 422 });
  });

  it("shows an editor bound to document sets the pairs in them and no others", async () => {
    const { connector, first, pair } = wiki();
    const closed = db.transact(addPair({ name: "Board", connectorId: connector, credentialId: first }));
    db.transact(addDocumentSet({ name: "Pages", pairIds: [pair] }));
    db.transact(addKey("tl_TESTbound", { name: "bound", role: "editor", documentSets: ["Pages"] }, 0));
    const list = await call("GET", "/manage/admin/connector/status", undefined, "tl_TESTbound");
    expect(list.body).toMatchObject([{ cc_pair_id: pair }]);
    expect(list.body).toHaveLength(1);
    expect((await call("GET", `/manage/admin/cc-pair/${pair}`, undefined, "tl_TESTbound")).status).toBe(200);
    expect((await call("GET", `/manage/admin/cc-pair/${closed}`, undefined, "tl_TESTbound")).status).toBe(404);
  });

  it("keeps credentials for admin keys and pairs from ordinary ones", async () => {
    wiki();
    const credentials = await call("GET", "/manage/admin/credential");
    expect(credentials.body).toMatchObject([{ id: 1 }, { name: "first", source: "web" }, { name: "second" }]);
    expect((await call("GET", "/manage/admin/credential", undefined, EDITOR)).status).toBe(403);
    expect((await call("GET", "/manage/admin/connector/status", undefined, ORDINARY)).status).toBe(403);
    expect((await call("GET", "/manage/admin/cc-pair/1", undefined, ORDINARY)).status).toBe(403);
  });
});

describe("what the store refuses", () => {
  it("joins only what exists and is for the same source", () => {
    const { connector } = wiki();
    const file = db.transact(addCredential({ name: "file", source: "file" }));
    expect(() => db.transact(addPair({ name: "x", connectorId: connector, credentialId: file }))).toThrow(
      ConnectorError,
    );
    expect(() => db.transact(addPair({ name: "x", connectorId: 99, credentialId: file }))).toThrow(
      "there is no connector 99",
    );
    expect(() => db.transact(addConnector({ name: "x", source: "Not A Source" }))).toThrow("lower-case identifier");
  });

  it("adds no half of a document set", () => {
    expect(() => db.transact(addDocumentSet({ name: "Half", pairIds: [1, 99] }))).toThrow("There is no pair 99.");
    expect(db.get("SELECT id FROM document_sets")).toBeUndefined();
    db.transact(addDocumentSet({ name: "Whole", pairIds: [1] }));
    expect(() => db.transact(addDocumentSet({ name: "Whole", pairIds: [] }))).toThrow("exists already");
  });
});
