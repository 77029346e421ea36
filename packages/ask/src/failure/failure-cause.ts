/**
 * What went wrong with an answer, as far as people who only ask need to know. What the server said of it, its address
 * and advice about keys are for whoever set the connection up: they stand in `failure.message`.
 */
export type FailureCause = keyof typeof SENTENCES;

/** One sentence for each, for somebody who only asks. */
export const SENTENCES = {
  busy: "The language model is busy or out of reach at the moment. Ask again in a minute.",
  limit: "Too much has been asked for now. Ask again in a while.",
  unreachable: "The knowledge server cannot be reached at the moment. Ask again in a few minutes.",
  too_long: "The question and what comes with it are too long. Ask for less, or begin anew.",
  declined: "The knowledge server declined this question. Word it differently.",
  key: "The knowledge server does not let me ask at the moment. Whoever set this up has to look at it.",
  setup: "Something in the setup needs the attention of whoever runs this.",
  empty: "The knowledge server sent an empty answer. Ask again.",
  cut_off: "The answer broke off before it was complete. Ask again to get all of it.",
  session_lost: "The knowledge server no longer has this conversation. Ask again to begin a new one.",
  unexpected: "The knowledge server could not finish the answer. Ask again in a few minutes.",
};

/** By the codes of deployed servers (docs/wire.md, section 5), of the client, and of the system, such as `ECONNREFUSED`. */
const CAUSES: readonly (readonly [codes: RegExp, FailureCause])[] = [
  [/^(?:RATE_LIMIT|SERVICE_UNAVAILABLE|CONNECTION_ERROR)$/, "busy"],
  [/^(?:RATE_LIMITED|rate_limited)$/, "limit"],
  [/^(?:unavailable|E[A-Z]+)$/, "unreachable"],
  [/^(?:CONTEXT_TOO_LONG|REQUEST_TOO_LARGE)$/, "too_long"],
  [/^(?:CONTENT_POLICY|QUERY_REJECTED|VALIDATION_ERROR|BAD_REQUEST|UNPROCESSABLE_ENTITY|invalid)$/, "declined"],
  [/^(?:protocol|AUTH_ERROR|PERMISSION_DENIED|INSUFFICIENT_PERMISSIONS|BUDGET_EXCEEDED)$/, "setup"],
  [/^(?:NOT_FOUND|FEATURE_NOT_AVAILABLE)$/, "setup"],
  [/^EMPTY_LLM_RESPONSE$/, "empty"],
  [/^partial$/, "cut_off"],
  [/^session_lost$/, "session_lost"],
  // The key is not known, or no longer.
  [/^(?:auth$|forbidden$|UNAUTHENTICATED|UNAUTHORIZED|INVALID_TOKEN|TOKEN_EXPIRED|SESSION_)/, "key"],
];

/** What went wrong by a machine-readable word; whatever is not known is `unexpected`. */
export function causeOfCode(code: string): FailureCause {
  return CAUSES.find(([codes]) => codes.test(code))?.[1] ?? "unexpected";
}
