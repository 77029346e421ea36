import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { startWorkspace, type Workspace } from "@threadlore/chat-workspace";
import { addConnector, addCredential, addKey, addPair, Database } from "@threadlore/service";
import { type RunningService, serve } from "@threadlore/service/serve";
import { afterThisFile, afterThisTest, startDeployedServer, temporaryFolder } from "@threadlore/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { withSettingsFile } from "../settings/settings-file.ts";

const KEYS = { owner: "tl_TESTowner", channel: "tl_TESTchannel", ingest: "tl_TESTingest" };

let workspace: Workspace;
let service: RunningService;
let pair: number;
beforeAll(async () => {
  const database = join(temporaryFolder(), "service.db");
  service = await serve({ database, apiKey: KEYS.owner, port: 0, logLevel: "silent" });
  const db = new Database(database);
  const connectorId = db.transact(addConnector({ name: "Pins", source: "slack" }));
  const credentialId = db.transact(addCredential({ name: "none", source: "slack" }));
  pair = db.transact(addPair({ name: "Pins", connectorId, credentialId, access: "private" }));
  db.transact(addKey(KEYS.channel, { name: "bot", role: "ordinary" }, Date.now()));
  db.transact(addKey(KEYS.ingest, { name: "bot-ingest", role: "editor" }, Date.now()));
  db.close();
  workspace = await startWorkspace();
  afterThisFile(() => Promise.all([workspace.close(), service.close()]));
});

/** A place to install in, and the command there. */
function place() {
  const root = temporaryFolder();
  const paths = { folder: join(root, "etc"), state: join(root, "state"), units: join(root, "units") };
  const options = Object.entries({ ...paths, account: userInfo().username }).flatMap(([name, at]) => [`--${name}`, at]);

  async function command(
    args: readonly string[],
    env: Record<string, string | undefined> = {},
    answers?: readonly string[],
  ) {
    const asked: { question: string; hidden: boolean }[] = [];
    const left = [...(answers ?? [])];
    const [out, err]: [string[], string[]] = [[], []];
    const given = withSettingsFile(args, { env, folder: root });
    const io = {
      env: given.env,
      folder: root,
      out: (text: string) => void out.push(text),
      err: (text: string) => void err.push(text),
      interrupted: new AbortController().signal,
      ...(answers !== undefined && {
        ask: async (question: string, { hidden = false } = {}) => {
          asked.push({ question, hidden });
          const answer = left.shift();
          if (answer === undefined) throw new Error(`Nobody was to be asked: ${question}`);
          return answer;
        },
      }),
    };
    const code = await run(given.args, io, () => Promise.reject(new Error("runs no bot")));
    const said = { code, out: out.join(""), err: err.join(""), asked, left };
    for (const secret of [...Object.values(KEYS), ...Object.values(workspace.credentials).slice(0, 3)]) {
      expect(said.out + said.err).not.toContain(secret);
    }
    return said;
  }
  return { ...paths, root, command, setup: (more: readonly string[] = []) => ["setup", ...options, ...more] };
}

