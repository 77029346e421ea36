import { inspect } from "node:util";
import { ownStream, replayFetch, startFaultServer, type FaultServer, type Script } from "@threadlore/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { createClient, type Client } from "./client.ts";
import { AnswerFailedError, ClientError, InvalidRequestError } from "./errors/errors.ts";
import type { Packet, SendMessageInput } from "./models.ts";
import { DEFAULT_PROFILE, DEPLOYED_PROFILE } from "./profile.ts";

const servers: FaultServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(script: Script): Promise<{ server: FaultServer; client: Client }> {
  const server = await startFaultServer(script);
  servers.push(server);
  return { server, client: createClient({ baseUrl: server.url, apiKey: "tl_TEST_canary", retries: { retries: 0 } }) };
}

const bodyOf = (server: FaultServer): unknown => JSON.parse(server.requests.at(-1)?.text ?? "null");
const answer = { answer: "In the shed." };
const ingested = { already_existed: false, document_id: "d1" };

async function collect(stream: AsyncIterable<Packet>): Promise<Packet[]> {
  const packets: Packet[] = [];
  for await (const packet of stream) packets.push(packet);
  return packets;
}

async function failure(promise: Promise<unknown>): Promise<ClientError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ClientError) return error;
  throw new Error("The call did not fail with a typed error", { cause: error });
}

/** A request with something else in place of one of its fields, as untyped code would send it. */
const wrongly = (request: SendMessageInput, wrong: object): SendMessageInput => Object.assign({ ...request }, wrong);

