import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inProcess, type OpenService } from "../service.harness.ts";

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
    ["a message of 9 MB", CHAT, { message: "why ".repeat(2_250_000) }, ["body", "message"]],
    ["a message of 34,000 Chinese characters", CHAT, { message: "问".repeat(34_000) }, ["body", "message"]],
    [
      "source_type",
      CHAT,
      { message: "x", internal_search_filters: { source_type: Array.from({ length: 1_001 }, () => "web") } },
      ["body", "internal_search_filters", "source_type"],
    ],
    [
      "tags",
      CHAT,
      {
        message: "x",
        internal_search_filters: { tags: many.slice(0, 1_001).map(() => ({ tag_key: "k", tag_value: "v" })) },
      },
      ["body", "internal_search_filters", "tags"],
    ],
    [
      "primary_owners",
      INGEST,
      document({ primary_owners: many.slice(0, 1_001).map(() => ({ display_name: "A" })) }),
      ["body", "document", "primary_owners"],
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

  it("T26 a message of 100 kB and a context of 9 MB are taken, and others are answered meanwhile", async () => {
    const message = "where is the lift ".repeat(6_000).slice(0, 100_000);
    let rounds = 0;
    let asking = true;
    const count = (): void => {
      rounds++;
      if (asking) setImmediate(count);
    };
    const context = "The lift stands in hall 2 beside the tall blue doors of the store. ".repeat(135_000);
    const asked = api.call("POST", CHAT, { message, additional_context: context, stream: false });
    count();
    const reply = await asked;
    asking = false;
    expect(reply.status).toBe(200);
    expect((reply.body as { answer: string }).answer).toContain("hall 2");
    // Reading the context and taking its wording out of what is kept went on in slices.
    expect(rounds).toBeGreaterThan(40);
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
