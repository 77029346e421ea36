import type { Outcome } from "@threadlore/client";
import { causeOfCode, type FailureCause } from "./failure-cause.ts";

/** Why there is no complete answer. Plain, JSON-safe data. */
export interface Failure {
  /** Plain words: what happened and what to do. Never holds a stack trace, a key or a header. */
  readonly message: string;
  /** The server's or the client's machine-readable word for it, where there is one. */
  readonly code?: string;
  /** True when asking again, unchanged, can help. */
  readonly retryable: boolean;
  /** When asking again can help, ISO 8601 in UTC; absent where the server did not say. Only with a limit that is reached. */
  readonly retryAt?: string;
  /** The client's word for how the call ended; absent where something happened that nobody expected. */
  readonly outcome?: Outcome;
  /** What went wrong, as far as people who only ask need to know. Absent in failures kept by earlier versions. */
  readonly cause?: FailureCause;
  /** The client's own error, where one ended the stream; not enumerable, so that it is kept and sent nowhere. */
  readonly error?: unknown;
}

interface ServerWords {
  readonly message: string;
  readonly retryable: boolean;
  /** The server's own text says which thing it was (which persona, which document set) and is worth showing. */
  readonly quote?: boolean;
}

const passing = (message: string): ServerWords => ({ message, retryable: true });
const lasting = (message: string): ServerWords => ({ message, retryable: false });
const quoting = (message: string): ServerWords => ({ message, retryable: false, quote: true });

const later = "Ask again in a minute.";
const administrator = "An administrator of the server has to look at its model settings.";

/**
 * The codes deployed servers put on an error line (docs/wire.md, section 1.2). Their `is_retryable` is true even for
 * requests that can never succeed, so for these codes the table decides.
 */
const SERVER_WORDS: ReadonlyMap<string, ServerWords> = new Map(
  Object.entries({
    RATE_LIMIT: passing(`The language model is busy (rate limit). ${later}`),
    RATE_LIMITED: passing(`Too many questions for now. ${later}`),
    AUTH_ERROR: lasting(`The server could not log in to its language model. ${administrator}`),
    PERMISSION_DENIED: lasting(`The server is not allowed to use the chosen language model. ${administrator}`),
    CONTEXT_TOO_LONG: lasting(
      "The question and its material are too long for the language model. Ask for less, or start anew.",
    ),
    REQUEST_TOO_LARGE: lasting("The question is too large for the language model. Shorten it."),
    CONTENT_POLICY: lasting(
      "The language model declined to answer because of its content rules. Word the question differently.",
    ),
    QUERY_REJECTED: quoting("The server declined this question."),
    BUDGET_EXCEEDED: lasting("The server's budget for the language model is used up. An administrator can raise it."),
    NOT_FOUND: lasting(`The language model asked for does not exist there. ${administrator}`),
    SERVICE_UNAVAILABLE: passing(`The language model is out of service at the moment. ${later}`),
    CONNECTION_ERROR: passing(`The server lost its connection to the language model. ${later}`),
    EMPTY_LLM_RESPONSE: passing("The language model returned no answer. Ask again."),
    VALIDATION_ERROR: quoting("The server could not use this question."),
    BAD_REQUEST: quoting("The language model could not use this question."),
    UNPROCESSABLE_ENTITY: quoting("The language model could not use this question."),
    INSUFFICIENT_PERMISSIONS: quoting("This key may not use what the question asks for."),
  }),
);

/** The failure an error line of the stream tells. */
export function failureFromServer(error: unknown, code: unknown, retryable: unknown): Failure {
  const known = typeof code === "string" ? SERVER_WORDS.get(code) : undefined;
  const words = firstLine(error);
  const says = known ?? { ...quoting("The server could not finish the answer."), retryable: retryable === true };
  return {
    message: says.quote === true && words !== "" ? `${says.message} It says: ${words}` : says.message,
    ...(typeof code === "string" && code !== "" ? { code } : {}),
    retryable: says.retryable,
    // The question was accepted, and then not answered.
    outcome: "retryable",
    cause: causeOfCode(typeof code === "string" ? code : ""),
  };
}

/** The first line of a server's text, at most 300 characters: the rest can be a trace. */
function firstLine(text: unknown): string {
  if (typeof text !== "string") return "";
  const line = text.trimStart().split(/[\r\n]/, 1)[0] ?? "";
  return line.length > 300 ? `${line.slice(0, 299)}…` : line.trimEnd();
}

/** What to say of an answer that broke off because the connection did. */
export const CUT_OFF: Failure = {
  message: "The answer broke off: the connection ended before it was complete. Ask again to get all of it.",
  code: "partial",
  retryable: true,
  outcome: "partial",
  cause: "cut_off",
};

/** What to say of an answer whose server ended in the middle of it. */
export const DIED: Failure = {
  ...CUT_OFF,
  message: "The server stopped in the middle of the answer. Ask again to get all of it.",
};

/** What to say of a question the server has no trace of. */
export const LEFT_UNANSWERED: Failure = {
  message: "The connection ended before the question had arrived. Ask again.",
  code: "unavailable",
  retryable: true,
  outcome: "unavailable",
  cause: "unreachable",
};

/** What to say of a follow-up in a session the server does not know: deleted, run out, or another account's. */
export const SESSION_LOST: Failure = {
  message: "The server no longer has this conversation. Ask again to begin a new one.",
  code: "session_lost",
  retryable: true,
  outcome: "retryable",
  cause: "session_lost",
};

/**
 * How deployed servers say that a session is gone (docs/wire.md, section 1.2), or that the
 * answer a follow-up names is on none of its branches any more.
 */
const SESSION_LOST_WORDS =
  /^(?:chat session has been deleted|invalid chat session id provided)|not on the latest mainline/i;

/** Whether a server's text says that it does not know the session it was named. */
export function saysSessionLost(text: unknown): boolean {
  return typeof text === "string" && SESSION_LOST_WORDS.test(text.trim());
}
