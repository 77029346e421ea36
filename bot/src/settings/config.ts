import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { ClientError, DEFAULT_PROFILE, normalizeBaseUrl, type Profile } from "@threadlore/client";
import type * as z from "zod";
import { readVariables, type Variables } from "./environment.ts";
import type { BudgetLimit, QuestionLimits } from "../rules/budgets.ts";
import { readRulesFile, RulesError } from "../rules/rules-file.ts";
import { LimitText, LoopbackUrl, oneOf, PairText, PortText, ProfileText, wholeNumber } from "./setting-forms.ts";
import type { VariableName } from "./variables.ts";

/** How much is logged. Message text only ever at `debug`. */
export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/** How events arrive. */
export type Receiver =
  | {
      readonly kind: "socket";
      /** Connections of this process; 2 cover the reconnect gap. */
      readonly sockets: number;
    }
  | { readonly kind: "http"; readonly host: string; readonly port: number };

/** What Slack was seen to allow elsewhere; the budgets stay below it (docs/slack.md, sections 2, 7 and 13). */
export interface StreamingBudgets {
  /** `off`: answers are posted whole. */
  readonly streaming: "on" | "off";
  /** Calls of the workspace, as the pacer counts them. */
  readonly pace: {
    /** Streams begun per minute; beyond, answers are posted. */
    readonly startsPerMinute: number;
    readonly appendsPerMinute: number;
    /** Shortest time between two appends of one stream, milliseconds. */
    readonly minFlushMs: number;
  };
  /** What one streamed message takes. */
  readonly stream: {
    /** UTF-8 bytes, task titles and details included. */
    readonly bytes: number;
    /** Rows of task cards, and bytes of them. */
    readonly rows: number;
    readonly cardBytes: number;
    /** Age at which a stream goes on in a new message, milliseconds. */
    readonly ageMs: number;
  };
}

/** Everything the bot is told at its start. */
export interface Config {
  readonly slack: {
    readonly botToken: string;
    /** There with Socket Mode. */
    readonly appToken?: string;
    /** There with the HTTP receiver. */
    readonly signingSecret?: string;
    /** Only ever on this machine. Absent: Slack itself. */
    readonly apiUrl?: string;
  };
  readonly receiver: Receiver;
  readonly server: { readonly baseUrl: string; readonly allowPlainHttp: boolean; readonly profile: Profile };
  readonly keys: { readonly channel: string; readonly dm?: string; readonly ingest?: string };
  /** Pair of kept messages; null: said aloud to be none; undefined: never decided, so keeping asks. */
  readonly pair: number | null | undefined;
  /** Id of the channel that is told, once an hour, that the server does not answer. Absent: only the log. */
  readonly adminChannel?: string;
  /** Absent: the built-in rules hold. */
  readonly rulesFile?: string;
  /** Where the bot keeps what it remembers: `sqlite:PATH` or `postgres://…`, which holds a password. */
  readonly database: string;
  /** Health and metrics on loopback, 0 for any free port; undefined: off. */
  readonly operationsPort: number | undefined;
  /** After so many days what ended is deleted; 0: never. */
  readonly retentionDays: number;
  readonly logLevel: LogLevel;
  readonly streaming: StreamingBudgets;
  readonly limits: QuestionLimits;
  /** Questions worked on at the same time by this process. */
  readonly atOnce: number;
  /** Characters of thread text that go with a question. */
  readonly threadCharacters: number;
}

/** Settings that cannot be used: every one of them, each with what to do. Never holds a value of a secret. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? "one setting needs" : `${problems.length} settings need`;
    super(
      `The bot cannot start: ${count} attention.\n${problems.map((problem) => `- ${problem}\n`).join("")}`.trimEnd(),
    );
    this.problems = problems;
  }
}

/** Where settings come from. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What relative paths begin at. */
  readonly folder: string;
}

/**
 * Reads and checks all settings, the rules file too. Throws one ConfigError that lists every problem.
 *
 * Each secret can stand in a file named by `NAME_FILE`, which only its owner may read.
 */
