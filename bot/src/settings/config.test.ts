import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEPLOYED_PROFILE } from "@threadlore/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";
import { secretsOf } from "./secrets.ts";

/** Built from parts, so that nobody takes them for real ones. */
const BOT_TOKEN = ["xoxb", "test", "1"].join("-");
const APP_TOKEN = ["xapp", "test", "1"].join("-");
const MINIMUM = {
  SLACK_BOT_TOKEN: BOT_TOKEN,
  SLACK_APP_TOKEN: APP_TOKEN,
  THREADLORE_URL: "https://knowledge.example.com/api",
  THREADLORE_KEY: "channel-key",
  HOME: "/srv/person",
};

const read = (env: Partial<Record<string, string>>, folder = "/srv/bot") =>
  readConfig({ env: { ...MINIMUM, ...env }, folder });

async function problemsOf(env: Partial<Record<string, string>>): Promise<readonly string[]> {
  const error: unknown = await read(env).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return [];
  if (error instanceof ConfigError) return error.problems;
  throw error;
}

describe("the settings", () => {
  it("need four values, and have a default for everything else", async () => {
    expect(await read({})).toEqual({
      slack: { botToken: BOT_TOKEN, appToken: APP_TOKEN },
      receiver: { kind: "socket", sockets: 2 },
      outgoing: expect.objectContaining({ problems: [] }),
      server: {
        baseUrl: "https://knowledge.example.com/api",
        allowPlainHttp: false,
        profile: {
          ingestionPath: "/service-api/ingestion",
          botOrigin: "slackbot",
          extensionOrigin: "chrome_extension",
        },
      },
      keys: { channel: "channel-key" },
      pair: undefined,
      database: "sqlite:/srv/person/.local/state/threadlore-bot/bot.db",
      operationsPort: 9464,
      retentionDays: 90,
      logLevel: "info",
      streaming: {
        streaming: "on",
        pace: { startsPerMinute: 20, appendsPerMinute: 90, minFlushMs: 600 },
        stream: { bytes: 9000, rows: 50, cardBytes: 6000, ageMs: 240_000 },
      },
      limits: {
        user: { most: 60, windowMs: 3_600_000 },
        channel: undefined,
        workspace: { most: 2000, windowMs: 3_600_000 },
        threadLoop: { most: 5, windowMs: 600_000 },
        channelLoop: { most: 30, windowMs: 3_600_000 },
      },
      atOnce: 50,
      threadCharacters: 12_000,
    });
  });

  it("take every one of them from the environment", async () => {
    const config = await read({
      RECEIVER: "http",
      SLACK_SIGNING_SECRET: "signing-secret",
      HOST: "0.0.0.0",
      PORT: "8080",
      SLACK_API_URL: "http://127.0.0.1:9000/api/",
      THREADLORE_DM_KEY: "dm-key",
      THREADLORE_INGEST_KEY: "ingest-key",
      THREADLORE_PAIR: "4",
      THREADLORE_PROFILE: "deployed",
      DATABASE_URL: "postgres://bot:secret-word@db.example.com/bot",
      OPERATIONS_PORT: "off",
      RETENTION_DAYS: "0",
      LOG_LEVEL: "debug",
      QUESTIONS_PER_USER: "off",
      QUESTIONS_PER_CHANNEL: "7/2min",
      ANSWERS_PER_THREAD: "off",
      STREAMING: "off",
      STREAM_MAX_AGE_S: "60",
    });
    expect(config).toMatchObject({
      receiver: { kind: "http", host: "0.0.0.0", port: 8080 },
      slack: { signingSecret: "signing-secret", apiUrl: "http://127.0.0.1:9000/api/" },
      keys: { dm: "dm-key", ingest: "ingest-key" },
      pair: 4,
      server: { profile: DEPLOYED_PROFILE },
      database: "postgres://bot:secret-word@db.example.com/bot",
      operationsPort: undefined,
      retentionDays: 0,
      logLevel: "debug",
      limits: { user: undefined, channel: { most: 7, windowMs: 120_000 }, threadLoop: null },
      streaming: { streaming: "off", stream: { ageMs: 60_000 } },
    });
    expect(config.slack.appToken).toBeUndefined();
  });

  it("leave the pair undecided unless it is said", async () => {
    expect((await read({})).pair).toBeUndefined();
    expect((await read({ THREADLORE_PAIR: "none" })).pair).toBeNull();
    expect((await read({ THREADLORE_PAIR: "0" })).pair).toBe(0);
  });

  it.each([
    { env: { DATABASE_URL: "sqlite:bot.db" }, path: "/srv/bot/bot.db" },
    { env: { DATABASE_URL: "sqlite:///var/lib/bot/bot.db" }, path: "/var/lib/bot/bot.db" },
    { env: { STATE_FOLDER: "state" }, path: "/srv/bot/state/bot.db" },
    { env: { STATE_DIRECTORY: "/var/lib/threadlore-bot" }, path: "/var/lib/threadlore-bot/bot.db" },
    { env: { XDG_STATE_HOME: "/srv/person/state" }, path: "/srv/person/state/threadlore-bot/bot.db" },
    { env: { XDG_STATE_HOME: "relative" }, path: "/srv/person/.local/state/threadlore-bot/bot.db" },
  ])("find the database with $env", async ({ env, path }) => {
    expect((await read(env)).database).toBe(`sqlite:${path}`);
  });

  it("take a profile as JSON", async () => {
    const { server } = await read({ THREADLORE_PROFILE: '{"ingestionPath": "/api/ingestion"}' });
    expect(server.profile).toMatchObject({ ingestionPath: "/api/ingestion", botOrigin: "slackbot" });
  });
});

