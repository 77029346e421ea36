import type { Answer } from "@threadlore/ask";

/**
 * What went wrong with an answer, as far as people who asked need to know. What the server said of it, addresses and
 * advice for whoever runs the bot are not for everybody in a channel: they go to the log, the channel for
 * administrators, and their Home.
 */
export type FailureClass =
  | "busy"
  | "unreachable"
  | "too_long"
  | "declined"
  | "setup"
  | "empty"
  | "cut_off"
  | "unexpected";

/** All that is said of a failure where others than administrators read: what happened, and what to do. */
export const FAILURE_SENTENCES: Readonly<Record<FailureClass, string>> = {
  busy: "Too much is being asked at the moment. Ask again in a while.",
  unreachable: "The knowledge server cannot be reached at the moment. Ask again in a few minutes.",
  too_long: "The question and what comes with it are too long. Ask for less, or begin a new thread.",
  declined: "The knowledge server declined this question. Word it differently.",
  setup: "Something in my setup needs the attention of whoever runs me.",
  empty: "The knowledge server sent an empty answer. Ask again.",
  cut_off: "The connection ended before the answer was complete. Ask again to get all of it.",
  unexpected: "The knowledge server could not finish the answer. Ask again in a few minutes.",
};

/** Codes of deployed servers and of the client; the system's (`ECONNREFUSED`) are told by their form. */
const CLASSES: ReadonlyMap<string, FailureClass> = new Map<string, FailureClass>([
  ["RATE_LIMIT", "busy"],
  ["RATE_LIMITED", "busy"],
  ["rate_limited", "busy"],
  ["unavailable", "unreachable"],
  ["SERVICE_UNAVAILABLE", "unreachable"],
  ["CONNECTION_ERROR", "unreachable"],
  ["CONTEXT_TOO_LONG", "too_long"],
  ["REQUEST_TOO_LARGE", "too_long"],
  ["CONTENT_POLICY", "declined"],
  ["QUERY_REJECTED", "declined"],
  ["VALIDATION_ERROR", "declined"],
  ["BAD_REQUEST", "declined"],
  ["UNPROCESSABLE_ENTITY", "declined"],
  ["invalid", "declined"],
  ["auth", "setup"],
  ["protocol", "setup"],
  ["AUTH_ERROR", "setup"],
  ["PERMISSION_DENIED", "setup"],
  ["INSUFFICIENT_PERMISSIONS", "setup"],
  ["BUDGET_EXCEEDED", "setup"],
  ["NOT_FOUND", "setup"],
  ["EMPTY_LLM_RESPONSE", "empty"],
  ["partial", "cut_off"],
]);

/** Which failure it is; whatever is not known is `unexpected`. */
export function failureClassOf({ status, failure }: Pick<Answer, "status" | "failure">): FailureClass {
  if (status === "partial") return "cut_off";
  if (failure === undefined) return "empty";
  const { code = "" } = failure;
  return CLASSES.get(code) ?? (/^E[A-Z]+$/.test(code) ? "unreachable" : "unexpected");
}

/** What is said of the failure of an answer, and when asking again can help. */
export function publicFailure(answer: Pick<Answer, "status" | "failure">): { message: string; retryAt?: string } {
  const retryAt = answer.failure?.retryAt;
  return {
    message: FAILURE_SENTENCES[failureClassOf(answer)],
    ...(retryAt === undefined ? {} : { retryAt }),
  };
}
