/** Who is let in at `/mcp`, how others learn how to get in, and what of a request is refused before anybody answers it. */
import { discoverOAuthProtectedResourceMetadata, extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import { afterThisFile, seededRandom } from "@threadlore/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { type ChatSubject, openChat, withKey } from "../chat.harness.ts";
import { listKeys, revokeKey } from "../http/keys.ts";
import { OWNER_KEY, type Reply } from "../service.harness.ts";
import { assistantOf, textOf } from "./assistant.harness.ts";

const READER = "tl_TESTreader";
const OTHER_READER = "tl_TESTother";
const REVOKED = "tl_TESTrevoked";
const PORT = 8411;

let service: ChatSubject;
let now = 1_800_000_000_000;

beforeAll(async () => {
  service = await openChat({ now: () => now, settings: { port: PORT, anonymous: true } }, (db) => {
    withKey(db, READER);
    withKey(db, OTHER_READER);
    withKey(db, REVOKED);
    const revoked = db.perform(listKeys()).find(({ name }) => name === REVOKED);
    if (revoked === undefined || !db.transact(revokeKey(revoked.id, 0))) throw new Error("The key is not revoked");
  });
  afterThisFile(() => service.close());
  await service.ingest("leave", "Everybody has 28 days of annual leave.");
});

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const METADATA = `http://127.0.0.1:${PORT}/.well-known/oauth-protected-resource/mcp`;
const ACCEPT = { accept: "application/json, text/event-stream" };

const post = (body: unknown, headers: Record<string, string | null> = {}): Promise<Reply> =>
  service.call("POST", "/mcp", body, { ...ACCEPT, ...headers });

describe("at /mcp", () => {
  it("of 10,000 requests of wrong origins, hosts and keys none is let in, and right ones between them are", async () => {
    const random = seededRandom(20_261_126);
    const one = <Item>(items: readonly [Item, ...Item[]]): Item =>
      items[Math.floor(random() * items.length)] ?? items[0];
    const letters = (): string => random().toString(36).slice(2);
    const origins = (): string =>
      one([
        "null",
        "",
        "file://",
        `https://${letters()}.example`,
        `http://127.0.0.1:${PORT}.${letters()}.example`,
        `http://127.0.0.1:${PORT}@${letters()}.example`,
        `https://127.0.0.1:${PORT}`,
        `http://127.0.0.1:${PORT + 1 + Math.floor(random() * 1_000)}`,
        "http://127.0.0.1",
        `http://localhost.${letters()}.example:${PORT}`,
        `http://127.0.0.2:${PORT}`,
        `http://[::ffff:127.0.0.1]:${PORT}`,
        `chrome-extension://${"abcdefghijklmnop".repeat(2)}`,
        `moz-extension://${"0".repeat(8)}-0000-0000-0000-${"0".repeat(12)}`,
        `HTTP://127.0.0.1:${PORT}`,
      ]);
    const hosts = (): string =>
      one([
        `${letters()}.example`,
        `${letters()}.example:${PORT}`,
        "127.0.0.1",
        `127.0.0.1:${PORT + 1}`,
        `127.0.0.1.${letters()}.example:${PORT}`,
        `localhost.:${PORT}`,
        `127.1:${PORT}`,
        `0.0.0.0:${PORT}`,
        `2130706433:${PORT}`,
        `0x7f000001:${PORT}`,
        `[::]:${PORT}`,
        `127.0.0.1:${PORT}, ${letters()}.example`,
      ]);
    const keys = (): string | null =>
      one([
        null,
        "",
        "Bearer",
        "Bearer ",
        `Bearer ${letters()}`,
        `Bearer tl_${letters()}`,
        `Bearer ${REVOKED}`,
        `Bearer ${READER}x`,
        `Bearer ${READER.slice(0, -1)}`,
        `Bearer ${READER.toUpperCase()}`,
        `Bearer ${READER} ${letters()}`,
        `Bearer ${READER},${READER}`,
        `Basic ${btoa(`x:${READER}`)}`,
        `Basic ${READER}`,
        READER,
        `Token ${READER}`,
      ]);
    const bodies = () =>
      one<unknown>([
        LIST,
        { jsonrpc: "2.0", id: 2, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {} } },
        { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "ask", arguments: { question: "leave?" } } },
        { jsonrpc: "2.0", method: "notifications/initialized" },
      ]);
    const passed: unknown[] = [];
    const between: number[] = [];
    const refusals = new Map<number, number>();
    for (let n = 0; n < 10_000; n += 1) {
      // So that guesses of keys are judged, and not only told to wait.
      now += 250;
      const wrong = one<() => Record<string, string | null>>([
        () => ({ origin: origins() }),
        () => ({ host: hosts() }),
        () => ({ authorization: keys() }),
        () => ({ origin: origins(), host: hosts() }),
        () => ({ "sec-fetch-site": one(["cross-site", "same-site"]) }),
      ])();
      const headers = { authorization: `Bearer ${READER}`, host: `127.0.0.1:${PORT}`, ...wrong };
      const { status, text } = await post(bodies(), headers);
      refusals.set(status, (refusals.get(status) ?? 0) + 1);
      if (status < 400 || text.includes("jsonrpc")) passed.push([headers, status, text]);
      if (n % 500 === 0) {
        const right = { authorization: `Bearer ${READER}`, host: `127.0.0.1:${PORT}` };
        between.push((await post(LIST, right)).status);
      }
    }
    expect(passed).toEqual([]);
    expect(between).toEqual(Array.from({ length: 20 }, () => 200));
    expect([...refusals.keys()].toSorted()).toEqual([401, 403]);
  });

  it("nobody is let in without a key, also where the service admits them to ask", async () => {
    const asked = await service.call("POST", "/search", { query: "leave" }, { authorization: null });
    expect(asked.status).toBe(200);
    // RFC 6750, section 3.1: without an error, since nothing was sent that could be wrong.
    const { status, headers, body } = await post(LIST, { authorization: null });
    expect([status, headers.get("www-authenticate")]).toEqual([401, `Bearer resource_metadata="${METADATA}"`]);
    expect(body).toEqual({
      error_code: "UNAUTHENTICATED",
      detail: expect.stringContaining("Send a key of this service"),
    });
  });

  it("a client finds from the refusal how to get in", async () => {
    now += 10_000;
    const send = (url: string | URL, init?: RequestInit) => service.fetch(url, init);
    const sent = { ...ACCEPT, "content-type": "application/json" };
    const resourceMetadataUrl = new URL(METADATA);
    for (const headers of [sent, { ...sent, authorization: "Bearer wrong" }]) {
      const refused = await send(`${service.url}/mcp`, { method: "POST", headers, body: JSON.stringify(LIST) });
      expect(refused.status).toBe(401);
      expect(extractWWWAuthenticateParams(refused)).toMatchObject({ resourceMetadataUrl });
    }
    const found = await discoverOAuthProtectedResourceMetadata(`${service.url}/mcp`, { resourceMetadataUrl }, send);
    // RFC 9728, section 3.3: what it is of is what was asked for.
    expect(found).toMatchObject({ resource: `${service.url}/mcp`, bearer_methods_supported: ["header"] });
    // Section 3.1: found as well by whoever only knows the address.
    expect(await discoverOAuthProtectedResourceMetadata(`${service.url}/mcp`, {}, send)).toEqual(found);
  });

  it("its other methods are none", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      expect(await service.call(method, "/mcp")).toMatchObject({ status: 405 });
    }
  });
});

