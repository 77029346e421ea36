import { DEFAULT_PROFILE, DEPLOYED_PROFILE, isLoopback, type Profile } from "@threadlore/client";
import * as z from "zod";
import type { BudgetLimit } from "../rules/budgets.ts";
import { isSecret } from "../accounts/sealing.ts";
import { PACE, STREAM } from "../slack/transport/limits.ts";

/** One of these words. */
function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return z.enum(words, { error: () => `must be one of: ${words.join(", ")}` });
}

/** A whole number, both ends included. */
function wholeNumber(least: number, most: number, error = `must be a whole number from ${least} to ${most}`) {
  return z
    .string()
    .regex(/^\d{1,9}$/, { error })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error });
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30/h`, `5/10min`, or `off` (null). */
const LimitText = z.string().transform((text, context): BudgetLimit | null => {
  if (text === "off") return null;
  const [, most, count, unit = ""] = /^(\d{1,6})\/(\d{1,4})?(s|min|h|d)$/.exec(text.trim()) ?? [];
  const windowMs = Number(count ?? 1) * (UNITS_MS[unit] ?? 0);
  if (most === undefined || windowMs === 0 || Number(most) === 0) {
    context.addIssue({ code: "custom", message: "must say how many in how long, such as 30/h or 5/10min, or `off`" });
    return z.NEVER;
  }
  return { most: Number(most), windowMs };
});

const NO_PAIR = "must be the number of a connector/credential pair, or `none`";
/** The number of a connector/credential pair; null: said aloud to be none. */
const PairText = z.union([z.literal("none").transform(() => null), wholeNumber(0, 999_999_999, NO_PAIR)], {
  error: NO_PAIR,
});

const NO_PORT = "must be a port (0 to 65535), or `off`";
/** A port; undefined: off. */
const PortText = z.union([z.literal("off").transform(() => undefined), wholeNumber(0, 65_535, NO_PORT)], {
  error: NO_PORT,
});

/** A token that is sent anywhere else than to Slack is lost, so another address is for this machine only. */
const LoopbackUrl = z.string().refine(
  (text) => {
    const url = URL.parse(text);
    return url !== null && (url.protocol === "http:" || url.protocol === "https:") && isLoopback(url.hostname);
  },
  { error: "must be an address on this machine, such as http://127.0.0.1:8412/api/; leave it out for Slack itself" },
);

const ProfileFields = z.strictObject({
  ingestionPath: z.string().startsWith("/").optional(),
  botOrigin: z.string().min(1).optional(),
  extensionOrigin: z.string().min(1).optional(),
});

/** What differs by server: a name for it, or its fields as JSON. */
const ProfileText = z.string().transform((text, context): Profile => {
  if (text === "default") return DEFAULT_PROFILE;
  if (text === "deployed") return DEPLOYED_PROFILE;
  const parsed = ProfileFields.safeParse(jsonOf(text));
  if (parsed.success) return { ...DEFAULT_PROFILE, ...parsed.data };
  const message =
    "must be `default`, `deployed`, or JSON with ingestionPath (begins with /), botOrigin, extensionOrigin";
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Slack's tokens tell what they are by how they begin. Never shows the token. */
function token(form: RegExp, beginning: string) {
  const error = ({ input }: { input?: unknown }): string => {
    const given = String(input);
    const other = given.startsWith("xapp-")
      ? " (this is an app-level token)"
      : given.startsWith("xox")
        ? " (this is another kind of token)"
        : "";
    return `does not begin with ${beginning}${other}: copy the right one from the app's settings.`;
  };
  return z.string().regex(form, { error });
}

/** A key travels in a header, so it is printable and without spaces. Never shows the key. */
const KeyText = z.string().regex(/^[\u0021-\u007e]*$/, {
  error: "holds a space, a line break or another character no key has: copy the key again.",
});

const DatabaseText = z.string().regex(/^(?:postgres(?:ql)?:\/\/|sqlite:.)/, {
  error: "must begin with postgres:// or sqlite:, such as postgres://bot@db.example.com/bot.",
});

