import type { Answer } from "@threadlore/ask";
import { ClientError, InvalidRequestError, RateLimitError, UnavailableError } from "@threadlore/client";
import { causeOf, CAUSE_OF_OUTCOME, EXIT_CODES, type ExitCause, UsageError } from "./exit-codes.ts";
import { oneLine, styled, type Terminal, writeJsonLine } from "./terminal/output.ts";

/** A failure as a person reads it and as `--json` prints it. */
export interface Failure {
  readonly cause: ExitCause;
  readonly exitCode: number;
  /** What happened and what to do, one sentence or more per line. */
  readonly lines: readonly string[];
  /** The same for `--json`. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** What to say about anything that was thrown. Never a stack trace, never a key. */
export function describeFailure(error: unknown): Failure {
  const cause = causeOf(error);
  return failureOf(cause, linesOf(error, cause), {
    ...(error instanceof ClientError && error.status !== undefined && { status: error.status }),
    ...(error instanceof InvalidRequestError && error.issues.length > 0 && { issues: error.issues }),
    ...(error instanceof RateLimitError && error.retryAt !== undefined && { retry_at: error.retryAt.toISOString() }),
  });
}

function failureOf(cause: ExitCause, said: readonly string[], facts: Record<string, unknown> = {}): Failure {
  const lines = said.map(oneLine);
  const document = { cause, message: lines.join("\n"), ...facts };
  return { cause, exitCode: EXIT_CODES[cause].code, lines, document };
}

function linesOf(error: unknown, cause: ExitCause): string[] {
  if (error instanceof UsageError) return [...error.problems];
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ClientError)) return [message];
  if (cause === "interrupted") return ["Stopped."];
  if (error instanceof InvalidRequestError && error.issues.length > 0) return placesOf(error);
  return [message, ...hintsOf(error)];
}

/** Where a refused request was wrong: `body.definition.paths: …`. The message says the places too, in one line. */
function placesOf({ message, issues, status, host }: InvalidRequestError): string[] {
  if (issues.some(({ msg }) => msg === message)) return [message];
  const places = issues.map(({ loc, msg }) => (loc.length === 0 ? msg : `${placeOf(loc)}: ${msg}`));
  if (!issues.some(({ msg }) => message.includes(msg))) return [message, ...places];
  return status === undefined
    ? [message]
    : [`The server at ${host ?? "this address"} refused the request (${status}):`, ...places];
}

/** The option a person typed, where the server's own place is far from it. */
function placeOf(loc: readonly (string | number)[]): string {
  return loc.includes("source_type") ? "--source" : loc.join(".");
}

function hintsOf(error: ClientError): string[] {
  // Without a status nothing came back, and the message says this already.
  if (error instanceof UnavailableError && error.maybeProcessed && error.status !== undefined) {
    return ["The server may have carried it out all the same."];
  }
  if (error.outcome === "auth")
    return ["`threadlore doctor` shows what this key may do; `threadlore login URL` sets another."];
  if (error.outcome === "protocol") return ["`threadlore doctor` finds out what is wrong with the address."];
  return [];
}

/** Tells the failure on stderr, or as the one JSON document on stdout. Returns the exit code. */
export function reportFailure(terminal: Terminal, error: unknown, json: boolean): number {
  const failure = describeFailure(error);
  if (json) {
    // On one line, as also commands whose output is a document a line can end like this.
    writeJsonLine(terminal, { ok: false, error: failure.document, exit_code: failure.exitCode });
  } else {
    const [first = "", ...rest] = failure.lines;
    terminal.err.write(`${styled(terminal.err, "red", first)}\n${rest.map((line) => `${line}\n`).join("")}`);
  }
  if (failure.cause === "unexpected" && terminal.env["THREADLORE_DEBUG"] === "1" && error instanceof Error) {
    terminal.err.write(`${error.stack ?? ""}\n`);
  }
  return failure.exitCode;
}

/**
 * How an answer ended early; undefined where it is whole.
 * @param interrupted whether the person stopped it
 */
export function endOfAnswer(answer: Answer, interrupted: boolean): Failure | undefined {
  if (answer.status === "done") return undefined;
  if (answer.status === "stopped") {
    if (interrupted) return failureOf("interrupted", ["Stopped."]);
    return failureOf("partial", ["Somebody stopped the answer there."]);
  }
  const { message = "The answer ended early.", outcome = "retryable", error } = answer.failure ?? {};
  if (answer.status === "partial") return failureOf("partial", [message]);
  if (error !== undefined) return describeFailure(error);
  // Of an answer that broke off nothing had come: to whoever asked, the server was not there.
  return failureOf(outcome === "partial" ? "unavailable" : CAUSE_OF_OUTCOME[outcome], [message]);
}
