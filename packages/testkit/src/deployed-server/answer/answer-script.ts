import type { Question } from "./question.ts";
import type { ShownDocument } from "../world/search-document.ts";

/** One thing the model does for an answer. What it needs a tool for is left out where the tool is not offered. */
export type AnswerPart =
  /** Text, sent word by word. `[2]` cites the second document found; what was not found cannot be cited. */
  | string
  /** Text in one piece, as it is: brackets stay what they are. */
  | { piece: string }
  | { pauseMs: number }
  /** Waits until this is settled, whatever it is. */
  | { until: Promise<unknown> }
  | { reasoning: string }
  /** Searches what was ingested for these words. */
  | { search: string }
  /** Searches, and finds these. */
  | { found: readonly ShownDocument[] }
  /** Has these at hand without a search, as files of a project are. */
  | { given: readonly ShownDocument[] }
  /** Reads a web page. */
  | { openUrl: string }
  /** Calls a custom tool by its name. It gives what the tool gives, or this; or it breaks. */
  | { tool: string; args?: Record<string, unknown>; gives?: unknown; fails?: boolean }
  /** Adds this to the account's memory. */
  | { remember: string }
  /** Fails, with a code and a message of its own. */
  | { error: string; message?: string }
  /** A packet as it is: its `obj`. */
  | { packet: { type: string } & Record<string, unknown> }
  /** A line as it is, whatever it is. */
  | { line: string }
  /** The end, without `stop`: this is written as it is, without a newline, and nothing after it. */
  | { ending: string };

/** An answer: its parts, or only its text. */
export type Answer = string | readonly AnswerPart[];

/** What questions are answered with. */
export type AnswerScript = Answer | ((question: Question) => Answer | undefined);

/** Text in the pieces a model sends: words with what follows them. */
export function wordsAsSent(text: string): string[] {
  return text.match(/\s*\S+\s?/gu) ?? (text === "" ? [] : [text]);
}
