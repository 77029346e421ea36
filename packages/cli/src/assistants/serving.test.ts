/** An editor keeps `threadlore mcp` for days; what it reaches changes meanwhile. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { afterThisTest, startDeployedServer, temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { startServing } from "../embedded/serving.ts";
import { overStdio } from "../testing/assistants.ts";

/** A service that knows this of the gate. */
async function started(folder: string, text: string) {
  const { url, apiKey = "", close, listening } = await startServing({ folder, port: 0, log: () => {} });
  const document = { id: "gate", semantic_identifier: "Gate", source: "web", sections: [{ text }] };
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const body = JSON.stringify({ document });
  const kept = await fetch(`${url}/service-api/ingestion`, { method: "POST", headers, body });
  if (!kept.ok) throw new Error(await kept.text());
  await listening.service.drain();
  let isOpen = true;
  const end = async (): Promise<void> => {
    if (isOpen) await close();
    isOpen = false;
  };
  afterThisTest(end);
  return { url, apiKey, end };
}

async function ask(client: Client, conversation?: string) {
  const question = "When does the harbour gate open?";
  const given = { question, ...(conversation !== undefined && { conversation }) };
  const { content, structuredContent } = await client.callTool({ name: "ask", arguments: given });
  const text = content.map((one) => ("text" in one ? one.text : "")).join("\n");
  return { text, conversation: (structuredContent as { conversation?: string } | undefined)?.conversation };
}

/** No server is named: the one of this folder, or the one that was logged in to, is asked. */
const editorWith = (env: Readonly<Record<string, string>>) => overStdio({ url: "", apiKey: "", env });

describe("threadlore mcp, while an editor keeps it", () => {
  it("answers once the service runs that did not yet, and goes on where it moved to another port", async () => {
    const folder = temporaryFolder();
    const { client } = await editorWith({ THREADLORE_DATA: folder });
    expect((await ask(client)).text).toContain("Start it with `threadlore serve --data");
    const first = await started(folder, "The harbour gate opens at 06:40.");
    const { text, conversation } = await ask(client);
    expect(text).toContain("06:40");
    await first.end();
    const second = await started(folder, "The harbour gate opens at 06:40.");
    expect(second.url).not.toBe(first.url);
    const again = await ask(client, conversation);
    expect(again.text).toContain("06:40");
    expect(again.conversation?.split("/")[0]).toBe(conversation?.split("/")[0]);
  });

  it("says that a key is not known, where a server open to everybody would answer from what is public", async () => {
    const server = await startDeployedServer({ allowAnonymous: true });
    afterThisTest(() => server.close());
    const { client } = await overStdio({ url: server.url, apiKey: "tl_TESTrevoked" });
    const { text } = await ask(client);
    expect(text).toContain("does not know this key and takes you for a caller without one");
    expect(text).toContain("threadlore doctor");
  });

  it("takes another key, and another server, from the next call after they were logged in to", async () => {
    const home = temporaryFolder();
    const [one, other] = await Promise.all([
      started(temporaryFolder(), "The harbour gate opens at 06:40."),
      started(temporaryFolder(), "The harbour gate opens at 09:00."),
    ]);
    const loggedIn = ({ url, apiKey }: { readonly url: string; readonly apiKey: string }): void => {
      const file = join(home, ".config", "threadlore", "config.json");
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ current: url, servers: { [url]: { apiKey } } }), { mode: 0o600 });
    };
    loggedIn({ url: one.url, apiKey: "tl_TESTrevoked" });
    const { client } = await editorWith({ HOME: home });
    expect((await ask(client)).text).toContain("does not accept this key");
    loggedIn(one);
    const { text, conversation } = await ask(client);
    expect(text).toContain("06:40");
    loggedIn(other);
    expect((await ask(client, conversation)).text).toBe(
      "The server no longer has this conversation. Ask again to begin a new one.",
    );
    expect((await ask(client)).text).toContain("09:00");
  });
});
