import { type Logger, LogLevel } from "@slack/bolt";
import type { Facts, Log, Severity } from "./log.ts";

/**
 * The log as Slack's SDKs want one. They put bodies, headers and message text into their lines, so above `debug` only
 * the constant beginning of a line is kept, and errors by their chosen fields (docs/threats.md, T30).
 */
export function sdkLog(log: Log): Logger {
  let name = "sdk";
  const write =
    (severity: Severity) =>
    (...parts: unknown[]) => {
      const words = parts.filter((part) => typeof part === "string");
      const error = parts.find((part) => part instanceof Error);
      const facts: Facts = {
        sdk: name,
        error,
        ...(words.length > 0 && { reason: constantPart(words[0] ?? "") }),
        text: words.join(" "),
      };
      log[severity]("slack sdk", facts);
    };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    // The level is the log's own; the SDKs would set theirs back to `info`.
    setLevel() {},
    getLevel: () => SDK_LEVELS[log.level],
    setName(given) {
      name = given;
    },
  };
}

const SDK_LEVELS = {
  debug: LogLevel.DEBUG,
  info: LogLevel.INFO,
  warn: LogLevel.WARN,
  error: LogLevel.ERROR,
  silent: LogLevel.ERROR,
} as const;

/** Up to where a line can begin to quote something. */
function constantPart(line: string): string {
  return (line.split(/[:({["'`\n]/, 1)[0] ?? "").slice(0, 160).trim();
}
