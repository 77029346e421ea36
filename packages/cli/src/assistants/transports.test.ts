/** The same requests over both transports, and clients of other makers that people have. */
import { execFile } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMCPClient, type MCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import type { Client } from "@modelcontextprotocol/client";
import { afterThisFile, afterThisTest, temporaryFolder } from "@threadlore/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { startServing } from "../embedded/serving.ts";
import { editorCommand, overHttp, overStdio, type Reached } from "../testing/assistants.ts";

const QUESTION = "When does the harbour gate open?";
const DOCUMENT = "threadlore://document/gate";

let server: Reached;

beforeAll(async () => {
  const folder = temporaryFolder();
  const { url, apiKey = "", close, listening } = await startServing({ folder, port: 0, log: () => {} });
  afterThisFile(close);
  server = { url, apiKey };
  const document = {
    id: "gate",
    semantic_identifier: "Gate",
    source: "web",
    sections: [{ text: "The harbour gate opens at 06:40.", link: "https://docs.example.com/gate" }],
  };
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const body = JSON.stringify({ document });
  const kept = await fetch(`${url}/service-api/ingestion`, { method: "POST", headers, body });
  if (!kept.ok) throw new Error(await kept.text());
  await listening.service.drain();
});

describe("the same requests over both transports", () => {
  /** What differs from one call to the next: names of conversations, marks around documents' words, times. */
  const withoutNames = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value)
        .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/\d+/g, "CONVERSATION")
        .replace(/(?:answer|passages?|document)-[0-9a-f]{16}/g, "MARK"),
    ) as unknown;

  const transcript = async (client: Client): Promise<unknown[]> => {
    const call = (name: string, given: Record<string, unknown>) =>
      client.callTool({ name, arguments: given }).catch((error: unknown) => String(error));
    const steps = [
      () => client.listTools(),
      () => client.listResources(),
      () => client.listResourceTemplates(),
      () => client.listPrompts(),
      () => call("ask", { question: QUESTION }),
      () => call("ask", { question: "Who painted the ceiling of the chapel?" }),
      () => call("ask", { question: "" }),
      () => call("ask", { question: QUESTION, conversation: "nobody's" }),
      () => call("search", { query: "harbour gate", limit: 1 }),
      () => call("search", { query: "harbour", document_sets: ["none of this name"] }),
      () => call("read", { document: DOCUMENT }),
      () => call("read", { document: "no such document" }),
      () => call("ingest", { title: "Decision: the gate", text: "It opens at 06:30 from May." }),
      () => call("ingest", { title: "No text" }),
      () => call("unknown", {}),
      () => client.readResource({ uri: DOCUMENT }),
      () => client.readResource({ uri: "threadlore://sources" }),
      () => client.readResource({ uri: "threadlore://document/none" }).catch((error: unknown) => String(error)),
      () => client.getPrompt({ name: "ask-with-sources", arguments: { question: QUESTION } }),
      () => client.getPrompt({ name: "ask-with-sources" }).catch((error: unknown) => String(error)),
    ];
    const results: unknown[] = [];
    for (const step of steps) results.push(withoutNames(await step()));
    return results;
  };

  it("give the same results", async () => {
    const first = await transcript(await overHttp(server));
    // It is there from the first run on.
    const again = await transcript(await overHttp(server));
    const { client } = await overStdio(server);
    expect(await transcript(client)).toEqual(again);
    expect(JSON.stringify(first)).toContain("06:40");
    expect(JSON.stringify(again)).toContain('"replaced":true');
  });
});

interface Told {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

const textIn = ({ content }: Told): string => content.flatMap(({ text = [] }) => text).join("\n");

describe("the inspector's command line", () => {
  const program = (): string => {
    const own = dirname(fileURLToPath(import.meta.resolve("@modelcontextprotocol/inspector-cli/package.json")));
    // It reads its version from above itself, where the package as it is published has nothing.
    const folder = temporaryFolder();
    cpSync(own, join(folder, "cli"), { recursive: true, dereference: true });
    cpSync(join(own, "package.json"), join(folder, "package.json"));
    symlinkSync(join(own, "../.."), join(folder, "node_modules"), "junction");
    return join(folder, "cli/build/cli.js");
  };

  const inspect = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> =>
    new Promise((resolve, reject) => {
      execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(stderr || stdout));
      });
    });

  it("lists, asks, reads, gets a prompt and sees an error", async () => {
    const { command, args, env } = editorCommand(server);
    const named = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    const inspector = program();
    const run = (...flags: readonly string[]) =>
      inspect([inspector, "--cli", ...named, command, ...args, ...flags], env);
    const tool = ["--method", "tools/call", "--tool-name"];
    const [tools, answer, resource, prompt, failure] = await Promise.all([
      run("--method", "tools/list"),
      run(...tool, "ask", "--tool-arg", `question=${QUESTION}`),
      run("--method", "resources/read", "--uri", DOCUMENT),
      run("--method", "prompts/get", "--prompt-name", "ask-with-sources", "--prompt-args", `question=${QUESTION}`),
      run(...tool, "read", "--tool-arg", "document=none"),
    ]);
    const { tools: listed } = JSON.parse(tools) as { tools: { name: string }[] };
    expect(listed.map(({ name }) => name)).toEqual(["ask", "search", "read", "ingest", "ingest_status"]);
    expect(textIn(JSON.parse(answer) as Told)).toContain("06:40");
    expect(resource).toContain("06:40");
    expect(prompt).toContain(QUESTION);
    const failed = JSON.parse(failure) as Told;
    expect(failed.isError).toBe(true);
    expect(textIn(failed)).toBe(
      "There is no such document, or none that this key may see. A search finds documents by what they say.",
    );
  });
});

describe("a client of another maker", () => {
  const transports = {
    stdio: () => new StdioTransport({ ...editorCommand(server), stderr: "ignore" }),
    http: () => ({
      type: "http" as const,
      url: `${server.url}/mcp`,
      headers: { authorization: `Bearer ${server.apiKey}` },
    }),
  };

  it.each(["stdio", "http"] as const)("lists, asks, reads, gets a prompt and sees an error, over %s", async (name) => {
    const client: MCPClient = await createMCPClient({ transport: transports[name]() });
    afterThisTest(() => client.close());
    expect(Object.keys(await client.tools())).toEqual(["ask", "search", "read", "ingest", "ingest_status"]);
    const answer = await client.callTool({ name: "ask", arguments: { question: QUESTION } });
    expect(textIn(answer as Told)).toContain("06:40");
    expect(JSON.stringify(await client.readResource({ uri: DOCUMENT }))).toContain("06:40");
    const prompt = await client.getPrompt({
      name: "ask-with-sources",
      arguments: { question: QUESTION },
    });
    expect(JSON.stringify(prompt)).toContain(QUESTION);
    const failed = (await client.callTool({ name: "read", arguments: { document: "none" } })) as Told;
    expect(failed).toMatchObject({ isError: true });
    expect(textIn(failed)).toBe(
      "There is no such document, or none that this key may see. A search finds documents by what they say.",
    );
  });
});
