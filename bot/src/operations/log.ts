import { type DestinationStream, destination, pino } from "pino";
import type { LogLevel } from "../settings/config.ts";
import { errorFacts } from "./error-facts.ts";
import type { Secrets } from "../settings/secrets.ts";

/**
 * What a log line may tell besides its event. Nothing here is written by people: no questions, answers, titles, names.
 * Whoever needs another fact adds it to this list.
 */
const FACTS = [
  "task",
  "kind",
  "entry",
  "outcome",
  "code",
  "reason",
  "detail",
  "team",
  "channel",
  "ts",
  "thread",
  "user",
  "document",
  "state",
  "attempts",
  "count",
  "ms",
  "file",
  "problems",
  "remarks",
  "sdk",
  "trace",
] as const;

/** Facts of one log line. */
export type Facts = {
  readonly [Name in (typeof FACTS)[number]]?: string | number | boolean | readonly string[] | undefined;
} & {
  /** Told by allow-list. */
  readonly error?: unknown;
  /** What people wrote. Left out unless the level is `debug`. */
  readonly text?: string;
};

/** How grave a line is. */
export type Severity = "debug" | "info" | "warn" | "error";

/** Structured lines on stderr. `event` is a constant, such as `question ended`. */
export type Log = { readonly level: LogLevel } & Readonly<Record<Severity, (event: string, facts?: Facts) => void>>;

const MAX_TEXT = 500;
const CODE = /^[\w.:-]{1,80}$/;

/** Makes the log; its lines go to stderr. Every line passes the secrets last, whatever wrote it (docs/threats.md, T30). */
export function createLog({
  level,
  secrets,
  to = destination({ fd: 2, sync: true }),
}: {
  level: LogLevel;
  secrets: Secrets;
  to?: DestinationStream;
}): Log {
  const lines = pino(
    {
      level,
      base: null,
      messageKey: "event",
      timestamp: () => `,"at":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => to.write(secrets.without(line)) },
  );
  const write =
    (severity: Severity) =>
    (event: string, facts: Facts = {}) => {
      if (lines.isLevelEnabled(severity)) lines[severity](allowed(facts, level === "debug"), event);
    };
  return { level, debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** Only known facts, whatever a caller's object holds besides. */
function allowed(facts: Facts, full: boolean): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of FACTS) {
    const value = facts[name];
    // A machine's word; a server could put a sentence there, and in it what somebody asked.
    if (name === "code" && typeof value === "string" && !CODE.test(value)) continue;
    if (value !== undefined) kept[name] = typeof value === "string" ? value.slice(0, MAX_TEXT) : value;
  }
  if (facts.error !== undefined) kept["error"] = errorFacts(facts.error, { full });
  if (full && facts.text !== undefined) kept["text"] = facts.text;
  return kept;
}

/**
 * Logs what would otherwise end the process without a word, or with one that quotes what people wrote. A rejected
 * promise nobody waits for is survived: Slack's own SDK leaves some. Anything thrown outside a promise is not: the
 * process ends with code 70, for whatever started it to start it again. Returns how to stop guarding.
 */
export function guardProcess(
  log: Log,
  { exit = (code) => process.exit(code), process: guarded = process }: Guarded = {},
): () => void {
  const rejected = (error: unknown) => log.error("unhandled rejection", { error });
  const thrown = (error: unknown) => {
    log.error("uncaught exception", { error });
    exit(70);
  };
  guarded.on("unhandledRejection", rejected);
  guarded.on("uncaughtException", thrown);
  return () => {
    guarded.off("unhandledRejection", rejected);
    guarded.off("uncaughtException", thrown);
  };
}

/** What is guarded; a test guards another than the one it runs in. */
interface Guarded {
  exit?: (code: number) => void;
  process?: Pick<NodeJS.Process, "on" | "off">;
}
