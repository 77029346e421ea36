import type { Answer } from "@threadlore/ask";
import { CAUSE_OF_OUTCOME, EXIT_CODES } from "../exit-codes.ts";
import { describeFailure, errorDocument } from "../failure.ts";
import { oneLine } from "../terminal/output.ts";

/** How asking ended: the exit code, and what to say where it is not 0. */
export interface AnswerEnd {
  readonly exitCode: number;
  readonly lines: readonly string[];
  readonly error?: Record<string, unknown>;
}

/**
 * How an answer ended.
 * @param interrupted whether the person stopped it
 */
export function endOfAnswer(answer: Answer, interrupted: boolean): AnswerEnd {
  if (answer.status === "done") return { exitCode: EXIT_CODES.ok.code, lines: [] };
  if (answer.status === "stopped") {
    return interrupted ? ending("interrupted", "Stopped.") : ending("partial", "Somebody stopped the answer there.");
  }
  const { message = "The answer ended early.", outcome = "retryable", error } = answer.failure ?? {};
  if (answer.status === "partial") return ending("partial", message);
  if (error !== undefined) {
    const failure = describeFailure(error);
    return { exitCode: failure.exitCode, lines: failure.lines, error: errorDocument(failure, error) };
  }
  // Of an answer that broke off nothing had come: to whoever asked, the server was not there.
  return ending(outcome === "partial" ? "unavailable" : CAUSE_OF_OUTCOME[outcome], message);
}

function ending(cause: keyof typeof EXIT_CODES, message: string): AnswerEnd {
  return { exitCode: EXIT_CODES[cause].code, lines: [oneLine(message)], error: { cause, message: oneLine(message) } };
}
