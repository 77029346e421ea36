import type { z } from "zod";

/** One reason why Slack would refuse a call. */
export interface Refusal {
  /** The `error` Slack would answer with. */
  readonly code: string;
  /** JSON pointer into the arguments; empty when it is about all of them. */
  readonly pointer: string;
  /** The reason in plain words. */
  readonly words: string;
}

type Issue = z.core.$ZodIssue;

const unitOf: Readonly<Record<string, string>> = { string: "characters", array: "elements", number: "" };

function size(issue: { readonly origin: string }, count: number | bigint): string {
  return `${count} ${unitOf[issue.origin] ?? ""}`.trim();
}

function wordsOf(issue: Issue): string {
  switch (issue.code) {
    case "too_big":
      return `no more than ${size(issue, issue.maximum)} allowed`;
    case "too_small":
      return `at least ${size(issue, issue.minimum)} needed`;
    case "unrecognized_keys":
      return `not a property of this: ${issue.keys.join(", ")}`;
    case "invalid_value":
      return `must be ${issue.values.map(String).join(" or ")}`;
    case "invalid_union":
      return `unsupported type: ${String(issue.input ?? "none given")}`;
    case "invalid_type":
      return issue.input === undefined ? `missing, must be ${issue.expected}` : `must be ${issue.expected}`;
    default:
      return issue.message;
  }
}

function typeGiven(issue: Issue): unknown {
  const input: unknown = issue.input;
  return typeof input === "object" && input !== null && "type" in input ? input.type : undefined;
}

/** Why a value is not what the schema says, each reason with the code and below the pointer given. */
export function refusalsFrom(schema: z.ZodType, value: unknown, code: string, pointer: string): readonly Refusal[] {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return [];
  return parsed.error.issues.map((issue) => ({
    code,
    pointer: [pointer, ...issue.path.map(String)].join("/"),
    words: wordsOf(issue.code === "invalid_union" ? { ...issue, input: typeGiven(issue) } : issue),
  }));
}

/** The refusal, where something is wrong. */
export function refusedIf(wrong: boolean, code: string, pointer: string, words: string): readonly Refusal[] {
  return wrong ? [{ code, pointer, words }] : [];
}
