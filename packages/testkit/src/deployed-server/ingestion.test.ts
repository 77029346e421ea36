import { describe, expect, it } from "vitest";
import type { DeployedServer } from "./deployed-server.ts";
import { call, started, told } from "./routes/calling.ts";

const bikes = {
  id: "bikes",
  semantic_identifier: "Bikes",
  sections: [{ text: "Bikes stand in the yard." }],
  metadata: {},
};

async function ingest(server: DeployedServer, document: object, cc_pair_id?: number) {
  const body = { document, ...(cc_pair_id === undefined ? {} : { cc_pair_id }) };
  return told(call(server, "POST", "/onyx-api/ingestion", { key: server.keys.admin, body }));
}

async function found(server: DeployedServer, query: string): Promise<unknown[]> {
  const { body } = await told(call(server, "POST", "/search", { key: server.keys.member, body: { query } }));
  return (body as { results: unknown[] }).results;
}

const existed = (document_id: string, already_existed: boolean) => ({
  status: 200,
  body: { document_id, already_existed },
});

describe("ingestion", () => {
  it("indexes before it answers, and only what is new is called new", async () => {
    const server = await started();
    expect(await ingest(server, bikes)).toEqual(existed("bikes", false));
    expect(await found(server, "bikes")).toMatchObject([
      { citation_id: 1, title: "Bikes", content: "Bikes stand in the yard.", link: null, source_type: "ingestion_api" },
    ]);
    const changed = { ...bikes, sections: [{ text: "Bikes stand in the cellar.", link: "https://x.example" }] };
    expect(await ingest(server, changed)).toEqual(existed("bikes", true));
    expect(await found(server, "bikes")).toMatchObject([
      { content: expect.stringMatching(/cellar/), link: "https://x.example" },
    ]);
  });

  it.each([
    ["a b/c", "a_b%2Fc"],
    ["https://e.com/?x=ü#(1)", "https%3A%2F%2Fe.com%2F%3Fx%3D%C3%BC%23%281%29"],
    ["50%", "50%25"],
    [undefined, "ingestion_api_My_page%2F1"],
    ["", "ingestion_api_My_page%2F1"],
  ])("calls %j %s", async (id, documentId) => {
    const server = await started();
    expect(await ingest(server, { ...bikes, semantic_identifier: "My page/1", id })).toEqual(
      existed(documentId, false),
    );
    const path = (name: string) => `/onyx-api/ingestion/${encodeURIComponent(name)}`;
    const key = server.keys.admin;
    expect(await told(call(server, "DELETE", path(documentId), { key }))).toEqual({ status: 200, body: null });
    expect(await told(call(server, "DELETE", path(documentId), { key }))).toMatchObject({
      status: 404,
      body: { error_code: "DOCUMENT_NOT_FOUND" },
    });
    expect(await found(server, "bikes")).toEqual([]);
  });

  it("knows no route for an id with a slash that is escaped once", async () => {
    const server = await started();
    await ingest(server, { ...bikes, id: "a/b" });
    const key = server.keys.admin;
    expect(await told(call(server, "DELETE", "/onyx-api/ingestion/a%2Fb", { key }))).toEqual({
      status: 404,
      body: { detail: "404: Not Found" },
    });
    expect(server.documents.size).toBe(1);
  });

  it("skips what has not changed, unless it is newer: links and metadata alone are no change", async () => {
    const server = await started();
    const dated = (seconds: number, link: string) => ({
      ...bikes,
      sections: [{ text: "Bikes stand in the yard.", link }],
      metadata: { link },
      doc_updated_at: `2026-01-01T00:00:0${seconds}Z`,
    });
    expect(await ingest(server, dated(1, "https://old.example"))).toEqual(existed("bikes", false));
    for (const seconds of [1, 0]) await ingest(server, dated(seconds, "https://new.example"));
    expect(await found(server, "bikes")).toMatchObject([{ link: "https://old.example" }]);
    expect(await ingest(server, dated(2, "https://new.example"))).toEqual(existed("bikes", true));
    expect(await found(server, "bikes")).toMatchObject([
      { link: "https://new.example", updated_at: "2026-01-01T00:00:02+00:00" },
    ]);
    await ingest(server, { ...dated(0, ""), sections: [{ text: "Older words about bikes." }] });
    expect(await found(server, "bikes")).toMatchObject([{ content: "Older words about bikes." }]);
  });

  it("fails in silence on a time without an offset, from the second time on", async () => {
    const server = await started();
    const naive = { ...bikes, doc_updated_at: "2026-01-01T00:00:00" };
    expect(await ingest(server, naive)).toEqual(existed("bikes", false));
    await ingest(server, { ...naive, doc_updated_at: "2026-02-01", sections: [{ text: "Bikes are gone." }] });
    expect(await found(server, "bikes")).toMatchObject([{ content: "Bikes stand in the yard." }]);
  });

  it("takes documents while the embedder is away, and does not find them", async () => {
    const server = await started();
    server.faults.embedder = "down";
    expect(await ingest(server, bikes)).toEqual(existed("bikes", true));
    expect(await found(server, "bikes")).toEqual([]);
    const { body } = await told(call(server, "GET", "/onyx-api/ingestion", { key: server.keys.admin }));
    expect(body).toEqual([{ document_id: "bikes", semantic_id: "Bikes", link: "" }]);
    server.faults.embedder = "up";
    expect(await ingest(server, bikes)).toEqual(existed("bikes", false));
    expect(await found(server, "bikes")).toHaveLength(1);
    server.faults.embedder = (id, number) => id === "cars" && number < 4;
    const cars = { ...bikes, id: "cars", sections: [{ text: "Cars stand outside." }] };
    for (const expected of [true, true, false]) expect(await ingest(server, cars)).toEqual(existed("cars", expected));
    expect([server.documents.size, server.index.size]).toEqual([2, 2]);
  });

  it("has pairs that own documents, and knows those there are", async () => {
    const server = await started();
    await ingest(server, bikes);
    expect(await ingest(server, bikes, 2)).toEqual(existed("bikes", true));
    expect(await ingest(server, bikes, 99)).toMatchObject({ status: 404, body: { error_code: "CONNECTOR_NOT_FOUND" } });
    const key = server.keys.admin;
    expect((await told(call(server, "GET", "/onyx-api/connector-docs/2", { key }))).body).toMatchObject([
      { document_id: "bikes" },
    ]);
    expect((await told(call(server, "GET", "/manage/admin/connector/status", { key }))).body).toMatchObject([
      { cc_pair_id: 2, connector: { source: "web" }, access_type: "public" },
      { cc_pair_id: 3, connector: { source: "file" }, access_type: "private" },
    ]);
    expect((await call(server, "GET", "/manage/admin/cc-pair/1", { key })).status).toBe(200);
    server.documentSets.push({ id: 1, name: "Wiki", description: "", pairs: [3] });
    const body = { query: "bikes", document_sets: ["Wiki"] };
    expect((await told(call(server, "POST", "/search", { key, body }))).body).toEqual({ results: [] });
  });

  it("wants metadata, and breaks on what is none", async () => {
    const server = await started();
    const { metadata, ...without } = bikes;
    expect(metadata).toEqual({});
    expect((await ingest(server, without)).body).toMatchObject({
      message: expect.stringMatching(/'loc': \('body', 'document', 'metadata'\)/),
    });
    expect((await ingest(server, { ...without, metadata: null })).status).toBe(500);
    await ingest(server, { ...without, metadata: { n: 1, yes: true, list: [null, "a"] } });
    expect(server.index.get("bikes")?.metadata).toEqual({ n: "1", yes: "True", list: ["None", "a"] });
    expect((await ingest(server, { ...bikes, sections: [{ link: "https://x.example" }] })).status).toBe(422);
    expect((await ingest(server, { ...bikes, sections: [{ image_file_id: "x" }] })).status).toBe(200);
  });

  it("is not there on a server without search, whoever asks", async () => {
    const server = await started();
    server.faults.ingestion = "missing";
    expect((await call(server, "POST", "/onyx-api/ingestion", { body: {} })).status).toBe(501);
    expect((await call(server, "POST", "/search", { body: {} })).status).toBe(501);
  });
});

describe("uploads", () => {
  it("are taken one by one, and ready when asked for", async () => {
    const server = await started();
    const form = new FormData();
    form.append("files", new File(["a,b"], "a.csv", { type: "text/csv" }));
    form.append("files", new File(["x"], "x.bin"));
    const key = server.keys.admin;
    const init = { method: "POST", body: form, headers: { authorization: `Bearer ${key}` } };
    const { body } = await told(fetch(`${server.url}/user/projects/file/upload`, init));
    const { user_files, rejected_files } = body as { user_files: { id: string }[]; rejected_files: unknown };
    expect(user_files).toMatchObject([{ name: "a.csv", status: "PROCESSING", chat_file_type: "tabular" }]);
    expect(rejected_files).toEqual([{ file_name: "x.bin", reason: "Unsupported file type: .bin" }]);
    const file_ids = user_files.map(({ id }) => id);
    const statuses = call(server, "POST", "/user/projects/file/statuses", { key, body: { file_ids } });
    expect((await told(statuses)).body).toMatchObject([{ status: "COMPLETED" }]);
    expect([...server.uploads.values()].map(({ bytes }) => bytes.toString())).toEqual(["a,b"]);
  });
});
