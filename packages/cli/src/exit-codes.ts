import { ClientError, type Outcome } from "@threadlore/client";

/** What every command's exit code says: one code per thing a caller can do about it. README and `--help` print it. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: "done" },
  unexpected: { code: 1, meaning: "a mistake in threadlore itself; please report it" },
  usage: { code: 2, meaning: "wrong arguments, settings or files; change them first" },
  partial: { code: 3, meaning: "the answer ended early; what came is printed" },
  auth: { code: 4, meaning: "the key is missing, wrong, or may not do this" },
  invalid: { code: 5, meaning: "the server refused the request's content" },
  rateLimited: { code: 6, meaning: "a rate limit is used up; try later" },
  unavailable: { code: 7, meaning: "the server did not answer" },
  protocol: { code: 8, meaning: "the reply is not this interface: usually a wrong address" },
  documentsFailed: { code: 9, meaning: "some documents were refused or failed" },
  answerFailed: { code: 10, meaning: "the server accepted the question and failed to answer it" },
  checkFailed: { code: 11, meaning: "doctor found something to fix" },
  unconfirmed: {
    code: 12,
    meaning: "some documents were accepted, but not found yet; the same command sends them again",
  },
  testsFailed: { code: 13, meaning: "answers were not as their tests say they must be" },
  interrupted: { code: 130, meaning: "stopped by Ctrl-C" },
} as const;

export type ExitCause = keyof typeof EXIT_CODES;

/** Where a command leaves its exit code, since commander's actions return nothing. */
export interface Exit {
  code: number;
}

/** Throws one UsageError that lists every problem; none where there is none. */
export function throwProblems(problems: readonly string[]): void {
  const [first, ...rest] = problems;
  if (first !== undefined) throw new UsageError(first, ...rest);
}

/** What a command ends with, by the client's word for how a call ended. */
export const CAUSE_OF_OUTCOME: Record<Outcome, ExitCause> = {
  partial: "partial",
  retryable: "answerFailed",
  auth: "auth",
  invalid: "invalid",
  rate_limited: "rateLimited",
  unavailable: "unavailable",
  protocol: "protocol",
  aborted: "interrupted",
};

/** Told by name, so that commands which need no embedded service do not load it (0.3 s). */
const SERVICE_PROBLEMS = new Set(["DatabaseError", "PortTakenError", "FetchRefusedError"]);

/** Why a failure ends the command: the client's own outcomes, wrong usage, or a mistake of ours. */
export function causeOf(error: unknown): ExitCause {
  if (error instanceof ClientError) return CAUSE_OF_OUTCOME[error.outcome];
  if (error instanceof UsageError || (error instanceof Error && SERVICE_PROBLEMS.has(error.name))) return "usage";
  if (error instanceof InterruptedError) return "interrupted";
  return "unexpected";
}

/** Arguments or settings a person must change. `problems` lists every one of them, not only the first. */
export class UsageError extends Error {
  readonly problems: readonly string[];

  constructor(...problems: [string, ...string[]]) {
    super(problems.join("\n"));
    this.name = "UsageError";
    this.problems = problems;
  }
}

/** Ctrl-C, or SIGTERM. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
}
