import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebAPIPlatformError } from "@slack/web-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { MakeBot, Runnable } from "./operations/run-command.ts";
import { run } from "./program.ts";
import { ALL_FEATURES, ASKED_FOR, createManifest, type Manifest } from "./settings/manifest.ts";
import { WorkspaceRevoked } from "./slack/transport/refusals.ts";

const BOT_TOKEN = ["xoxb", "test", "1"].join("-");
const APP_TOKEN = ["xapp", "test", "1"].join("-");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bot-"));
});
afterAll(() => rm(folder, { recursive: true }));

const noBot: MakeBot = () => Promise.reject(new Error("this command runs no bot"));

async function command(
  args: readonly string[],
  {
    env = {},
    makeBot = noBot,
    interrupted = new AbortController().signal,
  }: {
    env?: Record<string, string>;
    makeBot?: MakeBot;
    interrupted?: AbortSignal;
  } = {},
) {
  let out = "";
  let err = "";
  const code = await run(
    args,
    {
      env,
      folder,
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      interrupted,
    },
    makeBot,
  );
  return { code, out, err };
}

describe("the command line", () => {
  it("explains itself", async () => {
    const { code, out } = await command(["--help"]);
    expect(code).toBe(0);
    for (const name of ["run", "doctor", "manifest", "rules"]) expect(out).toContain(`  ${name}`);
  });

  it.each([
    ["unknown"],
    ["doctor", "--unknown"],
    ["rules", "explain"],
    ["rules", "explain", "C0A", "--entry", "pigeon"],
  ])("refuses %s %s", async (...args) => {
    const { code, out, err } = await command(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^error: /);
  });
});

const USUAL = ALL_FEATURES.filter((feature) => !ASKED_FOR.includes(feature));

describe("manifest", () => {
  it("has a search, previews of links and Slack's assistant where told so", async () => {
    const everything = [
      "--with",
      "search",
      "workspace_search",
      "--previews",
      "wiki.example.com",
      "--assistant",
      "https://bot.example.com",
    ];
    const { out } = await command(["manifest", "--json", ...everything]);
    const manifest: Manifest = JSON.parse(out);
    const domains = ["wiki.example.com"];
    const assistantUrl = "https://bot.example.com/mcp";
    expect(manifest).toEqual(
      JSON.parse(JSON.stringify(createManifest({ features: ALL_FEATURES, domains, assistantUrl }))),
    );
    const { code, err } = await command(["manifest", "--previews", "https://wiki.example.com"]);
    expect(code).toBe(2);
    expect(err).toContain("without https://");
  });

  it("prints YAML that Slack takes", async () => {
    const { code, out } = await command(["manifest", "--name", "Ask Harbour"]);
    expect(code).toBe(0);
    const manifest: unknown = parse(out);
    expect(manifest).toEqual(createManifest({ features: USUAL, name: "Ask Harbour" }));
    expect(manifest).toMatchObject({
      display_information: { name: "Ask Harbour" },
      features: { agent_view: {} },
      settings: { socket_mode_enabled: true },
    });
  });

  it("prints JSON, plain, by HTTP and with fewer features where told so", async () => {
    const args = ["manifest", "--json", "--plain", "--http", "https://bot.example.com", "--without", "pins", "files"];
    const { out } = await command(args);
    const manifest: Manifest = JSON.parse(out);
    expect(manifest.features.agent_view).toBeUndefined();
    expect(manifest.settings.event_subscriptions.request_url).toBe("https://bot.example.com/slack/events");
    expect(manifest.oauth_config.scopes.bot).not.toContain("pins:read");
    expect(manifest.oauth_config.scopes.bot_optional).toEqual(["usergroups:read", "users:read.email"]);
  });

  it("says what Slack would refuse", async () => {
    const { code, err } = await command(["manifest", "--http", "http://bot.example.com"]);
    expect(code).toBe(2);
    expect(err).toContain("Slack would refuse this manifest: ");
    expect(err).toContain("must begin with https://");
  });
});

