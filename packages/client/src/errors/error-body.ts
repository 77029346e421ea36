import type { ValidationError } from "../models.ts";
import { readPrintedDictionaries } from "./python-literal.ts";
import { isObject, parseWireJson } from "../http/wire-json.ts";

/** Longest text of a server that ends up in an error message, in characters. */
const MAX_TEXT = 2000;
/** Most places named in one error; the rest are counted. */
const MAX_ISSUES = 50;

/** What a reply's body says about why it failed, whatever shape it has (docs/wire.md, section 5). */
export interface ErrorBody {
  /** The server's words, control characters removed, at most 2,000 characters. Empty when it said nothing readable. */
  text: string;
  /** The server's machine-readable code. */
  code?: string;
  /** Where the request was wrong. */
  issues: ValidationError[];
  /** The body is a web page. */
  html: boolean;
  retryAfterSeconds?: number;
  resetAt?: string;
  /** Whose budget is used up. */
  scope?: string;
}

/** Reads an error body. Total: any text gives a result, and nothing of echoed input or server paths is in it. */
export function readErrorBody(body: string): ErrorBody {
  const trimmed = body.trimStart();
  if (trimmed.startsWith("<")) return { text: "", issues: [], html: true };
  if (!trimmed.startsWith("{") && !trimmed.startsWith("[")) return { text: readable(body), issues: [], html: false };
  // A body that begins like JSON and is none was cut or garbled: it may hold anything, so none of it is shown.
  const parsed = parsedOrUndefined(trimmed);
  return isObject(parsed) ? readErrorObject(parsed) : { text: "", issues: [], html: false };
}

function readErrorObject(body: Record<string, unknown>): ErrorBody {
  const { detail, message, error } = body;
  const head = typeof message === "string" ? /^(\d+ validation errors?):\s*/.exec(message) : null;
  const printed = head === null ? undefined : readPrintedIssues(head.input.slice(head[0].length));
  const issues = printed ?? (Array.isArray(detail) ? detail.slice(0, MAX_ISSUES).flatMap(readIssue) : []);
  const inner = isObject(detail) ? detail : {};
  const says =
    issues.length > 0
      ? describeIssues(issues)
      : firstText(
          head === null
            ? [detail, inner["message"], message, body["error_description"], textOfError(error), inner["error"]]
            : [head[1]],
        );
  return {
    text: readable(says ?? ""),
    issues,
    html: false,
    code: shortText(body["error_code"]) ?? shortText(inner["error"]) ?? oauthCode(error),
    retryAfterSeconds: finite(body["retry_after_seconds"]),
    resetAt: shortText(body["reset_at"]),
    scope: shortText(body["scope"]),
  };
}

/** Deployed servers print Python dictionaries into `message`. */
function readPrintedIssues(text: string): ValidationError[] {
  return readPrintedDictionaries(text).slice(0, MAX_ISSUES).flatMap(readIssue);
}

function readIssue(found: unknown): ValidationError[] {
  if (typeof found === "string" && found !== "") return [{ loc: [], msg: readable(found), type: "value_error" }];
  if (!isObject(found)) return [];
  const { loc, msg, type } = found;
  if (typeof msg !== "string") return [];
  if (typeof loc === "string") return readIssue({ ...found, loc: [loc] });
  const path = Array.isArray(loc) ? loc.filter((step) => typeof step === "string" || typeof step === "number") : [];
  const kind = typeof type === "string" ? readable(type) : "value_error";
  return [{ loc: path, msg: readable(someOf(msg)), type: kind }];
}

/** Most values that are listed whole, where only some will do. */
const MAX_VALUES = 10;

/** A reason without a long list of everything that would do: nobody looks for theirs among sixty names. */
function someOf(msg: string): string {
  if (!msg.startsWith("Input should be '")) return msg;
  const values = msg.slice(0, MAX_LISTED).match(/'[^']{0,200}'(?=,| or |$)/g) ?? [];
  if (values.length <= MAX_VALUES) return msg;
  const [first = "", second = "", third = ""] = values;
  return `Input should be one of ${values.length} values, such as ${first}, ${second} or ${third}`;
}

/** Longest list that is counted, in characters. */
const MAX_LISTED = 20_000;

/** Places and reasons in a line: `body.message: Field required; …`. */
export function describeIssues(issues: readonly ValidationError[]): string {
  const shown = issues.slice(0, 5).map(({ loc, msg }) => (loc.length === 0 ? msg : `${loc.join(".")}: ${msg}`));
  if (issues.length > shown.length) shown.push(`and ${issues.length - shown.length} more`);
  return shown.join("; ").slice(0, MAX_TEXT);
}

/** A word of RFC 6749 or 8628, such as `authorization_pending`. */
function oauthCode(error: unknown): string | undefined {
  return typeof error === "string" && /^[a-z]+(?:_[a-z]+)+$/.test(error) ? error : undefined;
}

function textOfError(error: unknown): unknown {
  return isObject(error) ? error["message"] : error;
}

function firstText(candidates: readonly unknown[]): string | undefined {
  return candidates.find((candidate): candidate is string => typeof candidate === "string" && candidate !== "");
}

/** A server's text made fit for one line of a person's screen. */
export function readable(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .replaceAll(UNPRINTABLE, " ")
    .replaceAll(/\s{2,}/g, " ")
    .trim();
}

/** Control characters, halves of characters, and those that turn or hide text. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

function shortText(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= 100 ? value : undefined;
}

function finite(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function parsedOrUndefined(text: string): unknown {
  try {
    return parseWireJson(text);
  } catch {
    return undefined;
  }
}
