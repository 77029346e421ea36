/** Calls of an assistant that are wrong, too large or not allowed: what it reads, and what it is offered. */
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { knowledgeOf, knowledgeServer, type KnowledgeSource } from "@threadlore/mcp";
import { createService, type Service } from "@threadlore/service";
import { afterThisFile, afterThisTest } from "@threadlore/testkit";
import { beforeAll, describe, expect, it } from "vitest";

const ADDRESS = "http://127.0.0.1:8411";
const OWNER = "tl_TESTowner";

let service: Service;
const send: typeof fetch = (input, init) => service.fetch(new Request(input, init));

beforeAll(async () => {
  service = createService({ database: ":memory:", apiKey: OWNER });
  afterThisFile(() => service.close());
  const documents = [
    {
      id: "gate",
      semantic_identifier: "Gate",
      sections: [{ text: "The harbour gate opens at 06:40.", link: "https://docs.example.com/gate" }],
    },
    { id: "ferry", semantic_identifier: "Ferry", sections: [{ text: "The ferry leaves at noon." }] },
  ];
  for (const document of documents) {
    await send(`${ADDRESS}/service-api/ingestion`, {
      method: "POST",
      headers: { authorization: `Bearer ${OWNER}`, "content-type": "application/json" },
      body: JSON.stringify({ document: { ...document, source: "web" } }),
    });
  }
  await service.drain();
});

const unforeseen = (error: unknown): never => {
  throw error;
};

interface Told {
  readonly isError?: boolean;
  readonly content: readonly { readonly text?: string }[];
  readonly structuredContent?: Record<string, unknown>;
}

interface Means {
  readonly apiKey: string;
  readonly fetch: typeof fetch;
  /** Instead of the service. */
  readonly source: KnowledgeSource;
  readonly pair: number;
}

/** An assistant with this key, and what it sends to the service. */
async function assistant({ apiKey = OWNER, fetch: by = send, source, pair }: Partial<Means> = {}) {
  const sent: string[] = [];
  const watched: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    sent.push(pathname + search);
    return by(input, init);
  };
  const knowledge = knowledgeOf({
    baseUrl: ADDRESS,
    fetch: watched,
    pair,
    retries: { retries: 0 },
    ...(apiKey && { apiKey }),
  });
  const server = await knowledgeServer(source ?? (() => knowledge), unforeseen);
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "tests", version: "1.0.0" });
  await Promise.all([server.connect(there), client.connect(here)]);
  afterThisTest(() => client.close());
  const call = async (name: string, given: Record<string, unknown>) => {
    const { isError = false, content, structuredContent } = (await client.callTool({ name, arguments: given })) as Told;
    return { isError, text: content.flatMap(({ text = [] }) => text).join("\n"), structuredContent };
  };
  const resource = async (uri: string): Promise<string> => {
    const { contents } = await client.readResource({ uri });
    return contents.flatMap((one) => ("text" in one ? one.text : [])).join("\n");
  };
  return { client, call, resource, sent };
}

describe("a call that is wrong", () => {
  it.each([
    ["ask", { question: " \n" }, "Say what to ask"],
    ["ask", { question: "w".repeat(32_001) }, "at most 32000 characters"],
    ["ask", { question: "gate?", since: "yesterday" }, "2026-01-31"],
    ["ask", { question: "gate?", since: "2026-13-01" }, "2026-01-31"],
    ["search", { query: "gate", since: "2026-02-31" }, "2026-01-31"],
    ["ask", { question: "gate?", conversation: "last-one" }, "Give it as a former result did"],
    ["search", { query: "gate", since: "2026-01-31T09:00:00" }, "2026-01-31T09:00:00Z"],
    ["read", { document: "none" }, "A search finds documents by what they say"],
    ["ask", { question: "gate?", document_sets: ["Nope"] }, 'There is no document set "Nope"'],
    ["search", { query: "\t" }, "Say what to search for"],
    ["search", { query: "w".repeat(2_049) }, "Search by at most 2048 characters"],
    ["read", { document: "gate", pages: "three" }, "such as 3-5"],
    ["read", { document: "gate", pages: "3-5" }, "This document has no pages: read it without"],
    ["ingest", { title: "  ", text: "Yes." }, "Say what people find it by"],
    ["ingest", { title: "Empty", text: " " }, "Say what to keep"],
    ["ingest", { title: "Long", text: "w".repeat(1_000_001) }, "under titles of their own"],
    ["ingest_status", { document: " " }, "Say which document"],
    ["ingest", { title: "Linked", text: "Yes.", link: "the wiki" }, "begins with https://"],
  ])("of %s %o is refused with what would be right", async (name, given, words) => {
    const { call, sent } = await assistant();
    const { isError, text } = await call(name, given);
    expect(text).toContain(words);
    expect(isError).toBe(true);
    expect(sent.filter((path) => path.startsWith("/service-api"))).toEqual([]);
  });

  it("of read, behind the end of the document, is told where that is", async () => {
    const { call } = await assistant();
    expect((await call("read", { document: "gate", from: 99_999 })).text).toContain("it has 32 characters");
    expect((await call("read", { document: "gate" })).text).not.toContain("characters");
  });
});

it("a document is read by its link, too, and named by its id", async () => {
  const { call } = await assistant();
  const { text, structuredContent } = await call("read", { document: "https://docs.example.com/gate#opening" });
  expect(text).toContain("06:40");
  expect(structuredContent).toMatchObject({ document: "threadlore://document/gate" });
  const none = await call("read", { document: "https://docs.example.com/none" });
  expect(none).toMatchObject({ isError: true, text: expect.stringContaining("A search finds") as string });
});

