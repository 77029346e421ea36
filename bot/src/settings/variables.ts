import { PACE, STREAM } from "../slack/transport/limits.ts";

/** One environment variable the bot reads. The table of the README is checked against these. */
export interface Variable {
  readonly name: string;
  /** Read from the file `NAME_FILE` as well, and never shown. */
  readonly secret?: true;
  /** As text; absent: none, or told by `words`. */
  readonly standard?: string;
  /** What it is for. */
  readonly words: string;
}

/** Every environment variable, in the order the documentation lists them. */
export const VARIABLES = [
  { name: "SLACK_BOT_TOKEN", secret: true, words: "The bot token of your own app; begins with `xoxb-`." },
  {
    name: "SLACK_APP_TOKEN",
    secret: true,
    words: "The app-level token (`xapp-`), scope `connections:write`; for Socket Mode.",
  },
  { name: "SLACK_SIGNING_SECRET", secret: true, words: "The app's signing secret; for the HTTP receiver." },
  {
    name: "SLACK_API_URL",
    words: "Another Web API than Slack's, on this machine only: for a chat workspace on loopback.",
  },
  { name: "THREADLORE_URL", words: "Address of the knowledge server." },
  { name: "THREADLORE_KEY", secret: true, words: "The channel key: sees only what every channel may read." },
  { name: "THREADLORE_DM_KEY", secret: true, words: "A wider key for direct messages. Absent: the channel key." },
  {
    name: "THREADLORE_INGEST_KEY",
    secret: true,
    words: "A key that may ingest; ordinary keys may not. Absent: nothing is kept.",
  },
  {
    name: "THREADLORE_PAIR",
    words: "Pair of kept messages: its number, or `none`. Unset: keeping a message says that it must be decided.",
  },
  {
    name: "THREADLORE_PROFILE",
    standard: "default",
    words: '`default`, `deployed`, or JSON such as `{"ingestionPath": "/api/ingestion"}`.',
  },
  {
    name: "THREADLORE_ALLOW_HTTP",
    standard: "no",
    words: "`yes` sends keys over plain HTTP to another machine; only for a network of your own.",
  },
  { name: "RULES_FILE", words: "The rules, reloaded when they change. Absent: the built-in ones." },
  {
    name: "ADMIN_CHANNEL",
    words: "Id of a channel told, once an hour, that the knowledge server or the database fails.",
  },
  { name: "RECEIVER", standard: "socket", words: "`socket` (no public address needed) or `http`." },
  {
    name: "SOCKETS",
    standard: "2",
    words: "Socket Mode connections of this process, 1 to 10; all processes of an app together have 10.",
  },
  { name: "HOST", standard: "127.0.0.1", words: "Where the HTTP receiver listens." },
  { name: "PORT", standard: "3000", words: "Port of the HTTP receiver." },
  {
    name: "STATE_FOLDER",
    words: "Folder of the SQLite file. Default: `$STATE_DIRECTORY`, else `~/.local/state/threadlore-bot`.",
  },
  {
    name: "DATABASE_URL",
    secret: true,
    words: "`postgres://…` for several instances, or `sqlite:PATH`. Default: `bot.db` in the state folder.",
  },
  { name: "OPERATIONS_PORT", standard: "9464", words: "Health and metrics on 127.0.0.1; `off` for none." },
  { name: "RETENTION_DAYS", standard: "90", words: "After so many days, what ended is deleted; `0` keeps it." },
  { name: "LOG_LEVEL", standard: "info", words: "`debug` (holds message text), `info`, `warn`, `error` or `silent`." },
  {
    name: "QUESTIONS_PER_USER",
    standard: "60/h",
    words: "Questions of one person: so many per `s`, `min`, `h` or `d`, such as `5/10min`; `off`: not limited.",
  },
  { name: "QUESTIONS_PER_CHANNEL", standard: "off", words: "Questions of one channel." },
  { name: "QUESTIONS_PER_WORKSPACE", standard: "2000/h", words: "Questions of everyone." },
  {
    name: "ANSWERS_PER_THREAD",
    standard: "5/10min",
    words: "Answers to allowed apps in one thread: what ends a talk between two bots.",
  },
  {
    name: "ANSWERS_PER_CHANNEL",
    standard: "30/h",
    words: "Answers to allowed apps in one channel, for the same reason.",
  },
  { name: "AT_ONCE", standard: "50", words: "Questions this process works on at the same time; the others wait." },
  { name: "THREAD_CHARACTERS", standard: "12000", words: "Characters of the thread that go with a question." },
  { name: "STREAMING", standard: "on", words: "`off` posts answers whole." },
  {
    name: "APPEND_EVERY_MS",
    standard: String(PACE.minFlushMs),
    words: "Shortest time between two appends of one stream.",
  },
  {
    name: "MESSAGE_BYTES",
    standard: String(STREAM.bytes),
    words: "Bytes of one streamed message, then a new one goes on.",
  },
  { name: "TASK_BYTES", standard: String(STREAM.cardBytes), words: "Bytes of task cards in one message." },
  { name: "TASK_CARDS", standard: String(STREAM.rows), words: "Task cards in one message." },
  {
    name: "STREAM_MAX_AGE_S",
    standard: String(STREAM.ageMs / 1_000),
    words: "Age of a stream, then a new message goes on.",
  },
  {
    name: "STREAMS_PER_MINUTE",
    standard: String(PACE.startsPerMinute),
    words: "Streams begun in the workspace; beyond, answers are posted.",
  },
  {
    name: "APPENDS_PER_MINUTE",
    standard: String(PACE.appendsPerMinute),
    words: "Appends in the workspace; the interval grows with the open streams.",
  },
] as const satisfies readonly Variable[];

/** Name of a variable. */
export type VariableName = (typeof VARIABLES)[number]["name"];