describe("what is sent", () => {
  it("goes to the specification's paths with the key, as JSON, under any base path", async () => {
    const server = await startFaultServer((request) => ({
      json: request.path.endsWith("ingestion") ? ingested : answer,
    }));
    servers.push(server);
    const document = { semantic_identifier: "t", sections: [] };
    for (const [base, prefix] of [
      ["", ""],
      ["/api", "/api"],
      ["/some/where/api/", "/some/where/api"],
    ]) {
      const client = createClient({ baseUrl: `${server.url}${base}`, apiKey: "tl_TEST_canary" });
      await client.sendMessage({ message: "x" });
      expect(server.requests.at(-1)).toMatchObject({
        method: "POST",
        path: `${prefix}/chat/send-chat-message`,
        headers: { authorization: "Bearer tl_TEST_canary", "content-type": "application/json" },
      });
      await client.ingest({ document });
      expect(server.requests.at(-1)).toMatchObject({ method: "POST", path: `${prefix}/service-api/ingestion` });
    }
    await createClient({ baseUrl: server.url, apiKey: "", profile: DEPLOYED_PROFILE }).ingest({ document });
    expect(server.requests.at(-1)).toMatchObject({ path: "/onyx-api/ingestion" });
    expect(server.requests.at(-1)?.headers).not.toHaveProperty("authorization");
  });

  it("follows the defaults for settings given as undefined", async () => {
    const { server } = await serve([{ json: ingested }]);
    const client = createClient({
      baseUrl: server.url,
      apiKey: "",
      timeouts: { firstByteMs: undefined, slowFirstByteMs: undefined, totalMs: undefined },
      retries: { retries: undefined },
      limits: { maxPacketLength: undefined },
      profile: { ingestionPath: undefined },
    });
    expect(await client.ingest({ document: { semantic_identifier: "t", sections: [] } })).toEqual(ingested);
    expect(client.profile).toEqual(DEFAULT_PROFILE);
  });

  it("leaves out what is unset, and says stream only where no stream is wanted", async () => {
    const { server, client } = await serve([{ json: answer }]);
    await client.sendMessage({ message: "x" });
    expect(bodyOf(server)).toEqual({ message: "x", stream: false });
    await client.sendMessage({
      message: "x",
      origin: undefined,
      file_descriptors: undefined,
      allowed_tool_ids: undefined,
    });
    expect(bodyOf(server)).toEqual({ message: "x", stream: false });
    await collect(client.streamMessage({ message: "x", stream: false })).catch(() => {});
    expect(bodyOf(server)).toEqual({ message: "x" });
  });

  it("keeps every field a caller sets, nulls included where the specification has them", async () => {
    const { server, client } = await serve([{ json: answer }]);
    const request: SendMessageInput = {
      message: "x",
      llm_override: { model_provider: null, model_version: "m", temperature: 0 },
      allowed_tool_ids: [],
      forced_tool_id: null,
      file_descriptors: [{ id: "f", type: "csv", name: null, user_file_id: "u" }],
      internal_search_filters: {
        source_type: ["web", "some_other"],
        document_set: null,
        time_cutoff: "2026-01-01T00:00:00Z",
        tags: [{ tag_key: "a", tag_value: "b" }],
      },
      deep_research: false,
      origin: DEFAULT_PROFILE.botOrigin,
      parent_message_id: null,
      chat_session_info: { description: null },
      include_citations: false,
      additional_context: "",
    };
    await client.sendMessage(request);
    expect(bodyOf(server)).toEqual({ ...request, stream: false });
    await client.sendMessage({
      message: "",
      parent_message_id: -1,
      chat_session_id: "3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f",
    });
    expect(bodyOf(server)).toEqual({
      message: "",
      parent_message_id: -1,
      chat_session_id: "3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f",
      stream: false,
    });
  });

  it("always names a document's source and metadata, and sends no null but a middle initial", async () => {
    const { server, client } = await serve([{ json: ingested }]);
    await client.ingest({ document: { semantic_identifier: "t", sections: [{ text: "a" }] } });
    expect(bodyOf(server)).toEqual({
      document: { semantic_identifier: "t", sections: [{ text: "a" }], source: "ingestion_api", metadata: {} },
    });
    await client.ingest({
      cc_pair_id: null,
      document: {
        id: "d1",
        semantic_identifier: "t",
        title: null,
        sections: [{ text: "", link: null, image_file_id: "i" }],
        source: "some_wiki",
        metadata: { a: "b", c: ["d"] },
        primary_owners: [{ first_name: "A", middle_initial: null, last_name: null }],
      },
    });
    expect(bodyOf(server)).toEqual({
      document: {
        id: "d1",
        semantic_identifier: "t",
        sections: [{ text: "", image_file_id: "i" }],
        source: "some_wiki",
        metadata: { a: "b", c: ["d"] },
        primary_owners: [{ first_name: "A", middle_initial: null }],
      },
    });
  });

  it.each([
    ["no message", wrongly({ message: "x" }, { message: undefined }), ["body", "message"], "missing"],
    ["a number as message", wrongly({ message: "x" }, { message: 5 }), ["body", "message"], "string_type"],
    [
      "both sessions",
      { message: "x", chat_session_id: "3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f", chat_session_info: {} },
      ["body", "chat_session_id"],
      "value_error",
    ],
    ["an empty session id", { message: "x", chat_session_id: "" }, ["body", "chat_session_id"], "value_error"],
    [
      "null where none may be",
      wrongly({ message: "x" }, { include_citations: null }),
      ["body", "include_citations"],
      "boolean_type",
    ],
    ["an upper-case origin", { message: "x", origin: "SLACKBOT" }, ["body", "origin"], "value_error"],
    [
      "a bad cutoff",
      { message: "x", internal_search_filters: { time_cutoff: "yesterday" } },
      ["body", "internal_search_filters", "time_cutoff"],
      "value_error",
    ],
    [
      "a tool that is no number",
      wrongly({ message: "x" }, { allowed_tool_ids: [1, "two"] }),
      ["body", "allowed_tool_ids", 1],
      "number_type",
    ],
  ])("is refused before it leaves, with its place: %s", async (_, request, loc, type) => {
    const { server, client } = await serve([{ json: answer }]);
    for (const call of [client.sendMessage(request), collect(client.streamMessage(request))]) {
      const error = await failure(call);
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error).toMatchObject({ issues: [{ loc, type, msg: expect.stringMatching(/\w{4}/) }] });
      expect(error.message).toContain(loc.join("."));
    }
    expect(server.attempts).toBe(0);
  });

  it("refuses a document whose metadata is neither string nor strings", async () => {
    const { server, client } = await serve([{ json: ingested }]);
    const metadata: Record<string, string> = JSON.parse('{"a": 1}');
    const document = { semantic_identifier: "t", sections: [{ text: "a" }], metadata };
    expect(await failure(client.ingest({ document }))).toMatchObject({
      issues: [{ loc: ["body", "document", "metadata", "a"] }],
    });
    expect(server.attempts).toBe(0);
  });

  it("is nothing until the first packet is asked for", async () => {
    const { server, client } = await serve([{ json: answer }]);
    client.streamMessage({ message: "x" });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(server.attempts).toBe(0);
  });
});

