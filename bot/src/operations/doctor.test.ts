import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWorkspace, type Workspace } from "@threadlore/chat-workspace";
import { addConnector, addCredential, addDocumentSet, addKey, addPair, Database } from "@threadlore/service";
import { type RunningService, serve } from "@threadlore/service/serve";
import { closedPort } from "@threadlore/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { eventsFor, scopesFor } from "../settings/manifest.ts";

const KEYS = { owner: "tl_TESTowner", channel: "tl_TESTchannel", dm: "tl_TESTdm", ingest: "tl_TESTingest" };

let folder: string;
let service: RunningService;
let pair: number;
let workspace: Workspace;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "doctor-"));
  const database = join(folder, "service.db");
  service = await serve({ database, apiKey: KEYS.owner, port: 0, logLevel: "silent" });
  const db = new Database(database);
  const connector = db.transact(addConnector({ name: "Pins", source: "slack" }));
  const credential = db.transact(addCredential({ name: "none", source: "slack" }));
  pair = db.transact(addPair({ name: "Pins", connectorId: connector, credentialId: credential, access: "private" }));
  db.transact(addDocumentSet({ name: "Handbook", pairIds: [pair] }));
  db.transact(addDocumentSet({ name: "Board", pairIds: [pair] }));
  db.transact(addKey(KEYS.channel, { name: "bot", role: "ordinary", documentSets: ["Handbook"] }, Date.now()));
  db.transact(addKey(KEYS.dm, { name: "bot-dm", role: "ordinary" }, Date.now()));
  db.transact(addKey(KEYS.ingest, { name: "bot-ingest", role: "editor" }, Date.now()));
  db.close();
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  workspace = await startWorkspace();
});
afterEach(() => workspace.close());

function environment(over: Record<string, string> = {}): Record<string, string> {
  return {
    HOME: folder,
    SLACK_BOT_TOKEN: workspace.credentials.botToken,
    SLACK_APP_TOKEN: workspace.credentials.appToken,
    SLACK_API_URL: workspace.slackApiUrl,
    THREADLORE_URL: service.url,
    THREADLORE_KEY: KEYS.channel,
    THREADLORE_DM_KEY: KEYS.dm,
    THREADLORE_INGEST_KEY: KEYS.ingest,
    THREADLORE_PAIR: String(pair),
    ...over,
  };
}

async function doctor(over: Record<string, string> = {}, rules?: string, args: readonly string[] = []) {
  const env = environment(over);
  if (rules !== undefined) {
    env["RULES_FILE"] = join(folder, "rules.yaml");
    await writeFile(env["RULES_FILE"], rules);
  }
  let said = "";
  const code = await run(
    ["doctor", ...args],
    {
      env,
      folder,
      out: (text) => {
        said += text;
      },
      err: (text) => {
        said += text;
      },
      interrupted: new AbortController().signal,
    },
    () => Promise.reject(new Error("doctor runs no bot")),
  );
  // Whatever is wrong, no key is ever shown.
  for (const secret of [...Object.values(KEYS), ...Object.values(workspace.credentials).slice(0, 3)]) {
    expect(said).not.toContain(secret);
  }
  return { code, said, marked: (mark: string) => said.split("\n").filter((line) => line.startsWith(mark)) };
}

