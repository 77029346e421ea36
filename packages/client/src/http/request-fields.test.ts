import { afterThisTest, startFaultServer } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { createAdminClient } from "../admin.ts";
import { createClient } from "../client.ts";
import { InvalidRequestError } from "../errors/errors.ts";
import {
  CredentialSwapRequest,
  IngestionDocument,
  IngestionRequest,
  SendMessageRequest,
  type IngestionRequestInput,
  type SendMessageInput,
} from "../models.ts";

// A field a request loses on its way is worse than one a server refuses: a filter that is gone widens what is searched.

const SECRET = "Bearer mcp-secret-0123456789";

/** What the server is sent when a request of these fields is made. */
async function sent(call: "chat" | "ingest" | "swap", request: object): Promise<unknown> {
  const replies = { chat: { answer: "" }, ingest: { already_existed: false }, swap: { success: true, message: "" } };
  const server = await startFaultServer(() => ({ json: replies[call] }));
  afterThisTest(() => server.close());
  const options = { baseUrl: server.url, apiKey: "tl_TEST" };
  // As JSON from a file or from a program without types has it.
  if (call === "chat") await createClient(options).sendMessage(request as SendMessageInput);
  if (call === "ingest") await createClient(options).ingest(request as IngestionRequestInput);
  if (call === "swap") await createAdminClient(options).swapCredential(request as CredentialSwapRequest);
  return JSON.parse(server.requests.at(-1)?.text ?? "null");
}

const note = (fields: object) => ({ document: { semantic_identifier: "t", sections: [{ text: "a" }], ...fields } });

describe("a field nobody here knows", () => {
  const later = { a: null, list: [1, { b: null }], "": "", deep: { c: [] } };

  it("reaches the server as it is, wherever in a chat request it stands", async () => {
    const request = {
      message: "x",
      stream: false,
      later,
      nothing: null,
      llm_override: { model_version: "m", later },
      file_descriptors: [{ id: "f", type: "image", later }],
      internal_search_filters: { document_set: ["Handbook"], later, tags: [{ tag_key: "a", tag_value: "b", later }] },
      chat_session_info: { persona_id: 1, later },
    };
    expect(await sent("chat", request)).toEqual(request);
  });

  it("reaches the server as it is, wherever in an ingestion it stands", async () => {
    const request = {
      cc_pair_id: 1,
      later,
      nothing: null,
      document: {
        semantic_identifier: "t",
        source: "web",
        metadata: {},
        later,
        nothing: null,
        sections: [{ text: "a", later }],
        primary_owners: [{ first_name: "A", later }],
      },
    };
    expect(await sent("ingest", request)).toEqual(request);
  });

  it("reaches the server with a swap", async () => {
    const request = { new_credential_id: 1, connector_id: 2, access_type: "private", later };
    expect(await sent("swap", request)).toEqual(request);
  });

  it("survives the models themselves, and changes nothing of what they check", () => {
    expect(SendMessageRequest.parse({ message: "x", later })).toMatchObject({ later });
    expect(IngestionRequest.parse({ ...note({ later }), later })).toMatchObject({ later, document: { later } });
    expect(CredentialSwapRequest.parse({ new_credential_id: 1, connector_id: 2, later })).toMatchObject({ later });
    expect(SendMessageRequest.safeParse({ later }).success).toBe(false);
  });

  it("cannot become an object's prototype", () => {
    const parsed: unknown = SendMessageRequest.parse(JSON.parse('{"message":"x","__proto__":{"polluted":true}}'));
    expect(Reflect.get(parsed as object, "polluted")).toBeUndefined();
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });

  it("is not sent where it was left undefined", async () => {
    expect(await sent("chat", { message: "x", later: undefined, stream: false })).toEqual({
      message: "x",
      stream: false,
    });
  });
});

describe("fields of deployed servers", () => {
  it("are sent with a question", async () => {
    const request: SendMessageInput = {
      message: "x",
      stream: false,
      llm_override: { model_configuration_id: 4, display_name: "Big" },
      llm_overrides: [{ model_version: "a" }, { model_configuration_id: 5, display_name: null }],
      mcp_headers: { Authorization: SECRET },
      internal_search_filters: {
        updated_at_range: { start: "2026-01-01T00:00:00Z", end: null },
        created_at_range: { end: "2026-02-01" },
      },
      chat_session_info: { incognito: true, incognito_session_id: "3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f" },
    };
    expect(await sent("chat", request)).toEqual(request);
  });

  it("are sent with a document, without the nulls the specification does not have", async () => {
    const kept = {
      doc_created_at: "2026-01-01T00:00:00Z",
      file_id: "f",
      doc_metadata: { any: [null, { thing: null }] },
      external_access: { external_user_emails: ["a@b.test"], external_user_group_ids: [], is_public: false },
      parent_hierarchy_raw_node_id: "folder",
      parent_hierarchy_node_id: 7,
    };
    const request: IngestionRequestInput = note(kept);
    expect(await sent("ingest", request)).toMatchObject({ document: kept });
    const nothing = Object.fromEntries(Object.keys(kept).map((name) => [name, null]));
    expect(await sent("ingest", note(nothing))).toEqual({
      document: { ...note({}).document, source: "ingestion_api", metadata: {} },
    });
  });

  it("are checked: a range that is none widens the search just as well", async () => {
    const wrong = { message: "x", internal_search_filters: { updated_at_range: { start: "yesterday" } } };
    await expect(sent("chat", wrong)).rejects.toMatchObject({
      issues: [{ loc: ["body", "internal_search_filters", "updated_at_range", "start"] }],
    });
  });
});

