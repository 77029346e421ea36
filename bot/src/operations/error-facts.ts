import { field } from "@threadlore/documents/slack";

/** Classes of this program whose messages hold nothing that people wrote. */
const OWN_WORDS: ReadonlySet<string> = new Set(["ConfigError", "RulesError"]);

const MAX_FRAMES = 6;
const MAX_CAUSES = 3;
const WORD = /^[\w.-]{1,80}$/;

/**
 * What may be told of an error in a log, by allow-list (docs/threats.md, T30): never headers, bodies, arguments. Messages
 * are left out: a parser quotes the text it stumbled over, an HTTP error carries the body. `full` adds them, for `debug`.
 */
export function errorFacts(error: unknown, { full = false, depth = 0 } = {}): Readonly<Record<string, unknown>> {
  if (typeof error !== "object" || error === null) {
    return { name: typeof error, ...(full && { message: String(error) }) };
  }
  const name = word(field(error, "name")) ?? "Error";
  const message = field(error, "message");
  const at = framesOf(field(error, "stack"), message);
  const cause = field(error, "cause") ?? field(error, "original");
  return {
    name,
    // The machine's word: `ECONNREFUSED`, `slack_webapi_platform_error`, `RATE_LIMITED`, …
    code: word(field(error, "code")),
    // Slack's word, from `{ok: false, error}`.
    slack: word(field(field(error, "data"), "error")),
    // The client's word for how a call to the server ended.
    outcome: word(field(error, "outcome")),
    status: number(field(error, "status")) ?? number(field(error, "statusCode")),
    retryAfterS: number(field(error, "retryAfter")),
    ...(typeof message === "string" && (full || OWN_WORDS.has(name)) && { message }),
    // Where in the code, innermost first.
    ...(at.length > 0 && { at }),
    ...(typeof cause === "object" &&
      cause !== null &&
      depth < MAX_CAUSES && { cause: errorFacts(cause, { full, depth: depth + 1 }) }),
  };
}

function word(value: unknown): string | undefined {
  return typeof value === "string" && WORD.test(value) ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** One place: what was called, and where. A name has no blanks, so no sentence is taken for one. */
const FRAME =
  /^ {4}at (?:(?:async |new )*[\w$.<>#]{1,100}(?: \[as [\w$]{1,60}\])? \()?(?:file:\/\/|node:|\/)[^\n()]*:\d+:\d+\)?$/;

/** The places of a stack, without the message that stands before them and could imitate some. */
function framesOf(stack: unknown, message: unknown): string[] {
  if (typeof stack !== "string") return [];
  const from = typeof message === "string" ? Math.max(0, stack.indexOf(message)) + message.length : 0;
  return stack
    .slice(from)
    .split("\n")
    .filter((line) => FRAME.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) =>
      line
        .trim()
        .replace(/^at /, "")
        .replace(/(?:file:\/\/)?\/[^\s()]*\/(?=[^/]+:\d+:\d+\)?$)/, "…/"),
    );
}
