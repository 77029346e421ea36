import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startWorkspace, type Workspace } from "@threadlore/chat-workspace";
import { createClient } from "@threadlore/client";
import { addKey, Database } from "@threadlore/service";
import { type RunningService, serve } from "@threadlore/service/serve";
import { afterEach, beforeEach, expect, it } from "vitest";

const START = fileURLToPath(new URL("../start.cjs", import.meta.url));
const OWNER = "tl_TESTowner";
const CHANNEL = "tl_TESTchannel";

let folder: string;
let service: RunningService;
let workspace: Workspace;
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "bot-"));
  const database = join(folder, "service.db");
  service = await serve({ database, apiKey: OWNER, port: 0, logLevel: "silent" });
  const db = new Database(database);
  db.transact(addKey(CHANNEL, { name: "bot", role: "ordinary" }, Date.now()));
  db.close();
  workspace = await startWorkspace();
});
afterEach(async () => {
  child?.kill("SIGKILL");
  await workspace.close();
  await service.close();
  await rm(folder, { recursive: true });
});

function start(): ChildProcess {
  return spawn(process.execPath, [START], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      SLACK_BOT_TOKEN: workspace.credentials.botToken,
      SLACK_APP_TOKEN: workspace.credentials.appToken,
      SLACK_API_URL: workspace.slackApiUrl,
      THREADLORE_URL: service.url,
      THREADLORE_KEY: CHANNEL,
      OPERATIONS_PORT: "off",
    },
  });
}

/** The start's code in a Node that says it is of another version. */
function startedBy(version: string): { status: number | null; stderr: string } {
  const pretend = `Object.defineProperty(process.versions, "node", { value: ${JSON.stringify(version)} });`;
  const code = `${pretend} process.argv[1] = "threadlore-bot"; process.argv[2] = "--help"; require(${JSON.stringify(START)});`;
  return spawnSync(process.execPath, ["--eval", code], { encoding: "utf8" });
}

it.each(["20.20.2", "22.12.0", "22.17.1", "23.5.0"])("says under Node %s which one it needs", (version) => {
  const { status, stderr } = startedBy(version);
  expect(stderr).toBe(`threadlore-bot needs Node 22.18 or newer; this is Node ${version}.\n`);
  expect(status).toBe(2);
});

it.each(["22.18.0", "23.6.0", "24.1.0"])("starts under Node %s", (version) => {
  expect(startedBy(version).stderr).not.toContain("needs Node");
});

it("answers a mention from the process it starts, and ends well when it is told to", { timeout: 120_000 }, async () => {
  const client = createClient({ baseUrl: service.url, apiKey: OWNER });
  const sections = [{ text: "The harbour gate opens with code word marigold.", link: "https://docs.ok.test/gate" }];
  await client.ingest({ document: { id: "gate", sections, semantic_identifier: "The gate", metadata: {} } });
  await service.service.drain();
  const anna = workspace.addUser({ name: "anna" });
  const channel = workspace.addChannel({ name: "help", members: [anna.user.id], withApp: true });

  child = start();
  let said = "";
  child.stdout?.on("data", (text: Buffer) => (said += text.toString()));
  child.stderr?.on("data", (text: Buffer) => (said += text.toString()));
  await workspace.until(() => workspace.sockets() === 2, 60_000);

  const question = await anna.mention(channel.id, "Which code word opens the harbour gate?");
  const answer = await workspace.until(
    () =>
      workspace
        .messages(channel.id, question)
        .find(({ shown, stream }) => shown.includes("marigold") && stream?.state !== "in_progress"),
    60_000,
  );
  expect(answer.user).toBe(workspace.app.botUserId);

  child.kill("SIGTERM");
  const [code] = (await once(child, "exit")) as [number];
  expect(code).toBe(0);
  expect(workspace.sockets()).toBe(0);
  const events = said
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { event: string }).event);
  expect(events).toEqual(expect.arrayContaining(["started", "stopping", "stopped"]));
  for (const secret of ["marigold", "harbour gate", CHANNEL, ...Object.values(workspace.credentials).slice(0, 3)]) {
    expect(said).not.toContain(secret);
  }
});

it("ends well when it is told to before Slack let it connect", { timeout: 120_000 }, async () => {
  workspace.faults.fail("apps.connections.open", { status: 503, times: 10_000 });
  child = start();
  child.stdout?.resume();
  child.stderr?.resume();
  await workspace.until(() => workspace.calls.some(({ method }) => method === "apps.connections.open"), 60_000);
  child.kill("SIGTERM");
  const [code] = (await once(child, "exit")) as [number];
  expect(code).toBe(0);
});

it("ends with code 2 when the app is uninstalled, so that nothing starts it again", { timeout: 120_000 }, async () => {
  child = start();
  let said = "";
  child.stdout?.resume();
  child.stderr?.on("data", (text: Buffer) => (said += text.toString()));
  await workspace.until(() => workspace.sockets() === 2, 60_000);
  workspace.faults.uninstall();
  const [code] = (await once(child, "exit")) as [number];
  expect(code).toBe(2);
  expect(said).toContain("Install the app again");
});
