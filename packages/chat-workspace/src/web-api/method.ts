import { type Arguments, isGiven, isObject } from "../fields.ts";
import type { Parts } from "../workspace-parts.ts";
import type { StoredToken } from "../state.ts";
import type { Refusal } from "../validator/refusal.ts";
import type { Tier } from "./rate-limits.ts";

/** What a method works on. */
export interface Call extends Pick<Parts, "state" | "acts" | "sockets"> {
  /** Whose call it is. */
  readonly token: StoredToken;
  /** The header `authorization` as it came; empty when there was none. */
  readonly authorization: string;
  /** What is wrong with the arguments by themselves. */
  readonly refusals: readonly Refusal[];
  /** Notes what the platform takes although people are not served by it. */
  readonly breach: (words: string) => void;
}

/** Who may call a method, and how often. */
interface Rights {
  /** Scope the token must have; of several, any one. */
  readonly scope?: string | readonly string[];
  readonly tier: Tier;
  /** Token it takes; default `bot`. */
  readonly token?: StoredToken["kind"] | "none";
  /** It says itself what is wrong with its arguments; any other is not run with such ones. */
  readonly judges?: true;
}

/** What `ok` is answered with, `ok` left out. Throws {@link SlackError}. */
type Run = (args: Arguments, call: Call) => Record<string, unknown> | void;

/** One method of the Web API. */
export interface Method extends Rights {
  readonly run: Run;
}

/** A method, and who may call it. */
export const method = (rights: Rights, run: Run): Method => ({ ...rights, run });

/** Methods by name, such as `chat.postMessage`. */
export type Methods = Readonly<Record<string, Method>>;

/** `{ok: false, error}`, with further fields. */
export class SlackError extends Error {
  override readonly name = "SlackError";
  /** Such as `channel_not_found`. */
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(code: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.fields = fields;
  }
}

/** A text argument, or undefined when it is missing or empty. */
export function text(args: Arguments, name: string): string | undefined {
  const value = args[name];
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A text argument that must be there. Throws `invalid_arguments`. */
export function required(args: Arguments, name: string): string {
  const value = text(args, name);
  if (value === undefined) {
    const messages = [`[ERROR] missing required field: ${name}`];
    throw new SlackError("invalid_arguments", { response_metadata: { messages } });
  }
  return value;
}

/** A whole number. Throws `invalid_arguments` when it is none. */
export function count(args: Arguments, name: string): number | undefined {
  const value = text(args, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number)) throw new SlackError("invalid_arguments");
  return number;
}

/** A list of objects, such as `blocks`. Throws `error` when it is something else. */
export function objects(args: Arguments, name: string, error = "invalid_arguments") {
  const value = args[name];
  if (!isGiven(value)) return undefined;
  if (!Array.isArray(value) || !value.every(isObject)) throw new SlackError(error);
  return value as Record<string, unknown>[];
}

/** An object, such as `view`. Throws `invalid_arguments` when it is something else. */
export function object(args: Arguments, name: string): Record<string, unknown> | undefined {
  const value = args[name];
  if (!isGiven(value)) return undefined;
  if (!isObject(value)) throw new SlackError("invalid_arguments");
  return value;
}

/** Names separated by commas. */
export function names(args: Arguments, name: string): string[] | undefined {
  const value = args[name];
  if (Array.isArray(value)) return value.map(String);
  return text(args, name)
    ?.split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

/** Throws `missing_scope` when the token has none of the scopes. */
export function requireScope(token: StoredToken, anyOf: readonly string[]): void {
  if (anyOf.some((scope) => token.scopes.includes(scope))) return;
  throw new SlackError("missing_scope", { needed: anyOf.join(","), provided: token.scopes.join(",") });
}
