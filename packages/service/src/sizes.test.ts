import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inProcess, type OpenService } from "./service.harness.ts";

let api: OpenService;
beforeAll(async () => {
  api = await inProcess.open();
});
afterAll(() => api.close());

const document = (more: Record<string, unknown>) => ({
  document: { semantic_identifier: "x", source: "web", metadata: {}, sections: [{ text: "x" }], ...more },
});
const CHAT = "/chat/send-chat-message";
const INGEST = "/service-api/ingestion";

describe("T26 bodies with very many entries", () => {
  const many = Array.from({ length: 500_000 }, () => 9);
  it.each<[place: string, path: string, body: unknown, loc: (string | number)[]]>([
    ["allowed_tool_ids", CHAT, { message: "x", allowed_tool_ids: many }, ["body", "allowed_tool_ids"]],
    ["file_descriptors", CHAT, { message: "x", file_descriptors: many }, ["body", "file_descriptors"]],
    [
      "document_set",
      CHAT,
      { message: "x", internal_search_filters: { document_set: many } },
      ["body", "internal_search_filters", "document_set"],
    ],
    ["sections", INGEST, document({ sections: many }), ["body", "document", "sections"]],
    [
      "metadata",
      INGEST,
      document({ metadata: Object.fromEntries(many.slice(0, 1_001).map((_, index) => [`k${index}`, "v"])) }),
      ["body", "document", "metadata"],
    ],
    [
      "values of one key",
      INGEST,
      document({ metadata: { k: many.slice(0, 1_001).map(String) } }),
      ["body", "document", "metadata"],
    ],
  ])("T26 %s: a small refusal that names the place", async (_, path, body, loc) => {
    const reply = await api.call("POST", path, body);
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ detail: [{ loc }] });
    expect(reply.text.length).toBeLessThan(500);
  });

  it("T26 many small lists together", async () => {
    const nested = Array.from({ length: 100 }, () => Array.from({ length: 6_000 }, () => 1));
    const reply = await api.call("POST", CHAT, { message: "x", unknown: nested });
    expect(reply.body).toMatchObject({ detail: [{ loc: ["body"] }] });
  });

  it.each([
    ["wrong by type", document({ sections: Array.from({ length: 19_000 }, () => 1) }), INGEST],
    ["unknown", { message: "x", allowed_tool_ids: Array.from({ length: 19_000 }, () => 9) }, CHAT],
  ])("T26 of thousands of errors, %s, the first twenty are told", async (_, body, path) => {
    const reply = await api.call("POST", path, body);
    expect(reply.status).toBe(422);
    expect((reply.body as { detail: unknown[] }).detail).toHaveLength(20);
  });

  it.each([101, 10_000])("T26 an upload of %i files is refused before any is read", async (count) => {
    const part = '--x\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\na\r\n';
    const type = { "content-type": "multipart/form-data; boundary=x" };
    const reply = await api.call("POST", "/user/file/upload", `${part.repeat(count)}--x--\r\n`, type);
    expect(reply.status).toBe(422);
    expect(reply.text).toContain("at most 100 files");
  });
});
