import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { ClientError, normalizeBaseUrl } from "@threadlore/client";
import { readOutgoing } from "@threadlore/outgoing";
import { type ReadVariable, readEnvironment, type World } from "./environment.ts";
import { readRulesFile, RulesError } from "../rules/rules-file.ts";

/** Settings that cannot be used: every one of them, each with what to do. Never holds a value of a secret. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? "one setting needs" : `${problems.length} settings need`;
    super([`The bot cannot start: ${count} attention.`, ...problems.map((problem) => `- ${problem}`)].join("\n"));
    this.problems = problems;
  }
}

/** Everything the bot is told at its start. */
export type Config = Readonly<ReturnType<typeof configFrom>>;

/** How much is logged. Message text only ever at `debug`. */
export type LogLevel = Config["logLevel"];

/**
 * Reads and checks all settings, the rules file too. Throws one ConfigError that lists every problem.
 *
 * Each secret can stand in a file named by `NAME_FILE`, which only its owner may read.
 */
export async function readConfig(world: World): Promise<Config> {
  const problems: string[] = [];
  const config = configFrom(readEnvironment(world, problems), world, problems);
  await checkRules(config, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function configFrom(read: ReadVariable, world: World, problems: string[]) {
  const rulesFile = read("RULES_FILE");
  const outgoing = readOutgoing(world.env, world.folder);
  problems.push(...outgoing.problems);
  const isHttp = read("RECEIVER") === "http";
  const assistantPort = read("ASSISTANT_PORT");
  const slack = {
    botToken: read("SLACK_BOT_TOKEN"),
    /** Only ever on this machine. Absent: Slack itself. */
    apiUrl: read("SLACK_API_URL"),
    /** There with Socket Mode. */
    appToken: isHttp ? undefined : read("SLACK_APP_TOKEN"),
    /** There with the HTTP receiver, and where Slack's assistant may ask. */
    signingSecret: isHttp || assistantPort !== undefined ? read("SLACK_SIGNING_SECRET") : undefined,
  };
  // Undefined where it is missing, which is a problem already.
  const url: string | undefined = read("THREADLORE_URL");
  return {
    slack,
    keys: {
      channel: read("THREADLORE_KEY"),
      dm: read("THREADLORE_DM_KEY"),
      ingest: read("THREADLORE_INGEST_KEY"),
    },
    /** Secrets that people's own accounts are sealed with, the one in use first; undefined: nobody can connect one. */
    accountSecrets: read("ACCOUNTS_SECRET"),
    /** Pair of kept messages; null: said aloud to be none; undefined: never decided, so keeping asks. */
    pair: read("THREADLORE_PAIR"),
    /** How events arrive. `sockets`: connections of this process; 2 cover the reconnect gap. */
    receiver: isHttp
      ? { kind: "http" as const, host: read("HOST"), port: read("PORT") }
      : { kind: "socket" as const, sockets: read("SOCKETS") },
    /** Where Slack's own assistant asks; undefined: nowhere. */
    assistants: assistantPort === undefined ? undefined : { host: read("HOST"), port: assistantPort },
    server: serverFrom(read, url, problems),
    /** By which proxy calls leave, and whose certificates are trusted. */
    outgoing,
    /** Id of the channel that is told, once an hour, that the server does not answer. Absent: only the log. */
    adminChannel: read("ADMIN_CHANNEL"),
    /** Where the last answer tests left their report; absent: the digest says nothing of them. */
    answerTests: pathFrom(read("ANSWER_TESTS_REPORT"), world),
    /** Absent: the built-in rules hold. */
    rulesFile: rulesFile === undefined ? undefined : resolve(world.folder, rulesFile),
    /** Where the bot keeps what it remembers: `sqlite:PATH` or `postgres://…`, which holds a password. */
    database: databaseFrom(read, world),
    /** Health and metrics on loopback, 0 for any free port; undefined: off. */
    operationsPort: read("OPERATIONS_PORT"),
    /** After so many days what ended is deleted; 0: never. */
    retentionDays: read("RETENTION_DAYS"),
    logLevel: read("LOG_LEVEL"),
    /** What Slack was seen to allow elsewhere; the budgets stay below it (docs/slack.md, sections 2, 7 and 13). */
    streaming: {
      /** `off`: answers are posted whole. */
      streaming: read("STREAMING"),
      /** Calls of the workspace, as the pacer counts them. */
      pace: {
        /** Streams begun per minute; beyond, answers are posted. */
        startsPerMinute: read("STREAMS_PER_MINUTE"),
        appendsPerMinute: read("APPENDS_PER_MINUTE"),
        /** Shortest time between two appends of one stream, milliseconds. */
        minFlushMs: read("APPEND_EVERY_MS"),
      },
      /** What one streamed message takes. */
      stream: {
        /** UTF-8 bytes, task titles and details included. */
        bytes: read("MESSAGE_BYTES"),
        /** Rows of task cards, and bytes of them. */
        rows: read("TASK_CARDS"),
        cardBytes: read("TASK_BYTES"),
        /** Age at which a stream goes on in a new message, milliseconds. */
        ageMs: read("STREAM_MAX_AGE_S") * 1_000,
      },
    },
    limits: {
      user: read("QUESTIONS_PER_USER") ?? undefined,
      channel: read("QUESTIONS_PER_CHANNEL") ?? undefined,
      workspace: read("QUESTIONS_PER_WORKSPACE") ?? undefined,
      threadLoop: read("ANSWERS_PER_THREAD"),
      channelLoop: read("ANSWERS_PER_CHANNEL"),
    },
    /** Questions worked on at the same time by this process. */
    atOnce: read("AT_ONCE"),
    /** Characters of thread text that go with a question. */
    threadCharacters: read("THREAD_CHARACTERS"),
  };
}

function serverFrom(read: ReadVariable, url: string | undefined, problems: string[]) {
  const allowPlainHttp = read("THREADLORE_ALLOW_HTTP");
  let baseUrl = "";
  try {
    if (url !== undefined) baseUrl = normalizeBaseUrl(url, { allowPlainHttp });
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    problems.push(`THREADLORE_URL: ${error.message}`);
  }
  return { baseUrl, allowPlainHttp, profile: read("THREADLORE_PROFILE") };
}

const pathFrom = (path: string | undefined, { folder }: World): string | undefined =>
  path === undefined ? undefined : resolve(folder, path);

async function checkRules({ rulesFile, keys }: Config, problems: string[]): Promise<void> {
  try {
    await readRulesFile(rulesFile, { dmKey: keys.dm !== undefined });
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
    problems.push(...error.problems.map((problem) => `RULES_FILE: ${problem}`));
  }
}

function databaseFrom(read: ReadVariable, world: World): string {
  const text = read("DATABASE_URL");
  const path =
    text === undefined ? join(stateFolder(read, world), "bot.db") : /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
  // Of PostgreSQL, or wrong.
  if (path === undefined) return text ?? "";
  return `sqlite:${path === ":memory:" ? path : resolve(world.folder, path)}`;
}

/** systemd names the folder it made for the service; a relative XDG folder is to be ignored, says its specification. */
function stateFolder(read: ReadVariable, { env, folder }: World): string {
  const named = read("STATE_FOLDER") ?? env["STATE_DIRECTORY"]?.split(":")[0];
  if (named !== undefined && named !== "") return resolve(folder, named);
  const base = env["XDG_STATE_HOME"];
  const root = base !== undefined && isAbsolute(base) ? base : join(env["HOME"] ?? homedir(), ".local/state");
  return join(root, "threadlore-bot");
}