describe("settings that cannot be used", () => {
  it("are all listed in one error, each with what to do", async () => {
    const error: unknown = await readConfig({ env: { SOCKETS: "11", THREADLORE_PAIR: "four" }, folder: "/" }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ConfigError);
    expect(String(error)).toBe(
      [
        "ConfigError: The bot cannot start: 6 settings need attention.",
        "- SLACK_BOT_TOKEN is not set: install your app in your workspace, then copy its Bot User OAuth Token.",
        "- SLACK_APP_TOKEN is not set: make an app-level token with the scope connections:write (Basic Information).",
        "- THREADLORE_URL is not set: give the address of your knowledge server, such as https://knowledge.example.com/api.",
        "- THREADLORE_KEY is not set: have a key made that sees only what every channel may read.",
        "- THREADLORE_PAIR must be the number of a connector/credential pair, or `none`",
        "- SOCKETS must be a whole number from 1 to 10",
      ].join("\n"),
    );
  });

  it.each([
    {
      env: { SLACK_BOT_TOKEN: APP_TOKEN },
      says: "SLACK_BOT_TOKEN does not begin with xoxb- (this is an app-level token)",
    },
    { env: { SLACK_APP_TOKEN: BOT_TOKEN }, says: "SLACK_APP_TOKEN does not begin with xapp- (this is another kind" },
    { env: { RECEIVER: "http" }, says: "SLACK_SIGNING_SECRET is not set" },
    { env: { RECEIVER: "pigeon" }, says: "RECEIVER must be one of: socket, http" },
    {
      env: { SLACK_API_URL: "https://slack.example.com/api/" },
      says: "SLACK_API_URL must be an address on this machine",
    },
    { env: { THREADLORE_URL: "http://knowledge.example.com" }, says: "would send your key readably" },
    { env: { THREADLORE_URL: "knowledge" }, says: "THREADLORE_URL: The base URL must begin with https://" },
    { env: { THREADLORE_KEY: "two words" }, says: "THREADLORE_KEY holds a space" },
    { env: { THREADLORE_PROFILE: "onyx" }, says: "THREADLORE_PROFILE must be `default`, `deployed`, or JSON" },
    { env: { THREADLORE_PROFILE: '{"path": "/x"}' }, says: "THREADLORE_PROFILE must be" },
    { env: { DATABASE_URL: "mysql://db" }, says: "DATABASE_URL must begin with postgres:// or sqlite:" },
    { env: { OPERATIONS_PORT: "70000" }, says: "OPERATIONS_PORT must be a port (0 to 65535), or `off`" },
    { env: { QUESTIONS_PER_USER: "lots" }, says: "QUESTIONS_PER_USER must say how many in how long" },
    { env: { QUESTIONS_PER_USER: "0/h" }, says: "QUESTIONS_PER_USER must say how many in how long" },
    { env: { LOG_LEVEL: "loud" }, says: "LOG_LEVEL must be one of" },
    {
      env: { RULES_FILE: "/nowhere/rules.yaml" },
      says: "RULES_FILE: the file /nowhere/rules.yaml cannot be read (ENOENT)",
    },
  ])("$env: $says", async ({ env, says }) => {
    const problems = await problemsOf(env);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(says);
  });

  it("are never shown where they are secrets", async () => {
    const secret = "not-a-token-but-secret";
    const problems = await problemsOf({
      SLACK_BOT_TOKEN: secret,
      SLACK_APP_TOKEN: secret,
      THREADLORE_KEY: `${secret} x`,
    });
    expect(problems).toHaveLength(3);
    expect(problems.join("\n")).not.toContain(secret);
  });
});