const environment = () => ({
  SLACK_BOT_TOKEN: workspace.credentials.botToken,
  SLACK_APP_TOKEN: workspace.credentials.appToken,
  SLACK_API_URL: workspace.slackApiUrl,
  THREADLORE_URL: service.url,
  THREADLORE_KEY: KEYS.channel,
});
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe("a setup from the environment alone", () => {
  it("keeps what is right where only the account reads it, asks the doctor, and prints the unit", async () => {
    const { folder, state, units, setup, command } = place();
    const env = {
      ...environment(),
      THREADLORE_INGEST_KEY: KEYS.ingest,
      THREADLORE_PAIR: String(pair),
      NO_PROXY: "a b",
    };
    const { code, out, err } = await command(setup(), env);
    expect(code, err).toBe(0);
    const file = join(folder, "environment");
    const kept = parseEnv(readFileSync(file, "utf8"));
    const secrets = join(folder, "secrets");
    expect(kept).toEqual({
      SLACK_BOT_TOKEN_FILE: join(secrets, "slack-bot"),
      SLACK_APP_TOKEN_FILE: join(secrets, "slack-app"),
      SLACK_API_URL: workspace.slackApiUrl,
      THREADLORE_URL: service.url,
      THREADLORE_KEY_FILE: join(secrets, "key"),
      THREADLORE_INGEST_KEY_FILE: join(secrets, "ingest-key"),
      ACCOUNTS_SECRET_FILE: join(secrets, "accounts"),
      THREADLORE_PAIR: String(pair),
      NO_PROXY: "a b",
      STATE_FOLDER: state,
    });
    const files = ["slack-bot", "slack-app", "key", "ingest-key", "accounts"].map((name) => join(secrets, name));
    expect([secrets, state].map(modeOf)).toEqual(["700", "700"]);
    // The account may read the settings that root wrote, and not change them.
    expect(modeOf(file)).toBe(process.getuid?.() === 0 ? "640" : "600");
    expect(files.map(modeOf)).toEqual(["600", "600", "600", "600", "600"]);
    expect(readFileSync(join(secrets, "slack-bot"), "utf8")).toBe(`${workspace.credentials.botToken}\n`);
    expect(err).toContain("ok   app-level token: Socket Mode can connect.");
    expect(err).toContain(`ok   database: SQLite, ${join(state, "bot.db")}: made at the first start.`);
    // Only what was asked for is on stdout: no manifest, since there is an app.
    expect(out).toMatch(/^\[Unit\]\nDescription=Threadlore bot\n/);
    expect(out).toContain(`EnvironmentFile=-${file}\n`);
    expect(existsSync(units)).toBe(false);

    // By hand the same is meant, and nothing is asked or lost the second time.
    const doctor = await command(["doctor", "--settings", file]);
    expect(doctor).toMatchObject({ code: 0, out: expect.stringContaining(`SQLite, ${join(state, "bot.db")}`) });
    const again = await command(setup(["--write"]), {}, []);
    expect(again).toMatchObject({ code: 0, asked: [], out: "" });
    expect(readFileSync(join(units, "threadlore-bot.service"), "utf8")).toBe(out);
    expect(parseEnv(readFileSync(file, "utf8"))).toEqual(kept);
    // What the environment says now comes first.
    await command(setup(), { THREADLORE_KEY: KEYS.ingest, ADMIN_CHANNEL: "C0ADMIN" });
    expect(readFileSync(join(secrets, "key"), "utf8")).toBe(`${KEYS.ingest}\n`);
    expect(parseEnv(readFileSync(file, "utf8"))).toEqual({ ...kept, ADMIN_CHANNEL: "C0ADMIN" });
  });

  it("lists all that is missing or wrong, and keeps nothing", async () => {
    const { folder, state, setup, command } = place();
    workspace.faults.refuse("auth.test", "token_revoked", { times: 1 });
    const wrong = { SLACK_APP_TOKEN: undefined, THREADLORE_KEY: "tl_nobodys_key_canary" };
    const { code, err } = await command(setup(), { ...environment(), ...wrong });
    expect(code).toBe(2);
    const list = err.slice(err.indexOf("Nothing was kept"));
    expect(list.split("\n").slice(1, -1)).toEqual([
      expect.stringMatching(/^- SLACK_BOT_TOKEN: bot token: This token was revoked\./),
      expect.stringMatching(/^- SLACK_APP_TOKEN is not set: make an app-level token/),
      expect.stringMatching(/^- THREADLORE_KEY: key: /),
    ]);
    expect(err).not.toContain("canary");
    expect([folder, state].map(existsSync)).toEqual([false, false]);
  });

  it("finds out by itself that a server is a deployed one, and where it answers", async () => {
    const { folder, setup, command } = place();
    const server = await startDeployedServer();
    afterThisTest(() => server.close());
    const { member, admin } = server.keys;
    const keys = { THREADLORE_KEY: member, THREADLORE_INGEST_KEY: admin, THREADLORE_PAIR: "none" };
    const { out, err } = await command(setup(), { ...environment(), ...keys, THREADLORE_URL: server.origin });
    expect(out, err).toContain("[Unit]");
    expect(parseEnv(readFileSync(join(folder, "environment"), "utf8"))).toMatchObject({
      THREADLORE_URL: server.origin,
      THREADLORE_PROFILE: "deployed",
    });
    expect(err).toContain("ok   ingest key: ingestion: ");
    expect(out + err).not.toContain(member);
  });

  it("asks for the signing secret in place of a socket's token where events are posted", async () => {
    const { folder, setup, command } = place();
    const env = { ...environment(), SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET: "signing-canary" };
    const { code, out, err } = await command(setup(["--http", "https://bot.example.com"]), env);
    expect(code, err).toBe(0);
    const kept = parseEnv(readFileSync(join(folder, "environment"), "utf8"));
    expect(kept).toMatchObject({ RECEIVER: "http", SLACK_SIGNING_SECRET_FILE: join(folder, "secrets/signing") });
    expect(kept["SLACK_APP_TOKEN_FILE"]).toBeUndefined();
    expect(out + err).not.toContain("canary");
  });
});