it("an address that is none of a document, and a prompt without its words, are refused as that", async () => {
  const { client } = await assistant();
  for (const uri of ["threadlore://document/none", "threadlore://document/%E0%A4%A", "threadlore://nothing"]) {
    await expect(client.readResource({ uri })).rejects.toThrow(/no such document|not found/);
  }
  const asked = client.getPrompt({ name: "ask-with-sources", arguments: { question: " " } });
  await expect(asked).rejects.toThrow("Say what to ask");
  const kept = client.getPrompt({ name: "add-this-decision", arguments: { decision: "" } });
  await expect(kept).rejects.toThrow("Say what was decided");
});

it("how a day is written takes a model one line to read", async () => {
  const { client } = await assistant();
  const { tools } = await client.listTools();
  for (const { inputSchema } of tools) {
    const { since } = (inputSchema.properties ?? {}) as { since?: unknown };
    expect(JSON.stringify(since ?? "").length).toBeLessThan(250);
  }
});

it("a question as long as may be is answered, in the widest letters too", async () => {
  const { call } = await assistant();
  const { isError, text } = await call("ask", { question: "港".repeat(32_000) });
  expect([isError, text]).toEqual([false, expect.stringContaining("nothing")]);
});

it("what finds nothing says that only a part was looked through, where that was wished", async () => {
  const { call } = await assistant();
  for (const [name, words] of [
    ["ask", { question: "When does the harbour gate open?" }],
    ["search", { query: "harbour gate" }],
  ] as const) {
    expect((await call(name, { ...words, sources: ["slack"], since: "2026-01-01" })).text).toContain(
      "(sources, since)",
    );
    expect((await call(name, words)).text).not.toContain("(sources");
    // Many models send what they leave empty.
    const nowhere = name === "ask" ? { question: "Where do zebras graze?" } : { query: "zebras" };
    const { text } = await call(name, { ...nowhere, document_sets: [], sources: [], since: "" });
    expect(text).toMatch(/nothing|No passage/i);
    expect(text).not.toContain("Only a part");
  }
});

it("what is added under a pair that is not there says so, and who can say another", async () => {
  const { call } = await assistant({ pair: 99 });
  const { isError, text } = await call("ingest", { title: "Decision", text: "Yes." });
  expect(isError).toBe(true);
  expect(text).toMatch(/^Nothing was added: .*no pair 99 .*threadlore login URL --pair NUMBER/);
});

it("a title with its accents written apart is the same title", async () => {
  const { call } = await assistant();
  await call("ingest", { title: "Décision", text: "Yes." });
  const again = await call("ingest", { title: "De\u0301cision", text: "No." });
  expect(again.structuredContent).toMatchObject({ replaced: true });
});

describe("of very many documents", () => {
  it("only a page is asked for to be listed", async () => {
    const { client, sent } = await assistant();
    await client.listResources();
    // One more than it gives, to see whether there is another page.
    expect(sent).toContain("/service-api/ingestion?most=501");
  });

  it("only one is asked for to see what became of it", async () => {
    const { call, sent } = await assistant();
    const { structuredContent } = await call("ingest_status", { document: "threadlore://document/ferry" });
    expect(structuredContent).toMatchObject({ status: "indexed" });
    expect(sent).toContain("/service-api/ingestion?document_id=ferry");
  });
});

describe("a key the server does not let in", () => {
  it.each([
    ["wrong", "tl_TESTwrong"],
    ["missing", ""],
  ])("is said to be that, and nothing is promised with it: %s", async (_case, apiKey) => {
    const { call, resource } = await assistant({ apiKey });
    const refused = /does not accept this key.*threadlore doctor/s;
    await expect(resource("threadlore://sources")).rejects.toThrow(refused);
    expect(await call("search", { query: "gate" })).toMatchObject({ isError: true });
    // No word of pairs, which would not help.
    const kept = await call("ingest", { title: "Decision", text: "Yes." });
    expect(kept).toMatchObject({ isError: true, text: expect.stringMatching(refused) as string });
  });
});

it("nobody in particular is promised what is public, where the service admits those without a key", async () => {
  const open = createService({ database: ":memory:", apiKey: OWNER, settings: { anonymous: true } });
  afterThisTest(() => open.close());
  const { client, resource } = await assistant({
    apiKey: "",
    fetch: (input, init) => open.fetch(new Request(input, init)),
  });
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["ask", "search", "read"]);
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["ask-with-sources"]);
  expect(await resource("threadlore://sources")).toContain("only what is public is found");
});

describe("a server that says nothing", () => {
  it("holds nobody up who wants to know which tools there are, and nothing is said of what the key may", async () => {
    const begun = performance.now();
    const { client } = await assistant({ source: () => new Promise(() => {}) });
    expect((await client.listTools()).tools).toHaveLength(5);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it("is not said to let anybody add, nor to have nobody who decided who may see it", async () => {
    const failing: typeof fetch = () => Promise.resolve(new Response("oops", { status: 500 }));
    const { call, resource } = await assistant({ fetch: failing });
    expect(await resource("threadlore://sources")).toContain("What this key may do, the server does not say.");
    expect((await call("ingest", { title: "Decision", text: "Yes." })).text).toContain("failed (500)");
  });
});