export async function readConfig(world: World): Promise<Config> {
  const problems: string[] = [];
  const variables = await readVariables(world, problems);
  const config = configFrom(variables, world, problems);
  await checkRules(config, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** What stands where a setting is wrong; never used, since the problem is thrown. */
const WRONG = { number: 0, url: "http://127.0.0.1" };

/** Reads one variable after the other, and collects what is wrong with them. */
class SettingsReader {
  readonly variables: Variables;
  readonly problems: string[];

  constructor(variables: Variables, problems: string[]) {
    this.variables = variables;
    this.problems = problems;
  }

  read<Output, Otherwise>(name: VariableName, schema: z.ZodType<Output>, otherwise: Otherwise): Output | Otherwise {
    const text = this.variables.text(name);
    if (text === undefined) return otherwise;
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    this.problems.push(`${name} ${parsed.error.issues[0]?.message ?? "cannot be used"}`);
    return otherwise;
  }

  number(name: VariableName, least: number, most: number): number {
    return this.read(name, wholeNumber(least, most), WRONG.number);
  }

  limit(name: VariableName): BudgetLimit | null {
    return this.read(name, LimitText, null);
  }

  needed(name: VariableName, fix: string): string {
    const text = this.variables.text(name);
    if (text === undefined && !this.variables.broken(name)) this.problems.push(`${name} is not set: ${fix}`);
    return text ?? "";
  }

  /** A key travels in a header, so it is printable and without spaces. Never shows the key. */
  key(name: VariableName, text: string | undefined): string | undefined {
    if (text !== undefined && !/^[\u0021-\u007e]*$/.test(text)) {
      this.problems.push(`${name} holds a space, a line break or another character no key has: copy the key again.`);
    }
    return text;
  }
}

function configFrom(variables: Variables, world: World, problems: string[]): Config {
  const from = new SettingsReader(variables, problems);
  const rulesFile = variables.text("RULES_FILE");
  const kind = from.read("RECEIVER", oneOf("socket", "http"), "socket" as const);
  const slack = slackFrom(from, kind);
  const url = from.needed(
    "THREADLORE_URL",
    "give the address of your knowledge server, such as https://knowledge.example.com/api.",
  );
  return {
    slack,
    keys: keysFrom(from),
    pair: from.read("THREADLORE_PAIR", PairText, undefined),
    receiver: receiverFrom(from, kind),
    server: serverFrom(from, url),
    adminChannel: variables.text("ADMIN_CHANNEL"),
    rulesFile: rulesFile === undefined ? undefined : resolve(world.folder, rulesFile),
    database: databaseFrom(variables, world, problems),
    operationsPort: from.read("OPERATIONS_PORT", PortText, undefined),
    retentionDays: from.number("RETENTION_DAYS", 0, 3_650),
    logLevel: from.read("LOG_LEVEL", oneOf("debug", "info", "warn", "error", "silent"), "info"),
    streaming: {
      streaming: from.read("STREAMING", oneOf("on", "off"), "on"),
      pace: {
        startsPerMinute: from.number("STREAMS_PER_MINUTE", 1, 10_000),
        appendsPerMinute: from.number("APPENDS_PER_MINUTE", 1, 100_000),
        minFlushMs: from.number("APPEND_EVERY_MS", 50, 60_000),
      },
      stream: {
        bytes: from.number("MESSAGE_BYTES", 1_000, 11_000),
        rows: from.number("TASK_CARDS", 1, 50),
        cardBytes: from.number("TASK_BYTES", 500, 11_000),
        ageMs: from.number("STREAM_MAX_AGE_S", 5, 3_600) * 1_000,
      },
    },
    limits: {
      user: from.limit("QUESTIONS_PER_USER") ?? undefined,
      channel: from.limit("QUESTIONS_PER_CHANNEL") ?? undefined,
      workspace: from.limit("QUESTIONS_PER_WORKSPACE") ?? undefined,
      threadLoop: from.limit("ANSWERS_PER_THREAD"),
      channelLoop: from.limit("ANSWERS_PER_CHANNEL"),
    },
    atOnce: from.number("AT_ONCE", 1, 1_000),
    threadCharacters: from.number("THREAD_CHARACTERS", 500, 200_000),
  };
}

function slackFrom(from: SettingsReader, kind: Receiver["kind"]): Config["slack"] {
  const { problems } = from;
  const botToken = from.needed(
    "SLACK_BOT_TOKEN",
    "install your app in your workspace, then copy its Bot User OAuth Token.",
  );
  checkToken("SLACK_BOT_TOKEN", botToken, /^xox(?:b|e\.xoxb)-/, "xoxb-", problems);
  const apiUrl = from.read("SLACK_API_URL", LoopbackUrl, undefined);
  if (kind === "http") {
    const signingSecret = from.needed("SLACK_SIGNING_SECRET", "copy it from the app's Basic Information.");
    return { botToken, signingSecret, apiUrl };
  }
  const appToken = from.needed(
    "SLACK_APP_TOKEN",
    "make an app-level token with the scope connections:write (Basic Information).",
  );
  checkToken("SLACK_APP_TOKEN", appToken, /^xapp-/, "xapp-", problems);
  return { botToken, appToken, apiUrl };
}

function receiverFrom(from: SettingsReader, kind: Receiver["kind"]): Receiver {
  if (kind === "socket") return { kind, sockets: from.number("SOCKETS", 1, 10) };
  return { kind, host: from.variables.text("HOST") ?? "127.0.0.1", port: from.number("PORT", 0, 65_535) };
}

function keysFrom(from: SettingsReader): Config["keys"] {
  const { variables } = from;
  const channel = from.needed("THREADLORE_KEY", "have a key made that sees only what every channel may read.");
  return {
    channel: from.key("THREADLORE_KEY", channel) ?? "",
    dm: from.key("THREADLORE_DM_KEY", variables.text("THREADLORE_DM_KEY")),
    ingest: from.key("THREADLORE_INGEST_KEY", variables.text("THREADLORE_INGEST_KEY")),
  };
}

function serverFrom(from: SettingsReader, url: string): Config["server"] {
  const allowPlainHttp = from.read("THREADLORE_ALLOW_HTTP", oneOf("yes", "no"), "no") === "yes";
  return {
    baseUrl: url === "" ? WRONG.url : baseUrl(url, allowPlainHttp, from.problems),
    allowPlainHttp,
    profile: from.read("THREADLORE_PROFILE", ProfileText, DEFAULT_PROFILE),
  };
}

async function checkRules({ rulesFile, keys }: Config, problems: string[]): Promise<void> {
  if (rulesFile === undefined) return;
  try {
    await readRulesFile(rulesFile, { dmKey: keys.dm !== undefined });
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
    problems.push(...error.problems.map((problem) => `RULES_FILE: ${problem}`));
  }
}

function baseUrl(text: string, allowPlainHttp: boolean, problems: string[]): string {
  try {
    return normalizeBaseUrl(text, { allowPlainHttp });
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    problems.push(`THREADLORE_URL: ${error.message}`);
    return WRONG.url;
  }
}

/** Never shows the token. */
function checkToken(name: string, token: string, form: RegExp, beginning: string, problems: string[]): void {
  if (token === "" || form.test(token)) return;
  const other = token.startsWith("xapp-")
    ? " (this is an app-level token)"
    : token.startsWith("xox")
      ? " (this is another kind of token)"
      : "";
  problems.push(`${name} does not begin with ${beginning}${other}: copy the right one from the app's settings.`);
}

function databaseFrom(variables: Variables, world: World, problems: string[]): string {
  const text = variables.text("DATABASE_URL");
  if (text === undefined) return `sqlite:${join(stateFolder(variables, world), "bot.db")}`;
  if (/^postgres(?:ql)?:\/\//.test(text)) return text;
  const path = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(text)?.[1];
  if (path === ":memory:") return `sqlite:${path}`;
  if (path !== undefined) return `sqlite:${resolve(world.folder, path)}`;
  problems.push("DATABASE_URL must begin with postgres:// or sqlite:, such as postgres://bot@db.example.com/bot.");
  return "";
}

/** systemd names the folder it made for the service; a relative XDG folder is to be ignored, says its specification. */
function stateFolder(variables: Variables, { env, folder }: World): string {
  const named = variables.text("STATE_FOLDER") ?? env["STATE_DIRECTORY"]?.split(":")[0];
  if (named !== undefined && named !== "") return resolve(folder, named);
  const base = env["XDG_STATE_HOME"];
  const root = base !== undefined && isAbsolute(base) ? base : join(env["HOME"] ?? homedir(), ".local/state");
  return join(root, "threadlore-bot");
}
