import { rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "@threadlore/client";
import { startScriptedModel } from "@threadlore/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { createService, type Service } from "../index.ts";
import { temporaryFolder } from "../service.harness.ts";

const API_KEY = ["tl", "TEST"].join("_");
const ends: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** Words that mean the same stand in one dimension. */
const MEANINGS = [/holiday|vacation/i, /lift|elevator/i, /soup|lunch/i];

/** A small embedding server: counts words by meaning. It refuses texts that hold "unreadable", and all while it is down. */
async function embeddingServer() {
  const state = { down: false, asked: [] as string[], meanwhile: (): void => undefined };
  const server: Server = createServer((request, response) => {
    void (async () => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const { input } = JSON.parse(body) as { input: string[] };
      state.asked.push(...input);
      state.meanwhile();
      const status = state.down ? 503 : input.some((text) => text.includes("unreadable")) ? 400 : 200;
      const data = input.map((text, index) => ({
        index,
        embedding: [0.1, ...MEANINGS.map((words) => (words.test(text) ? 1 : 0))],
      }));
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(status === 200 ? { data: data.toReversed() } : { error: { message: "no" } }));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  return { state, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

function started(
  baseUrl: string | undefined,
  log: string[] = [],
  model?: { baseUrl: string; name: string },
  database = ":memory:",
) {
  const service: Service = createService({
    database,
    apiKey: API_KEY,
    log: (line) => log.push(line),
    ...(model && { model }),
    ...(baseUrl !== undefined && { embeddings: { baseUrl, name: "meanings" } }),
  });
  ends.push(() => service.close());
  const client = createClient({ baseUrl: "http://127.0.0.1:8411", apiKey: API_KEY, fetch: service.fetch });
  const ingest = (id: string, text: string) =>
    client.ingest({ document: { id, semantic_identifier: id, sections: [{ text }], source: "web", metadata: {} } });
  const found = async (message: string): Promise<string[]> => {
    const { top_documents } = await client.sendMessage({ message, deep_research: false });
    return (top_documents ?? []).map(({ document_id }) => document_id);
  };
  return { service, ingest, found };
}

async function withTexts(baseUrl: string | undefined, log?: string[], model?: { baseUrl: string; name: string }) {
  const { service, ingest, found } = started(baseUrl, log, model);
  await ingest("vacations", "Everybody takes thirty days of vacation.");
  await ingest("canteen", "Soup is served at noon.");
  await ingest("odd", "This is unreadable for the model.");
  await service.drain();
  return { service, ingest, found };
}

describe("embeddings", () => {
  it("are asked of nobody unless a server is named", async () => {
    const { state } = await embeddingServer();
    await withTexts(undefined);
    expect(state.asked).toEqual([]);
  });

  it("are kept for each passage, and asked for one by one where the server refuses a request", async () => {
    const { state, baseUrl } = await embeddingServer();
    const { service } = await withTexts(baseUrl);
    expect(new Set(state.asked.map((text) => text.split("\n")[0]))).toEqual(new Set(["vacations", "canteen", "odd"]));
    const before = state.asked.length;
    await service.drain();
    expect(state.asked).toHaveLength(before);
  });

  it("find what means the same in other words, fused with what words find", async () => {
    const { baseUrl } = await embeddingServer();
    // A model is given all that was found; an answer without one quotes only what holds the question's words.
    const scripted = await startScriptedModel([{ text: "So it is [1]." }]);
    ends.push(() => scripted.close());
    const model = { baseUrl: scripted.url, name: "scripted" };
    const asked = "How long may my holiday be?";
    const byWords = await withTexts(undefined, [], model);
    expect(await byWords.found(asked)).toEqual([]);
    const { ingest, service, found } = await withTexts(baseUrl, [], model);
    expect((await found(asked))[0]).toBe("vacations");
    await ingest("elevators", "Elevators carry at most eight persons.");
    await ingest("chairs", "The chair lift to the summit is closed in winter.");
    await service.drain();
    const both = await found("Is the lift closed in winter?");
    expect(both[0]).toBe("chairs");
    expect(both).toContain("elevators");
  });

  it("are asked for again later when the server fails, and questions are answered by words meanwhile", async () => {
    const { state, baseUrl } = await embeddingServer();
    state.down = true;
    const log: string[] = [];
    const { service, found } = await withTexts(baseUrl, log);
    expect(log.join("\n")).toContain("the embedding model could not be asked");
    expect(await found("When is soup served?")).toContain("canteen");
    state.down = false;
    const before = state.asked.length;
    await service.drain();
    expect(state.asked.length).toBeGreaterThan(before);
  });

  it("are not said to have failed where the index is lost meanwhile, and are kept in the next one", async () => {
    const { path, remove } = temporaryFolder();
    ends.push(async () => remove());
    const { state, baseUrl } = await embeddingServer();
    const log: string[] = [];
    const { service, ingest, found } = started(baseUrl, log, undefined, `${path}/a.db`);
    state.meanwhile = () => {
      state.meanwhile = () => undefined;
      rmSync(`${path}/a.db.search.sqlite`);
    };
    await ingest("canteen", "Soup is served at noon.");
    await expect
      .poll(async () => {
        await service.drain();
        return log.join("\n");
      })
      .toContain("the search index was damaged or gone");
    await service.drain();
    expect(state.asked).toEqual(Array.from({ length: 2 }, () => "canteen\nSoup is served at noon."));
    expect(await found("When is soup served?")).toEqual(["canteen"]);
    expect(log.join("\n")).not.toContain("embedding");
  });
});