describe("complete answers", () => {
  it("are given with unknown keys kept and absent lists empty", async () => {
    const { client } = await serve([
      { body: '{"answer": "a", "later": 1, "tool_calls": [{"tool_name": "t", "tool_result": NaN}]}' },
    ]);
    expect(await client.sendMessage({ message: "x" })).toEqual({
      answer: "a",
      answer_citationless: "",
      later: 1,
      tool_calls: [{ tool_name: "t", tool_result: null }],
      top_documents: [],
      citation_info: [],
    });
  });

  it("with an error_msg are failures that keep what was answered", async () => {
    const client = createClient({
      baseUrl: "https://service.test",
      apiKey: "",
      fetch: replayFetch(ownStream("json-error-msg")),
    });
    const error = await failure(client.sendMessage({ message: "x" }));
    expect(error).toBeInstanceOf(AnswerFailedError);
    expect(error).toMatchObject({ outcome: "retryable", partialAnswer: "The code of the shed ", status: 200 });
    expect(error.message).toContain("The model stopped answering.");
  });

  it.each([
    ["no JSON", { body: "{" }],
    ["JSON of another shape", { json: { reply: "x" } }],
    ["a list", { json: [] }],
    ["nothing", { body: "" }],
    ["a stream", { headers: { "content-type": "text/event-stream" }, body: 'data: {"a":1}\n\n' }],
    ["a stream under another type", { body: 'data: {"a":1}\n\n' }],
    [
      "line JSON",
      { headers: { "content-type": "text/event-stream" }, body: '{"chat_session_id":"s"}\n{"error":"x"}\n' },
    ],
  ])("are protocol errors when the reply is %s", async (_, reply) => {
    const { client } = await serve([reply]);
    expect(await failure(client.sendMessage({ message: "x" }))).toMatchObject({ outcome: "protocol" });
  });

  it("do not wait for the end of a stream nobody asked for, and close it", async () => {
    const headers = { "content-type": "text/event-stream; charset=utf-8" };
    const body = '{"chat_session_id": "s"}\n';
    const { server, client } = await serve([{ headers, body, framing: "chunked", stall: { afterBody: body.length } }]);
    const error = await failure(client.sendMessage({ message: "x" }));
    expect(error).toMatchObject({ outcome: "protocol", status: 200 });
    expect(error.message).toMatch(/a stream where one complete response was asked for\. Ask it for a stream/);
    await server.requests[0]?.closed;
  });

  it("that could not begin say what may be wrong, for deployed servers do not", async () => {
    const { client } = await serve([{ status: 400, json: { message: "Message ID is required" } }]);
    expect((await failure(client.sendMessage({ message: "x" }))).message).toMatch(
      /session, persona, document set or file/,
    );
  });
});

describe("ingestion", () => {
  it("counts only status 200 as accepted", async () => {
    for (const status of [201, 202, 204]) {
      const { client } = await serve([status === 204 ? { status } : { status, json: ingested }]);
      const document = { semantic_identifier: "t", sections: [] };
      expect(await failure(client.ingest({ document }))).toMatchObject({ outcome: "protocol", status });
    }
  });

  it("gives the identity the server keeps", async () => {
    const { client } = await serve([{ json: { ...ingested, document_id: "d%2F1" } }]);
    const answered = await client.ingest({ document: { id: "d/1", semantic_identifier: "t", sections: [] } });
    expect(answered).toEqual({ already_existed: false, document_id: "d%2F1" });
  });
});

describe("redirects", () => {
  it.each([301, 302, 303, 307, 308])("are never followed, and the key goes nowhere else: %i", async (status) => {
    const elsewhere = await startFaultServer([{ json: answer }]);
    servers.push(elsewhere);
    for (const location of [
      `${elsewhere.url}/login?next=x`,
      "https://elsewhere.test/login",
      "/login",
      "http://127.0.0.1:1/",
      "",
    ]) {
      const { server, client } = await serve([{ status, headers: { location } }]);
      for (const call of [client.sendMessage({ message: "x" }), collect(client.streamMessage({ message: "x" }))]) {
        const error = await failure(call);
        expect(error).toMatchObject({ name: "WrongBaseUrlError", outcome: "protocol", status });
        expect(error.message).toContain("redirect to ");
        expect(error.message).not.toContain("next=");
      }
      expect(server.attempts).toBe(2);
    }
    expect(elsewhere.attempts).toBe(0);
  });

  it("that a browser hides are told all the same", async () => {
    const hidden = Object.defineProperties(new Response(null), {
      type: { value: "opaqueredirect" },
      status: { value: 0 },
    });
    const client = createClient({ baseUrl: "https://service.test", apiKey: "", fetch: async () => hidden });
    expect(await failure(client.sendMessage({ message: "x" }))).toMatchObject({ name: "WrongBaseUrlError" });
  });
});