describe("a key that only reads", () => {
  it("is not offered to add, is refused when it tries, and nothing is stored", async () => {
    const documents = async () => (await service.call("GET", "/service-api/ingestion")).body;
    const before = await documents();
    const client = await assistantOf(service, READER);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(["ask", "search", "read"]);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["ask-with-sources"]);
    const addition = { title: "Decision: nothing", text: "It must not be kept." };
    for (const [name, given] of [
      ["ingest", addition],
      ["ingest_status", { document: "leave" }],
    ] as const) {
      await expect(client.callTool({ name, arguments: given })).rejects.toThrow(`Tool ${name} not found`);
    }
    expect(await documents()).toEqual(before);
    expect(textOf(await client.callTool({ name: "ask", arguments: { question: addition.text } }))).not.toContain(
      "must not be kept",
    );
  });

  it("goes on in its own conversation alone", async () => {
    const ask = async (key: string, given: Record<string, unknown>) =>
      (await assistantOf(service, key)).callTool({ name: "ask", arguments: given });
    const question = "How many days of annual leave are there?";
    const first = await ask(READER, { question });
    const { conversation } = first.structuredContent as { conversation: string };
    const foreign = await ask(OTHER_READER, { question: "What did I ask?", conversation });
    expect(foreign).toMatchObject({ isError: true });
    expect(textOf(foreign)).toBe("The server no longer has this conversation. Ask again to begin a new one.");
    const own = await ask(READER, { question, conversation });
    expect(own.structuredContent).toMatchObject({ found: true });
    expect((own.structuredContent as { conversation: string }).conversation.split("/")[0]).toBe(
      conversation.split("/")[0],
    );
    const transcript = await service.call("GET", `/chat/get-chat-session/${conversation.split("/")[0]}`, undefined, {
      authorization: `Bearer ${READER}`,
    });
    expect(transcript.text).not.toContain("What did I ask?");
  });
});

describe("a request's body", () => {
  const call = (given: unknown) => ({
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name: "ask", arguments: given },
  });
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

  it.each([
    ["is no JSON", "{", 400],
    ["is empty", " ", 422],
    ["is a number", "7", 400],
    ["is null", "null", 400],
    ["is a batch", JSON.stringify([LIST, LIST]), 400],
    ["is an empty batch", "[]", 400],
    ["is of another protocol", JSON.stringify({ method: "tools/list" }), 400],
    ["is deeper than anything", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${nested(100_000)}}`, 422],
    ["is a list deeper than anything", "[".repeat(1_000_000), 422],
    ["is larger than any", JSON.stringify(call({ question: "x".repeat(12_000_000) })), 413],
  ])("that %s is refused", async (_, body, status) => {
    const begun = performance.now();
    const reply = await post(body, { "content-type": "application/json" });
    expect(reply.text.slice(0, 300)).not.toContain('"result"');
    expect(reply.status).toBe(status);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it.each([
    ["no question", {}],
    ["an empty one", { question: "" }],
    ["one of another type", { question: 7 }],
    ["a conversation that is none", { question: "x", conversation: "../../me" }],
    ["a prototype", JSON.parse('{"question":"x","__proto__":{"a":1},"conversation":{"toString":1}}') as unknown],
    ["more entries than any", Array.from({ length: 1_000_000 }, () => 0)],
    ["filters that are none", { question: "x", document_sets: "all" }],
  ])("with %s is answered by what is wrong", async (_, given) => {
    const { text, status } = await post(call(given));
    expect(status).toBe(200);
    expect(text).toMatch(/Input validation error|"error":\{"code":-32602/);
  });

  it("in another type is refused", async () => {
    const reply = await post(JSON.stringify(LIST), {
      "content-type": "text/plain",
      authorization: `Bearer ${OWNER_KEY}`,
    });
    expect(reply.status).toBe(415);
  });
});