/** Secrets to seal with, the one in use first. Never shows them. */
const SealText = z.string().transform((text, context): readonly string[] => {
  const secrets = text.split(/[\s,]+/).filter((part) => part !== "");
  if (secrets.length > 0 && secrets.every(isSecret)) return secrets;
  const message =
    "must be 32 random bytes in base64, as `openssl rand -base64 32` prints them; several with blanks between.";
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

/** One environment variable the bot reads. The table of the README is checked against these. */
export interface Variable {
  /** Read from the file `NAME_FILE` as well, and never shown. */
  readonly secret?: true;
  /** As text; absent: none, or told by `words`. */
  readonly standard?: string;
  /** What it has to look like, and becomes; absent: any text. */
  readonly form?: z.ZodType;
  /** How to come by it, where the bot cannot do without. */
  readonly needed?: string;
  /** What it is for. */
  readonly words: string;
}

/** Every environment variable, in the order the documentation lists them. */
export const VARIABLES = {
  SLACK_BOT_TOKEN: {
    form: token(/^xox(?:b|e\.xoxb)-/, "xoxb-"),
    needed: "install your app in your workspace, then copy its Bot User OAuth Token.",
    secret: true,
    words: "The bot token of your own app; begins with `xoxb-`.",
  },
  SLACK_APP_TOKEN: {
    form: token(/^xapp-/, "xapp-"),
    needed: "make an app-level token with the scope connections:write (Basic Information).",
    secret: true,
    words: "The app-level token (`xapp-`), scope `connections:write`; for Socket Mode.",
  },
  SLACK_SIGNING_SECRET: {
    needed: "copy it from the app's Basic Information.",
    secret: true,
    words: "The app's signing secret; for the HTTP receiver and for Slack's assistant.",
  },
  SLACK_API_URL: {
    form: LoopbackUrl,
    words: "Another Web API than Slack's, on this machine only: for a chat workspace on loopback.",
  },
  THREADLORE_URL: {
    needed: "give the address of your knowledge server, such as https://knowledge.example.com/api.",
    words: "Address of the knowledge server.",
  },
  THREADLORE_KEY: {
    form: KeyText,
    needed: "have a key made that sees only what every channel may read.",
    secret: true,
    words: "The channel key: sees only what every channel may read.",
  },
  THREADLORE_DM_KEY: {
    form: KeyText,
    secret: true,
    words: "A wider key for direct messages. Absent: the channel key.",
  },
  THREADLORE_INGEST_KEY: {
    form: KeyText,
    secret: true,
    words: "A key that may ingest; ordinary keys may not. Absent: nothing is kept.",
  },
  ACCOUNTS_SECRET: {
    form: SealText,
    secret: true,
    words:
      "What accounts people connect are sealed with (`setup` makes it); behind it the ones before it, which still open. Absent: nobody can connect one.",
  },
  THREADLORE_PAIR: {
    form: PairText,
    words: "Pair of kept messages: its number, or `none`. Unset: keeping a message says that it must be decided.",
  },
  THREADLORE_PROFILE: {
    form: ProfileText,
    standard: "default",
    words: '`default`, `deployed`, or JSON such as `{"ingestionPath": "/api/ingestion"}`.',
  },
  THREADLORE_ALLOW_HTTP: {
    form: oneOf("yes", "no").transform((word) => word === "yes"),
    standard: "no",
    words: "`yes` sends keys over plain HTTP to another machine; only for a network of your own.",
  },
  HTTPS_PROXY: {
    words: "Proxy for https and Slack's sockets, such as `http://NAME:PASSWORD@proxy.example.com:3128`.",
  },
  HTTP_PROXY: { words: "The same for a knowledge server of plain http; one does not stand in for the other." },
  NO_PROXY: {
    words:
      "What is called without: names with all below them, addresses, networks (`10.0.0.0/8`), each also with `:PORT`.",
  },
  THREADLORE_CA_FILE: {
    words: "Certificates (PEM) of your company's own authority, trusted beside the system's and Node's.",
  },
  RULES_FILE: { words: "The rules, reloaded when they change. Absent: the built-in ones." },
  ADMIN_CHANNEL: {
    words:
      "Id of a channel told, once an hour, that the knowledge server or the database fails; the digest goes there.",
  },
  ANSWER_TESTS_REPORT: {
    words: "Path of what `threadlore test --report` writes: the digest says which answer tests failed, and why.",
  },
  RECEIVER: {
    form: oneOf("socket", "http"),
    standard: "socket",
    words: "`socket` (no public address needed) or `http`.",
  },
  SOCKETS: {
    form: wholeNumber(1, 10),
    standard: "2",
    words: "Socket Mode connections of this process, 1 to 10; all processes of an app together have 10.",
  },
  HOST: { standard: "127.0.0.1", words: "Where the HTTP receiver listens, and where Slack's assistant asks." },
  PORT: { form: wholeNumber(0, 65_535), standard: "3000", words: "Port of the HTTP receiver." },
  ASSISTANT_PORT: {
    form: PortText,
    standard: "off",
    words: "Port at which Slack's own assistant asks (at `/mcp`, on HOST); needs the signing secret. `off` for none.",
  },
  STATE_FOLDER: {
    words: "Folder of the SQLite file. Default: `$STATE_DIRECTORY`, else `~/.local/state/threadlore-bot`.",
  },
  DATABASE_URL: {
    form: DatabaseText,
    secret: true,
    words: "`postgres://…` for several instances, or `sqlite:PATH`. Default: `bot.db` in the state folder.",
  },
  OPERATIONS_PORT: { form: PortText, standard: "9464", words: "Health and metrics on 127.0.0.1; `off` for none." },
  RETENTION_DAYS: {
    form: wholeNumber(0, 3_650),
    standard: "90",
    words: "After so many days, what ended is deleted; `0` keeps it.",
  },
  LOG_LEVEL: {
    form: oneOf("debug", "info", "warn", "error", "silent"),
    standard: "info",
    words: "`debug` (holds message text), `info`, `warn`, `error` or `silent`.",
  },
  QUESTIONS_PER_USER: {
    form: LimitText,
    standard: "60/h",
    words: "Questions of one person: so many per `s`, `min`, `h` or `d`, such as `5/10min`; `off`: not limited.",
  },
  QUESTIONS_PER_CHANNEL: { form: LimitText, standard: "off", words: "Questions of one channel." },
  QUESTIONS_PER_WORKSPACE: { form: LimitText, standard: "2000/h", words: "Questions of everyone." },
  ANSWERS_PER_THREAD: {
    form: LimitText,
    standard: "5/10min",
    words: "Answers to allowed apps in one thread: what ends a talk between two bots.",
  },
  ANSWERS_PER_CHANNEL: {
    form: LimitText,
    standard: "30/h",
    words: "Answers to allowed apps in one channel, for the same reason.",
  },
  AT_ONCE: {
    form: wholeNumber(1, 1_000),
    standard: "50",
    words: "Questions this process works on at the same time; the others wait.",
  },
  THREAD_CHARACTERS: {
    form: wholeNumber(500, 200_000),
    standard: "12000",
    words: "Characters of the thread that go with a question.",
  },
  STREAMING: { form: oneOf("on", "off"), standard: "on", words: "`off` posts answers whole." },
  APPEND_EVERY_MS: {
    form: wholeNumber(50, 60_000),
    standard: String(PACE.minFlushMs),
    words: "Shortest time between two appends of one stream.",
  },
  MESSAGE_BYTES: {
    form: wholeNumber(1_000, 11_000),
    standard: String(STREAM.bytes),
    words: "Bytes of one streamed message, then a new one goes on.",
  },
  TASK_BYTES: {
    form: wholeNumber(500, 11_000),
    standard: String(STREAM.cardBytes),
    words: "Bytes of task cards in one message.",
  },
  TASK_CARDS: { form: wholeNumber(1, 50), standard: String(STREAM.rows), words: "Task cards in one message." },
  STREAM_MAX_AGE_S: {
    form: wholeNumber(5, 3_600),
    standard: String(STREAM.ageMs / 1_000),
    words: "Age of a stream, then a new message goes on.",
  },
  STREAMS_PER_MINUTE: {
    form: wholeNumber(1, 10_000),
    standard: String(PACE.startsPerMinute),
    words: "Streams begun in the workspace; beyond, answers are posted.",
  },
  APPENDS_PER_MINUTE: {
    form: wholeNumber(1, 100_000),
    standard: String(PACE.appendsPerMinute),
    words: "Appends in the workspace; the interval grows with the open streams.",
  },
} as const satisfies Readonly<Record<string, Variable>>;

/** Name of a variable. */
export type VariableName = keyof typeof VARIABLES;
