/** The tools against deployed servers as people run them: newer and older ones, with less, and in trouble. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { DEPLOYED_PROFILE } from "@threadlore/client";
import { knowledgeOf } from "@threadlore/mcp";
import { knowledgeEndpoint } from "@threadlore/mcp/http";
import { afterThisTest, type DeployedServer } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { deployed } from "../testing/deployed.ts";

const QUESTION = "When does the harbour gate open?";

async function toolsOf(key: (server: DeployedServer) => string = ({ keys }) => keys.admin) {
  const server = await deployed();
  server.addDocument({
    id: "gate",
    title: "Gate",
    text: "The harbour gate opens at 06:40.",
    link: "https://docs.example.com/gate",
  });
  const unforeseen: unknown[] = [];
  const endpoint = knowledgeEndpoint((error) => unforeseen.push(error));
  const knowledge = knowledgeOf({ baseUrl: server.url, apiKey: key(server), pair: null, profile: DEPLOYED_PROFILE });
  const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1:8411/mcp"), {
    fetch: (input, init) => endpoint.fetch(new Request(input, init), () => knowledge),
  });
  const client = new Client({ name: "tests", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(transport);
  afterThisTest(async () => {
    await client.close();
    await endpoint.close();
  });
  const call = async (name: string, given: Record<string, unknown>) => {
    const { isError, content, structuredContent } = await client.callTool({ name, arguments: given });
    const text = (content as { text?: string }[]).flatMap((one) => one.text ?? []).join("\n");
    return { isError: isError === true, text, given: structuredContent as Record<string, unknown> | undefined };
  };
  return { server, client, call, unforeseen };
}

describe("a deployed server", () => {
  it("is asked, searched and read by its passages, since it gives no whole documents", async () => {
    const { call, unforeseen } = await toolsOf();
    expect((await call("ask", { question: QUESTION })).text).toContain("06:40");
    expect((await call("search", { query: "harbour gate" })).given).toMatchObject({ through: "search" });
    const read = await call("read", { document: "https://docs.example.com/gate", about: "harbour gate" });
    expect(read.given).toMatchObject({ as: "passages", title: "Gate", link: "https://docs.example.com/gate" });
    expect(read.text).toContain("This server gives no whole documents");
    // As an answer's source names it, which a search of such a server does not.
    const named = await call("read", { document: "threadlore://document/gate", about: "harbour gate" });
    expect(named.given).toMatchObject({ as: "passages", title: "Gate" });
    expect(unforeseen).toEqual([]);
  });

  it("of an older version, without a search, is searched and read by what its answers name", async () => {
    const { server, call, unforeseen } = await toolsOf();
    server.faults.missing = ["/search"];
    const found = await call("search", { query: QUESTION });
    expect(found.given).toMatchObject({ through: "answer", passages: [{ title: "Gate" }] });
    expect((await call("read", { document: "gate", about: QUESTION })).given).toMatchObject({ as: "passages" });
    expect(unforeseen).toEqual([]);
  });

  it("without document sets says so, and is asked all the same", async () => {
    const { server, client, call } = await toolsOf();
    server.faults.missing = ["/manage/document-set"];
    const { contents } = await client.readResource({ uri: "threadlore://sources" });
    expect(JSON.stringify(contents)).toContain("does not list document sets");
    expect((await call("ask", { question: QUESTION })).isError).toBe(false);
  });

  it("takes what is added, and tells whether it is there", async () => {
    const { call } = await toolsOf();
    const added = await call("ingest", { title: "Decision: the gate", text: "It opens at 06:30 from May." });
    expect(added.isError).toBe(false);
    const { document } = added.given as { document: string };
    expect((await call("ingest_status", { document })).given).toMatchObject({ document });
  });

  it("lets a member ask, and offers no adding", async () => {
    const { client } = await toolsOf(({ keys }) => keys.member);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["ask", "search", "read"]);
  });

  it.each([
    ["whose key was revoked", ({ server }: { server: DeployedServer }) => server.revoke(server.keys.admin)],
    ["whose database is down", ({ server }: { server: DeployedServer }) => (server.faults.database = "down")],
    ["that is down", ({ server }: { server: DeployedServer }) => server.down()],
  ])("%s is told of in plain words by every tool", async (_, break_) => {
    const { server, call, unforeseen } = await toolsOf();
    await break_({ server });
    for (const [name, given] of [
      ["ask", { question: QUESTION }],
      ["search", { query: "gate" }],
      ["read", { document: "gate" }],
    ] as const) {
      const { isError, text } = await call(name, given);
      expect(isError).toBe(true);
      expect(text).toMatch(/^[A-Z0-9][^{}<>]{20,}\.$/s);
    }
    expect(unforeseen).toEqual([]);
  });

  it("whose reply is cut in the middle still answers, from what it keeps", async () => {
    const { server, call } = await toolsOf();
    server.faults.cut = { at: { packets: 4 } };
    expect((await call("ask", { question: QUESTION })).text).toContain("06:40");
  });
});