describe("a setup with somebody at the terminal", () => {
  it("prints the manifest, asks for what is missing until it is right, and shows nothing secret", async () => {
    const { folder, setup, command } = place();
    const { botToken, appToken } = workspace.credentials;
    const tokens = ["", appToken, botToken, appToken]; // the app-level token is not the bot's
    const server = ["not an address", service.url, "tl_nobodys_key", KEYS.channel, ""]; // no wider key
    const answers = [...tokens, ...server, KEYS.ingest, "four", "999999", String(pair)];
    const env = { SLACK_API_URL: workspace.slackApiUrl };
    const { code, out, err, asked, left } = await command(
      setup(["--name", "Ask Harbour", "--without", "pins"]),
      env,
      answers,
    );
    expect(code, err).toBe(0);
    expect(left).toEqual([]);
    expect(out.slice(0, out.indexOf("[Unit]"))).toContain("name: Ask Harbour");
    expect(out).not.toContain("pins:read");
    expect(err).toContain("Open https://api.slack.com/apps, Create New App, From a manifest");
    expect(err).toContain("this is an app-level token");
    expect(new Set(asked.filter(({ hidden }) => !hidden).map(({ question }) => question.split(" ")[0]))).toEqual(
      new Set(["Address", "Pair"]),
    );
    expect(parseEnv(readFileSync(join(folder, "environment"), "utf8"))).toMatchObject({
      THREADLORE_PAIR: String(pair),
    });
  });

  it("gives up when the same is wrong five times", async () => {
    const { folder, setup, command } = place();
    const { code, err } = await command(
      setup(),
      {},
      Array.from({ length: 5 }, () => "xoxp-canary-canary"),
    );
    expect(code).toBe(2);
    expect(err).toContain("SLACK_BOT_TOKEN was not right 5 times. Nothing was kept");
    expect(err).not.toContain("canary");
    expect(existsSync(folder)).toBe(false);
  });

  it("shows no token that is typed on a real terminal, and keeps nothing after Ctrl-C", async () => {
    const { folder, setup } = place();
    const start = fileURLToPath(new URL("../../start.cjs", import.meta.url));
    const line = `(sleep 2; printf 'xoxp-canary-typed\\r'; sleep 1; printf '\\003'; sleep 2) | script -qec 'bash -c "$LINE"' /dev/null`;
    const LINE = `"${process.execPath}" "${start}" ${setup().join(" ")}; echo "code $?"`;
    const child = spawn("bash", ["-c", line], {
      env: { PATH: process.env["PATH"], HOME: folder, LINE },
      stdio: "pipe",
    });
    let output = "";
    child.stdout.on("data", (text: Buffer) => (output += text.toString()));
    await once(child, "close");
    const fromQuestion = output.slice(output.indexOf("Bot User OAuth Token (xoxb-"));
    expect(fromQuestion).toContain("does not begin with xoxb- (this is another kind of token)");
    expect(fromQuestion).not.toContain("canary");
    expect(fromQuestion).toContain("Stopped. Nothing was kept.");
    expect(fromQuestion).toContain("code 2");
    expect(existsSync(folder)).toBe(false);
  });
});

it("a file of settings that is not there is told", () => {
  const world = { env: { A: "own" }, folder: temporaryFolder() };
  expect(() => withSettingsFile(["doctor", "--settings", "nowhere"], world)).toThrow(
    /There is no file of settings at .*nowhere/,
  );
  expect(() => withSettingsFile(["doctor", "--settings"], world)).toThrow("needs the path of a file");
  expect(withSettingsFile(["doctor", "--json"], world)).toEqual({ args: ["doctor", "--json"], env: { A: "own" } });
});