describe("secrets in files", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "secrets-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function secretFile(text: string, mode = 0o600): Promise<string> {
    const path = join(folder, `${Math.random()}`);
    await writeFile(path, text);
    await chmod(path, mode);
    return path;
  }

  it("are read without the line's end", async () => {
    const path = await secretFile("key-from-file\n");
    const config = await read({ THREADLORE_KEY: "", THREADLORE_KEY_FILE: path });
    expect(config.keys.channel).toBe("key-from-file");
  });

  it("must be for their owner alone, there, not empty, and not given twice", async () => {
    const open = await secretFile("key-from-file", 0o644);
    expect(await problemsOf({ THREADLORE_KEY: "", THREADLORE_KEY_FILE: open })).toEqual([
      `THREADLORE_KEY_FILE: others on this machine can read ${open}. Run: chmod 600 ${open}`,
    ]);
    const empty = await secretFile("\n");
    expect(await problemsOf({ THREADLORE_KEY: "", THREADLORE_KEY_FILE: empty })).toEqual([
      `THREADLORE_KEY_FILE: ${empty} is empty: write the secret into it.`,
    ]);
    const none = join(folder, "none");
    expect(await problemsOf({ THREADLORE_DM_KEY_FILE: none })).toEqual([
      expect.stringContaining("cannot be read (ENOENT)"),
    ]);
    expect(await problemsOf({ THREADLORE_KEY_FILE: open })).toEqual([
      "THREADLORE_KEY and THREADLORE_KEY_FILE are both set: keep one.",
    ]);
  });

  it("and everything secret in a configuration is known to what hides it", async () => {
    const config = await read({
      THREADLORE_DM_KEY: "dm-key-1",
      THREADLORE_INGEST_KEY: "ingest-key-1",
      DATABASE_URL: "postgres://bot:p%40ss-word@db.example.com/bot",
    });
    const text = `${BOT_TOKEN} ${APP_TOKEN} channel-key dm-key-1 ingest-key-1 p@ss-word p%40ss-word`;
    expect(secretsOf(config).without(text)).toBe(Array.from({ length: 7 }, () => "[hidden]").join(" "));
  });
});

describe("the rules file", () => {
  it("is checked together with the settings", async () => {
    const folder = await mkdtemp(join(tmpdir(), "rules-"));
    try {
      await writeFile(join(folder, "rules.yaml"), "channels: {C0A: {key: dm}}");
      const broken = readConfig({ env: { ...MINIMUM, RULES_FILE: "rules.yaml", SOCKETS: "0" }, folder });
      await expect(broken).rejects.toMatchObject({
        problems: [
          "SOCKETS must be a whole number from 1 to 10",
          "RULES_FILE: channels → C0A → key: `dm` needs THREADLORE_DM_KEY, which is not set",
        ],
      });
      const good = await readConfig({ env: { ...MINIMUM, RULES_FILE: "rules.yaml", THREADLORE_DM_KEY: "k" }, folder });
      expect(good.rulesFile).toBe(join(folder, "rules.yaml"));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
