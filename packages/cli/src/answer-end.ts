import { type Answer, failureCause, type FailureCause } from "@threadlore/ask";
import { EXIT_CODES } from "./exit-codes.ts";
import { describeFailure, errorDocument } from "./failure.ts";
import { oneLine } from "./output.ts";

/** How asking ended: the exit code, and what to say where it is not 0. */
export interface AnswerEnd {
  readonly exitCode: number;
  readonly lines: readonly string[];
  readonly error?: Record<string, unknown>;
}

/** Exit codes of failures that were met while a broken answer was looked for on the server. */
const CODE_OF_CAUSE: Partial<Record<FailureCause, keyof typeof EXIT_CODES>> = {
  key: "auth",
  limit: "rateLimited",
  unreachable: "unavailable",
  cut_off: "unavailable",
};

/**
 * How an answer ended.
 * @param thrown the error its stream ended with; undefined: the stream itself told the end
 * @param interrupted whether the person stopped it
 */
export function endOfAnswer(answer: Answer, thrown: unknown, interrupted: boolean): AnswerEnd {
  if (answer.status === "done") return { exitCode: EXIT_CODES.ok.code, lines: [] };
  if (answer.status === "stopped") {
    return interrupted ? ending("interrupted", "Stopped.") : ending("partial", "Somebody stopped the answer there.");
  }
  const message = answer.failure?.message ?? "The answer ended early.";
  if (answer.status === "partial") return ending("partial", message);
  if (thrown instanceof Error && thrown.message === message) {
    const failure = describeFailure(thrown);
    return { exitCode: failure.exitCode, lines: failure.lines, error: errorDocument(failure, thrown) };
  }
  // The stream told it, or what was seen on the server when the answer was looked for there.
  return ending(
    thrown === undefined ? "answerFailed" : (CODE_OF_CAUSE[failureCause(answer)] ?? "answerFailed"),
    message,
  );
}

function ending(cause: keyof typeof EXIT_CODES, message: string): AnswerEnd {
  return { exitCode: EXIT_CODES[cause].code, lines: [oneLine(message)], error: { cause, message: oneLine(message) } };
}
