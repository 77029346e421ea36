import type * as z from "zod/mini";
import { describeIssues } from "../errors/error-body.ts";
import { InvalidRequestError } from "../errors/errors.ts";
import type { ValidationError } from "../models.ts";
import { isObject } from "./wire-json.ts";

/**
 * Checks a request with its model, once, and gives the body to send: what the caller set, keys the model does not know
 * included, and nothing else. Deployed servers refuse explicit nulls for what was left unset, and defaults are theirs to fill in.
 *
 * Throws InvalidRequestError with a `loc` path for each fault, before anything is sent.
 */
export function requestBody<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
): { parsed: z.output<Schema>; body: Record<string, unknown> } {
  refuseLostKeys(input, ["body"]);
  const parsed = checkedRequest(schema, input);
  return { parsed, body: onlyGiven(input, parsed) };
}

/** The same for a request that is sent as the caller wrote it: checked, and nothing more. */
export function checkedRequest<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => issueOf(issue, input));
  throw new InvalidRequestError(`The request was not sent: ${describeIssues(issues)}.`, issues);
}

/** This one name, which JSON can hold, gets lost wherever objects are copied. Nothing may be lost, so it is refused. */
const LOST_KEY = "__proto__";

function refuseLostKeys(value: unknown, path: readonly (string | number)[], seen = new Set<object>()): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  for (const [key, member] of Object.entries(value)) {
    const inside = [...path, Array.isArray(value) ? Number(key) : key];
    if (key !== LOST_KEY) refuseLostKeys(member, inside, seen);
    else {
      const msg = `A key cannot be called ${LOST_KEY}`;
      const issue = { loc: inside, msg, type: "value_error" };
      throw new InvalidRequestError(`The request was not sent: ${describeIssues([issue])}.`, [issue]);
    }
  }
}

/** The parts of a parsed request that the caller wrote. */
function onlyGiven(input: unknown, parsed: unknown): Record<string, unknown> {
  return isObject(input) && isObject(parsed) ? givenMembers(input, parsed) : {};
}

function givenMembers(input: Record<string, unknown>, parsed: Record<string, unknown>): Record<string, unknown> {
  const members = Object.entries(parsed).filter(([key]) => input[key] !== undefined);
  return Object.fromEntries(members.map(([key, value]) => [key, givenValue(input[key], value)]));
}

function givenValue(input: unknown, parsed: unknown): unknown {
  if (Array.isArray(input) && Array.isArray(parsed)) return parsed.map((value, at) => givenValue(input[at], value));
  return isObject(input) && isObject(parsed) ? givenMembers(input, parsed) : parsed;
}

function issueOf(issue: z.core.$ZodIssue, input: unknown): ValidationError {
  const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
  const missing = issue.code === "invalid_type" && valueAt(input, path) === undefined;
  const type = missing ? "missing" : issue.code === "invalid_type" ? `${issue.expected}_type` : "value_error";
  return { loc: ["body", ...path], msg: missing ? "Field required" : words(issue), type };
}

function words(issue: z.core.$ZodIssue): string {
  if (issue.message !== "Invalid input") return issue.message;
  return issue.code === "invalid_type" ? `Input should be of type ${issue.expected}` : "Input is not valid";
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inside, step) => (typeof inside === "object" && inside !== null ? Reflect.get(inside, step) : undefined),
    value,
  );
}