describe("the key", () => {
  it("is in no error, however it is printed", async () => {
    const replies: Script[] = [
      [{ status: 401, json: { detail: "tl" } }],
      // A server that repeats what it was sent.
      (request) => ({ status: 400, json: { detail: `Bad key: ${request.headers["authorization"] ?? "none"}` } }),
      [{ status: 500, json: { detail: "x" } }],
      [{ status: 422, json: { detail: [] } }],
      [{ resetAfterRequestBytes: 100 }],
      [{ status: 302, headers: { location: "https://elsewhere.test" } }],
      [{ json: answer, drop: { at: 5, of: "body", how: "reset" } }],
      [{ body: "<html>" }],
      [
        {
          headers: { "content-type": "text/event-stream" },
          framing: "chunked",
          body: "data: {}\n\n",
          drop: { at: 9, of: "body" },
        },
      ],
    ];
    for (const script of replies) {
      const { client } = await serve(script);
      for (const call of [client.sendMessage({ message: "x" }), collect(client.streamMessage({ message: "x" }))]) {
        const error = await failure(call);
        expect(inspect(error, { depth: 20, showHidden: true }) + JSON.stringify(error)).not.toContain("canary");
      }
    }
  });

  it("that can be none is refused without being repeated", () => {
    const make = () => createClient({ baseUrl: "https://service.test", apiKey: "tl_TEST\ncanary" });
    expect(make).toThrow(InvalidRequestError);
    expect(make).toThrow(/^(?!.*canary)/s);
  });

  it("copied with blanks around it is sent without them", async () => {
    const { server } = await serve([{ json: answer }]);
    await createClient({ baseUrl: server.url, apiKey: "  tl_TEST_canary\n" }).sendMessage({ message: "x" });
    expect(server.requests[0]?.headers["authorization"]).toBe("Bearer tl_TEST_canary");
  });
});

describe("a stream's reader", () => {
  const fetch = replayFetch(ownStream("preamble"), { cut: { seed: 4, most: 90 } });
  const client = createClient({ baseUrl: "https://service.test", apiKey: "", fetch });

  it("gets packets in order when it asks for several at once", async () => {
    const inTurn = await collect(client.streamMessage({ message: "x" }));
    const iterator = client.streamMessage({ message: "x" })[Symbol.asyncIterator]();
    const results = await Promise.all(Array.from({ length: inTurn.length + 2 }, () => iterator.next()));
    expect(results.flatMap(({ done, value }) => (done === true ? [] : [value]))).toEqual(inTurn);
    expect(results.slice(-2).every(({ done }) => done === true)).toBe(true);
  });

  it("can leave while a packet is awaited", async () => {
    const { client: waiting } = await serve([{ stall: "before-head" }]);
    const iterator = waiting.streamMessage({ message: "x" })[Symbol.asyncIterator]();
    const pending = iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 30));
    await iterator.return?.();
    expect(await pending).toEqual({ done: true, value: undefined });
  });

  it("that leaves before it began sends nothing", async () => {
    const { server, client: idle } = await serve([{ json: answer }]);
    await idle.streamMessage({ message: "x" })[Symbol.asyncIterator]().return?.();
    expect(server.attempts).toBe(0);
  });
});

describe("many streams", () => {
  it("leave no socket behind after a hundred aborts", async () => {
    const { body } = ownStream("plain").response;
    const { server, client } = await serve((request) =>
      request.path.includes("/stop-")
        ? { status: 404, json: { detail: "Not Found" } }
        : { headers: { "content-type": "text/event-stream" }, framing: "chunked", body, stall: { afterBody: 300 } },
    );
    const once = async () => {
      const controller = new AbortController();
      const stream = client.streamMessage({ message: "x" }, { signal: controller.signal });
      await failure(
        (async () => {
          for await (const packet of stream) if ("chat_session_id" in packet) controller.abort();
        })(),
      );
    };
    for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 10 }, once));
    await expect.poll(() => server.requests.filter(({ path }) => path.includes("/send-")).length).toBe(100);
    for (const request of server.requests.filter(({ path }) => path.includes("/send-"))) await request.closed;
  });
});
