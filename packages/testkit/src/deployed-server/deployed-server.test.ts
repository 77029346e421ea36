import { describe, expect, it } from "vitest";
import { afterThisTest } from "../tidying.ts";
import { startDeployedServer, type DeployedServer } from "./deployed-server.ts";
import type { Settings } from "./settings.ts";

async function start(options: Partial<Settings> = {}): Promise<DeployedServer> {
  const server = await startDeployedServer(options);
  afterThisTest(() => server.close());
  return server;
}

/** A request with a key and, where there is one, a JSON body. */
function call(server: DeployedServer, method: string, path: string, key?: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  if (body !== undefined) headers["content-type"] = "application/json";
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return fetch(server.url + path, { method, headers, redirect: "manual", ...sent });
}

/** The lines of an answer. */
async function linesOf(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text();
  return text
    .trimEnd()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));
}

const handbook = {
  id: "https://wiki.example.com/leave",
  title: "Leave",
  text: "Everybody has 27 days of paid leave. Ask early.",
  link: "https://wiki.example.com/leave",
};

describe("a deployed server", () => {
  it("answers from its documents, with a mark after its citation", async () => {
    const server = await start();
    server.addDocument(handbook);
    const response = await call(server, "POST", "/chat/send-chat-message", server.keys.admin, {
      message: "How many days of leave are there?",
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const lines = await linesOf(response);
    const objects = lines.flatMap(({ obj }) => (obj === undefined ? [] : [obj as Record<string, unknown>]));
    expect(objects.map(({ type }) => type).filter((type) => type !== "message_delta")).toEqual([
      "search_tool_start",
      "search_tool_queries_delta",
      "search_tool_documents_delta",
      "section_end",
      "message_start",
      "citation_info",
      "stop",
    ]);
    const text = objects.map(({ content }) => content ?? "").join("");
    expect(text).toBe("Everybody has 27 days of paid leave [[1]](https://wiki.example.com/leave).");
    expect(server.questions).toMatchObject([
      { outcome: "finished", whileRunning: false, toolsRun: ["internal_search"] },
    ]);
  });

  it("takes a document in and finds it", async () => {
    const server = await start();
    const document = {
      id: "a b/c",
      semantic_identifier: "Bikes",
      sections: [{ text: "Bikes stand in the yard." }],
      metadata: {},
    };
    const reply = await call(server, "POST", "/onyx-api/ingestion", server.keys.admin, { document });
    expect(await reply.json()).toEqual({ document_id: "a_b%2Fc", already_existed: false });
    const found = await call(server, "POST", "/search", server.keys.member, { query: "bikes" });
    expect(await found.json()).toMatchObject({ results: [{ citation_id: 1, title: "Bikes" }] });
  });

  it("says who a key is", async () => {
    const server = await start();
    const me = await call(server, "GET", "/me", server.keys.service);
    expect(await me.json()).toMatchObject({ account_type: "SERVICE_ACCOUNT", personalization: { use_memories: true } });
  });
});