describe("a section", () => {
  it.each([
    ["an uploaded image", { image_file_id: "i" }],
    ["an image by its type", { type: "image", image_file_id: "i", link: "https://x.test/" }],
    ["a table", { csv_file_id: "c", link: "https://x.test/" }],
    ["an image whose id this client does not know", { type: "image", image: { id: "i" } }],
    ["a text with its type and heading", { type: "text", text: "a", heading: "H" }],
    ["a text with an image", { text: "", image_file_id: "i" }],
  ])("is sent as it was written: %s", async (_case, section) => {
    const request = note({ source: "web", metadata: {}, sections: [section] });
    expect(await sent("ingest", request)).toEqual(request);
    const document = IngestionDocument.parse(request.document);
    expect(await sent("ingest", { document })).toEqual(request);
  });

  it.each([
    ["nothing", {}],
    ["a link alone", { link: "https://x.test/" }],
    ["no image", { image_file_id: null }],
    ["an image without an id", { image_file_id: "" }],
  ])("needs a text where it names neither image nor table: %s", async (_case, section) => {
    const error = await sent("ingest", note({ sections: [{ text: "a" }, section] })).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({
      issues: [{ loc: ["body", "document", "sections", 1, "text"], type: "missing", msg: "Field required" }],
    });
  });
});

describe("keys that every object has", () => {
  it("pass as others do", async () => {
    const request = { message: "x", constructor: { b: 2 }, toString: 5, hasOwnProperty: null, valueOf: [1] };
    expect(await sent("chat", request)).toEqual({ ...request, stream: false });
  });

  it.each<["chat" | "ingest", string, string]>([
    ["chat", `{"message":"x","__proto__":{"a":1}}`, "body.__proto__"],
    ["chat", `{"message":"x","internal_search_filters":{"__proto__":1}}`, "body.internal_search_filters.__proto__"],
    [
      "ingest",
      `{"document":{"semantic_identifier":"x","sections":[],"metadata":{"__proto__":"m"}}}`,
      "body.document.metadata.__proto__",
    ],
  ])("are refused where they would be lost: %s %s", async (call, request, place) => {
    const error = await sent(call, JSON.parse(request) as object).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(String(error)).toContain(`${place}: A key cannot be called __proto__`);
  });
});

describe("headers for other servers' tools", () => {
  const request = { message: "x", mcp_headers: { Authorization: SECRET } };

  it("are in no error, whatever the server says about them", async () => {
    const server = await startFaultServer(() => ({
      status: 400,
      json: { detail: `Illegal header value ${SECRET}`, message: `Illegal header value ${SECRET}` },
    }));
    afterThisTest(() => server.close());
    const client = createClient({ baseUrl: server.url, apiKey: "tl_TEST" });
    const errors = await Promise.all(
      [client.sendMessage(request), client.streamMessage(request)[Symbol.asyncIterator]().next()].map((call) =>
        call.then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    );
    for (const error of errors) {
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(String(error)).toContain("Illegal header value (secret)");
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("mcp-secret");
    }
  });

  it("are in no error of an answer that was begun, streamed or not", async () => {
    const words = `The tool server refused ${SECRET}`;
    const line = { error: words, error_code: "TOOL", details: { header: SECRET }, stack_trace: `at "${SECRET}"` };
    const server = await startFaultServer(({ text }) =>
      text.includes(`"stream":false`)
        ? { json: { answer: "", error_msg: words } }
        : { body: `${JSON.stringify(line)}\n`, headers: { "content-type": "text/event-stream" } },
    );
    afterThisTest(() => server.close());
    const client = createClient({ baseUrl: server.url, apiKey: "tl_TEST" });
    const failed: unknown = await client.sendMessage(request).catch((error: unknown) => error);
    expect(String(failed)).toContain("The tool server refused (secret)");
    const packets: unknown[] = [];
    for await (const packet of client.streamMessage(request)) packets.push(packet);
    expect(packets).toMatchObject([{ error: "The tool server refused (secret)", error_code: "TOOL" }]);
    expect(JSON.stringify(packets)).not.toContain("mcp-secret");
  });

  it("are in no error of a request that was not sent", async () => {
    const wrong = { message: "x", mcp_headers: { Authorization: SECRET, "X-User": [SECRET] } };
    const error = await sent("chat", wrong).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("mcp-secret");
  });
});
