/** How much is written. `info` never holds a question, an answer or a text of a document. */
export type LogLevel = "debug" | "info" | "warn" | "silent";

/** `text`: `event key=value …`; `json`: one object a line, with `time`, `level` and `event` first. */
export type LogFormat = "text" | "json";

/** What a line may tell besides its words. An error is reduced to its kind and where it was thrown. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The service's only way to write about its work. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
}

const RANK = { debug: 0, info: 1, warn: 2, silent: 3 } as const;

/**
 * A log that writes one line per event: `event key=value …`. Keys, tokens and passwords are cut out of every value;
 * of an error only its name, code and the places in the code are told, since its message may quote what was sent
 * (at `debug` the message is told too).
 */
export function createLog(
  level: LogLevel,
  write: (line: string) => void = console.error,
  format: LogFormat = "text",
): Log {
  const lineOf = format === "json" ? jsonLine : textLine;
  const at =
    (own: Exclude<LogLevel, "silent">) =>
    (event: string, fields: LogFields = {}): void => {
      if (RANK[own] < RANK[level]) return;
      write(lineOf(own, event, fields, level === "debug"));
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn") };
}

function textLine(_: LogLevel, event: string, fields: LogFields, withMessage: boolean): string {
  const told = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${tell(value, withMessage)}`);
  return redact([event, ...told].join(" "));
}

/** Secrets are cut out of each value: cut out of the whole line, it might be no JSON any more. */
function jsonLine(level: LogLevel, event: string, fields: LogFields, withMessage: boolean): string {
  const told = Object.entries(fields).map(([key, value]) => {
    if (value instanceof Error) return [key, redact(tellError(value, withMessage))];
    return [key, typeof value === "number" || typeof value === "boolean" ? value : value && redact(String(value))];
  });
  const time = new Date().toISOString();
  return JSON.stringify({ time, level, event: redact(event), ...(Object.fromEntries(told) as object) });
}

function tell(value: unknown, withMessage: boolean): string {
  if (value instanceof Error) return tellError(value, withMessage);
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function tellError(error: Error, withMessage: boolean): string {
  const code = "errcode" in error ? `(${String(error.errcode)})` : "code" in error ? `(${String(error.code)})` : "";
  const places = (error.stack ?? "")
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .slice(0, 6)
    .map((line) => line.trim());
  return [`${error.name}${code}`, ...(withMessage ? [JSON.stringify(error.message)] : []), ...places].join(" | ");
}

/** Replaces everything that looks like a secret. */
export function redact(text: string): string {
  return text
    .replace(/\b(bearer|basic)\s+[^\s"',;|]+/gi, "$1 ***")
    .replace(/\b(?:tl_|sk-|xox[a-z]-|xapp-|ghp_|on_|onyx_pat_)[\w.-]{4,}/g, "***")
    .replace(/((?:api[_-]?key|token|secret|password|authorization)["']?\s*[=:]\s*["']?)[^\s"',;&|]+/gi, "$1***");
}
