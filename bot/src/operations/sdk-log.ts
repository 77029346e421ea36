import { type Logger, LogLevel } from "@slack/bolt";
import * as z from "zod";
import type { Log, Severity } from "./log.ts";

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
      const reason = words[0] === undefined ? undefined : constantPart(words[0]);
      log[severity]("slack sdk", { sdk: name, error, reason, text: words.join(" ") });
    };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    // The level is the log's own; the SDKs would set theirs back to `info`.
    setLevel() {},
    getLevel: () => z.enum(LogLevel).catch(LogLevel.ERROR).parse(log.level),
    setName(given) {
      name = given;
    },
  };
}

/** Up to where a line can begin to quote something. */
function constantPart(line: string): string {
  return (line.split(/[:({["'`\n]/, 1)[0] ?? "").slice(0, 160).trim();
}