describe("the doctor", () => {
  it("finds nothing wrong with an installation that is right, and leaves no trace", async () => {
    const rules = "defaults: {pins: members, document_sets: [Handbook]}";
    const { code, said, marked } = await doctor({}, rules);
    expect(marked("fix")).toEqual([]);
    expect(code).toBe(0);
    for (const words of [
      `ok   bot token: The bot is`,
      `in Harbour (${workspace.team.id})`,
      "ok   scopes: All",
      "ok   app-level token: Socket Mode can connect.",
      "?    events: Slack does not let an app read back",
      "ok   base URL:",
      "ok   channel key: The server knows this key as",
      "ok   channel key: permission to ask: This key may ask questions.",
      "ok   rights of the channel key: It may ask, and may not ingest.",
      "ok   document sets in the rules: The channel key sees each of them.",
      "ok   key for direct messages: The server knows this key as",
      "ok   ingest key: ingestion: The server takes documents",
      `ok   pair: Pair ${pair} ("Pins") exists.`,
      `ok   who sees what is ingested: Pair ${pair} ("Pins") is private.`,
      "ok   database: SQLite,",
      "ok   rules:",
    ]) {
      expect(said).toContain(words);
    }
    expect(workspace.sockets()).toBe(0);
    expect(workspace.calls.map(({ method }) => method).toSorted()).toEqual(["apps.connections.open", "auth.test"]);
  });

  it("says the same as one JSON document", async () => {
    const { code, said } = await doctor({}, "defaults: {pins: members}", ["--json"]);
    const { ok, findings } = JSON.parse(said) as { ok: boolean; findings: { what: string; ok: boolean | string }[] };
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(findings.find(({ what }) => what === "bot token")).toMatchObject({ ok: true, fix: "" });
  });

  it("lists everything wrong with the settings, without asking anybody", async () => {
    const { code, marked } = await doctor({ SLACK_BOT_TOKEN: "", SOCKETS: "many", THREADLORE_URL: "nowhere" });
    expect(code).toBe(11);
    expect(marked("fix").map((line) => line.slice(0, 60))).toEqual([
      expect.stringContaining("settings: SLACK_BOT_TOKEN is not set"),
      expect.stringContaining("settings: SOCKETS must be"),
      expect.stringContaining("settings: THREADLORE_URL"),
    ]);
    expect(workspace.calls).toEqual([]);
  });

  it("names the scopes that are missing, of what the rules use", async () => {
    await workspace.close();
    const scopes = scopesFor(["shortcuts", "home", "follow_ups"]);
    workspace = await startWorkspace({ app: { scopes: scopes.filter((scope) => scope !== "im:write") } });
    const without = await doctor();
    expect(without.code).toBe(11);
    expect(without.said).toContain(
      "fix  scopes: Missing: im:write.\n     Update the app with what `threadlore-bot manifest` prints",
    );
    // Whoever installed it left this out, which is their right.
    expect(without.said).toContain(
      "?    optional scopes: Left out at the installation: files:read (attached files are not read); users:read.email (",
    );
    const withPins = await doctor({}, "defaults: {pins: members, who_may_ask: [S0OPS]}");
    expect(withPins.said).toContain("Missing: im:write, pins:read, reactions:write, usergroups:read.");
    for (const event of eventsFor(["pins"])) expect(withPins.said).toContain(event);
    const searching = await doctor({}, "direct_messages: {workspace_search: public}");
    expect(searching.said).toContain("Missing: im:write, search:read.public.");
  });

  it.each([
    {
      method: "auth.test",
      error: "token_revoked",
      says: "fix  bot token: This token was revoked.\n     Install the app",
    },
    { method: "auth.test", error: "invalid_auth", says: "fix  bot token: Slack does not know this token." },
    {
      method: "apps.connections.open",
      error: "missing_scope",
      says: "scope is missing.\n     Make an app-level token with the scope connections:write",
    },
    {
      method: "apps.connections.open",
      error: "not_allowed_token_type",
      says: "fix  app-level token: This kind of token cannot be used here.",
    },
  ])("explains $error of $method", async ({ method, error, says }) => {
    workspace.faults.refuse(method, error);
    const { code, said } = await doctor();
    expect(code).toBe(11);
    expect(said).toContain(says);
    expect(said).toContain("ok   rules:");
  });

  it("says that nothing answers where nothing does, for Slack and for the server", async () => {
    const { port } = new URL(await closedPort());
    const slack = await doctor({ SLACK_API_URL: `http://127.0.0.1:${port}/api/` });
    expect(slack.said).toContain("fix  bot token: Nothing answers at that address.");
    expect(slack.said).toContain("ok   channel key:");
    const server = await doctor({ THREADLORE_URL: `http://127.0.0.1:${port}` });
    expect(server.code).toBe(11);
    expect(server.marked("fix")).toEqual([expect.stringContaining("base URL:")]);
    expect(server.said).toContain("ok   database:");
  });

  it("minds what each key may do", async () => {
    const owner = await doctor({ THREADLORE_KEY: KEYS.owner });
    expect(owner.said).toContain("fix  rights of the channel key: It is an administrator's");
    const editor = await doctor({ THREADLORE_KEY: KEYS.ingest });
    expect(editor.said).toContain("?    rights of the channel key: It may ingest as well");
    const ordinary = await doctor({ THREADLORE_INGEST_KEY: KEYS.dm });
    expect(ordinary.said).toContain("fix  ingest key: ingestion:");
    expect(ordinary.said).toContain("?    gaps: The key may not tell the server of them");
    expect(editor.said).toContain("gaps: The server keeps questions nobody could answer");
    const unknown = await doctor({ THREADLORE_DM_KEY: "tl_TESTnobody" });
    expect(unknown.said).toContain("fix  key for direct messages:");
    const same = await doctor({ THREADLORE_DM_KEY: KEYS.channel });
    expect(same.said).toContain("?    key for direct messages: It is the same as the channel key");
    expect([owner.code, editor.code, ordinary.code, unknown.code, same.code]).toEqual([11, 0, 11, 11, 0]);
  });

  it("minds where kept messages go", async () => {
    const pins = "defaults: {pins: members}";
    expect((await doctor({ THREADLORE_PAIR: "" }, pins)).said).toContain("fix  pair: It was never decided which pair");
    expect((await doctor({ THREADLORE_PAIR: "none" }, pins)).said).toContain("?    pair: None is named, on purpose");
    expect((await doctor({ THREADLORE_PAIR: "99" }, pins)).said).toContain("fix  pair: There is no pair 99.");
    expect((await doctor({ THREADLORE_INGEST_KEY: "" }, pins)).said).toContain(
      "fix  ingest key: The rules keep pinned messages",
    );
    const own = await doctor({ THREADLORE_PAIR: "" }, "channels: {C0A: {pins: members, pair: 98}}");
    expect(own.said).toContain("fix  pair: There is no pair 98.");
    expect(own.said).not.toContain("never decided");
  });

  it("looks for the document sets of the rules with the channel key", async () => {
    const { code, said } = await doctor({}, "channels: {C0A: {document_sets: [Handbook, Board, Ghost]}}");
    expect(code).toBe(11);
    expect(said).toContain("fix  document sets in the rules: The channel key does not see: Board, Ghost.");
  });

  it("says what is wrong with the database", async () => {
    const { port } = new URL(await closedPort());
    const gone = await doctor({ DATABASE_URL: `postgres://bot:secret-word@127.0.0.1:${port}/bot` });
    expect(gone.code).toBe(11);
    expect(gone.said).toContain("fix  database: Nothing answers at that address.");
    expect(gone.said).not.toContain("secret-word");
    const broken = join(folder, "broken.db");
    await writeFile(broken, "this is no database, only text that is long enough to be taken for one ".repeat(20));
    const { said } = await doctor({ DATABASE_URL: `sqlite:${broken}` });
    expect(said).toContain("fix  database: The database file is damaged");
    expect(said).toContain(broken);
  });

  it("passes on what deserves a second look in the rules", async () => {
    const { code, said } = await doctor({}, "defaults: {guests: allow}");
    expect(code).toBe(0);
    expect(said).toContain("?    rules: defaults: guests may ask.");
  });
});