describe("rules", () => {
  it("checks a file", async () => {
    await writeFile(join(folder, "good.yaml"), "defaults: {guests: allow}\nchannels: {C0A: {listen: eager}}");
    expect(await command(["rules", "check", "good.yaml"])).toEqual({
      code: 0,
      out: "The rules can be used: 1 channel has rules of its own.\n? defaults: guests may ask.\n",
      err: "",
    });
    await writeFile(join(folder, "bad.yaml"), "channels: {general: {listen: loud}}");
    const bad = await command(["rules", "check"], { env: { RULES_FILE: "bad.yaml" } });
    expect(bad.code).toBe(2);
    expect(bad.err).toContain("general: is no channel id (C…)");
    expect(bad.err).toContain("listen: must be one of: quiet, eager");
  });

  it("explains what a message would come to, step by step", async () => {
    await writeFile(join(folder, "rules.yaml"), "channels: {C0A: {listen: eager, document_sets: [IT]}}");
    const env = { RULES_FILE: "rules.yaml", THREADLORE_DM_KEY: "k" };
    const explain = (...args: string[]) => command(["rules", "explain", ...args], { env });
    expect((await explain("C0A", "--entry", "eager", "--text", "Where is the VPN guide?")).out).toBe(
      [
        "The bot answers.",
        "- The message stands in the channel and does not mention the bot.",
        "- The public channel C0A has rules of its own.",
        "- The asker is a full member, and may ask here.",
        "- The question goes to the server's own assistant, with the channel key; the answer comes from IT.",
        "- The answer goes into the thread.",
        "A message they pin is not kept: This channel has not opted in to keeping messages. " +
          "Whoever runs me can switch it on in my rules (`pins`).",
        "",
      ].join("\n"),
    );
    expect((await explain("C0A", "--entry", "eager", "--text", "Lunch!")).out).toMatch(/^The bot says nothing\.\n/);
    expect((await explain("C0A", "--shared")).out).toMatch(/^The bot declines: "This channel is shared/);
    expect((await explain("C0A", "--asker", "guest")).out).toMatch(/^The bot declines: "I answer full members only/);
    expect((await explain("D0A", "--entry", "dm")).out).toContain("with the key for direct messages");
    const follow = ["C0A", "--entry", "follow_up", "--text", "And on a phone?"];
    expect((await explain(...follow)).out).toMatch(/^The bot says nothing\.\n/);
    expect((await explain(...follow, "--own-thread")).out).toMatch(/^The bot answers\.\n/);
    expect(await explain("general")).toMatchObject({ code: 2, err: expect.stringContaining("no channel id") });
  });

  it("explains where questions of the side panel are asked, and of whom", async () => {
    await writeFile(join(folder, "rules.yaml"), "panel_questions: C0A\nchannels: {C0A: {helpers: [U0BEN]}}");
    await writeFile(join(folder, "nobody.yaml"), "panel_questions: C0A");
    const explain = async (file: string, channel = "C0A") =>
      (await command(["rules", "explain", channel, "--rules", file])).out;
    expect(await explain("rules.yaml")).toMatch(/a person in the side panel is asked here .*, of its helpers\.\n$/);
    expect(await explain("nobody.yaml")).toMatch(/side panel is asked here .*no `helpers` are named\.\n$/);
    expect(await explain("rules.yaml", "C0B")).not.toContain("side panel");
  });
});

describe("run", () => {
  const env = () => ({
    HOME: folder,
    SLACK_BOT_TOKEN: BOT_TOKEN,
    SLACK_APP_TOKEN: APP_TOKEN,
    THREADLORE_URL: "http://127.0.0.1:9",
    THREADLORE_KEY: "tl_TESTchannel",
  });

  it("is what happens without a command: starts, waits to be told, and stops", async () => {
    const told = new AbortController();
    const steps: string[] = [];
    const makeBot: MakeBot = async ({ database }) => {
      const made = await stat(join(database.replace("sqlite:", ""), ".."));
      steps.push(`made, state folder ${(made.mode & 0o777).toString(8)}`);
      return {
        start: async () => {
          steps.push("started");
          setImmediate(() => told.abort());
        },
        stop: async () => {
          steps.push("stopped");
        },
        ended: new Promise(() => {}),
      };
    };
    const { code, out, err } = await command([], { env: env(), makeBot, interrupted: told.signal });
    expect({ code, out, steps }).toEqual({ code: 0, out: "", steps: ["made, state folder 700", "started", "stopped"] });
    const events = err
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { event: string }).event);
    expect(events).toEqual(["started", "stopping", "stopped"]);
  });

  it("ends well when it is told to while it is being made, or still waits for Slack", async () => {
    const told = new AbortController();
    const { promise: given, resolve: giveUp } = Promise.withResolvers<void>();
    let stopped = 0;
    const waiting: Runnable = {
      start: () => {
        told.abort();
        return given;
      },
      stop: async () => {
        stopped += 1;
        giveUp();
      },
      ended: new Promise(() => {}),
    };
    const makeBot: MakeBot = () => Promise.resolve(waiting);
    expect((await command(["run"], { env: env(), makeBot, interrupted: told.signal })).code).toBe(0);
    expect(stopped).toBe(1);
    // Told before it was made: it is never started.
    const start = () => Promise.reject(new Error("it was started"));
    const late: MakeBot = () => Promise.resolve({ ...waiting, start });
    expect((await command(["run"], { env: env(), makeBot: late, interrupted: told.signal })).code).toBe(0);
    expect(stopped).toBe(2);
    const unreachable: MakeBot = () => Promise.reject(new Error("Slack cannot be reached"));
    expect((await command(["run"], { env: env(), makeBot: unreachable, interrupted: told.signal })).code).toBe(0);
  });

  it.each([
    [new WorkspaceRevoked("token_revoked"), "Install the app again and set the new token"],
    [new WebAPIPlatformError({ ok: false, error: "account_inactive" }), "The app was uninstalled"],
  ])("ends with code 2 and why, when Slack wants nothing more of it: %s", async (why, words) => {
    let stopped = false;
    const makeBot: MakeBot = () =>
      Promise.resolve({
        start: () => Promise.resolve(),
        stop: async () => {
          stopped = true;
        },
        ended: Promise.resolve(why),
      });
    const { code, err } = await command(["run"], { env: env(), makeBot });
    expect({ code, stopped }).toEqual({ code: 2, stopped: true });
    expect(err).toContain(words);
  });

  it("lists every setting that is wrong, and does not start", async () => {
    const { code, out, err } = await command(["run"], { env: { ...env(), SLACK_APP_TOKEN: "", SOCKETS: "x" } });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("2 settings need attention");
  });

  it("says in plain words why it cannot, stops what had begun, and shows no key", async () => {
    let stopped = false;
    const makeBot: MakeBot = () =>
      Promise.resolve({
        start: () =>
          Promise.reject(new WebAPIPlatformError({ ok: false, error: "invalid_auth", token: BOT_TOKEN } as never)),
        stop: async () => {
          stopped = true;
        },
        ended: new Promise(() => {}),
      });
    const { code, err } = await command(["run"], { env: env(), makeBot });
    expect({ code, stopped }).toEqual({ code: 2, stopped: true });
    expect(err).toContain("The bot cannot run: Slack does not know this token. Copy it again");
    expect(err).not.toContain(BOT_TOKEN);
    // What passes by itself is worth another start; what a person must change is not.
    const busy: MakeBot = () => Promise.reject(new WebAPIPlatformError({ ok: false, error: "service_unavailable" }));
    expect((await command(["run"], { env: env(), makeBot: busy })).code).toBe(1);
  });
});
