/** Whoever asks and leaves in the middle of the answer leaves no run behind. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterThisTest, type DeployedServer, startScriptedModel, temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { startServing } from "../embedded/serving.ts";
import { editorCommand, overHttp, overStdio, type Reached } from "../testing/assistants.ts";
import { deployed } from "../testing/deployed.ts";

const QUESTION = "When does the harbour gate open?";
const ASK = { name: "ask", arguments: { question: QUESTION } };

/** Asks, and gives what makes whoever asked leave. */
type Asking = (server: Reached) => Promise<() => unknown>;

const quiet = (call: Promise<unknown>): void => void call.catch(() => {});

const LEAVING: Readonly<Record<string, Asking>> = {
  "cancels the call": async (server) => {
    const { client } = await overStdio(server);
    const cancel = new AbortController();
    quiet(client.callTool(ASK, { signal: cancel.signal }));
    return () => cancel.abort();
  },
  "closes standard input": async (server) => {
    const { client } = await overStdio(server);
    quiet(client.callTool(ASK));
    return () => client.close();
  },
  "is killed itself": async (server) => {
    const editor = begun(spawn(process.execPath, ["-e", EDITOR], { stdio: ["ignore", "pipe", "ignore"] }));
    const { command, args, env } = editorCommand(server);
    begun(spawn(command, args, { env, stdio: [editor.stdout, "ignore", "ignore"] }));
    return () => editor.kill("SIGKILL");
  },
  "ends threadlore mcp": async (server) => {
    const { client, pid } = await overStdio(server);
    quiet(client.callTool(ASK));
    return () => process.kill(pid, "SIGTERM");
  },
  "kills threadlore mcp": async (server) => {
    const { client, pid } = await overStdio(server);
    quiet(client.callTool(ASK));
    return () => process.kill(pid, "SIGKILL");
  },
};

/** Says what an editor of the revision before says, asks, and stays. */
const EDITOR = `
  const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const clientInfo = { name: "tests", version: "1.0.0" };
  say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  say({ method: "notifications/initialized" });
  say({ id: 2, method: "tools/call", params: ${JSON.stringify(ASK)} });
  setInterval(() => {}, 1_000);
`;

function begun<Child extends ChildProcess>(child: Child): Child {
  afterThisTest(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  return child;
}

describe("on the embedded service, whose model is in the middle of an answer", () => {
  const slow = async () => {
    const model = await startScriptedModel([{ text: Array.from({ length: 600 }, () => "word "), everyMs: 100 }]);
    afterThisTest(() => model.close());
    const folder = temporaryFolder();
    const settings = { baseUrl: model.url, name: "scripted" };
    const {
      url,
      apiKey = "",
      close,
      listening,
    } = await startServing({ folder, port: 0, log: () => {}, model: settings });
    afterThisTest(close);
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    const sections = [{ text: "The harbour gate opens at 06:40." }];
    const body = JSON.stringify({ document: { id: "gate", semantic_identifier: "Gate", sections } });
    await fetch(`${url}/service-api/ingestion`, { method: "POST", headers, body });
    await listening.service.drain();
    return { server: { url, apiKey }, model };
  };

  it.each(Object.keys(LEAVING))("the run ends when whoever asked %s", async (how) => {
    const { server, model } = await slow();
    const leave = await LEAVING[how]?.(server);
    const running = await model.server.received(1);
    await leave?.();
    // The model's answer would take a minute.
    expect((await running.closed) - running.arrivedAt).toBeLessThan(30_000);
  });

  it("the run ends when the connection to /mcp is cut", async () => {
    const { server, model } = await slow();
    const client = await overHttp(server);
    const cut = new AbortController();
    const headers = {
      authorization: `Bearer ${server.apiKey}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: ASK });
    quiet(
      fetch(`${server.url}/mcp`, { method: "POST", headers, body, signal: cut.signal }).then((reply) => reply.text()),
    );
    const first = await model.server.received(1);
    cut.abort();
    expect((await first.closed) - first.arrivedAt).toBeLessThan(30_000);
    const cancel = new AbortController();
    quiet(client.callTool(ASK, { signal: cancel.signal }));
    const second = await model.server.received(2);
    cancel.abort();
    expect((await second.closed) - second.arrivedAt).toBeLessThan(30_000);
  });
});

describe("on a deployed server, which answers on for nobody until it is told to stop", () => {
  const slow = async (): Promise<{ server: DeployedServer; reached: Reached }> => {
    const server = await deployed();
    server.addDocument({ id: "gate", title: "Gate", text: "The harbour gate opens at 06:40." });
    server.faults.silence = { packets: 2, ms: 600_000 };
    return { server, reached: { url: server.origin, apiKey: server.keys.member } };
  };
  const count = ({ log }: DeployedServer, path: string): number => log.filter((one) => one.path.includes(path)).length;

  it.each(Object.keys(LEAVING).filter((how) => how !== "kills threadlore mcp"))(
    "so it is told when whoever asked %s",
    async (how) => {
      const { server, reached } = await slow();
      const leave = await LEAVING[how]?.(reached);
      await expect.poll(() => count(server, "/chat/send-chat-message")).toBe(1);
      // The answer's first packets, which name the conversation that is to be stopped.
      await new Promise((resolve) => setTimeout(resolve, 100));
      await leave?.();
      await expect.poll(() => count(server, "/chat/stop-chat-session/"), { timeout: 10_000 }).toBe(1);
    },
  );
});
