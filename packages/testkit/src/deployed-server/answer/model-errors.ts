/** What a server says when the model fails with a code. */
const known: Record<string, string> = {
  RATE_LIMIT: "Rate limit exceeded: Please slow down your requests and try again later.",
  AUTH_ERROR: "Authentication failed: Please check your API key and credentials.",
  PERMISSION_DENIED: "Permission denied: You don't have access to this model.",
  CONTEXT_TOO_LONG: "Context window exceeded: Your input is too long for the model to process.",
  CONTENT_POLICY: "Content policy violation: Your request violates the content policy.",
  BAD_REQUEST: "Bad request: The model refused it.",
  NOT_FOUND: "Resource not found: model not found",
  BUDGET_EXCEEDED: "Budget exceeded: You've exceeded your allocated budget for API usage.",
  SERVICE_UNAVAILABLE: "Service unavailable: The model is temporarily unavailable.",
  CONNECTION_ERROR: "API connection error: Failed to connect to the API. Please check your internet connection.",
  API_ERROR: "API error: An unexpected error occurred.",
  EMPTY_LLM_RESPONSE:
    "The selected model returned no final answer before the stream completed. No text or tool calls were received " +
    "from the upstream provider.",
};

/** Codes of failures that trying again does not mend. */
const LASTING = [
  "AUTH_ERROR",
  "PERMISSION_DENIED",
  "CONTEXT_TOO_LONG",
  "CONTENT_POLICY",
  "NOT_FOUND",
  "BUDGET_EXCEEDED",
];

/** Ends an answer with an error line. */
export class ModelError extends Error {
  readonly code: string;

  constructor(code: string, message?: string) {
    super(message ?? known[code] ?? "An unexpected error occurred.");
    this.code = code;
  }
}

/** The error line of a failure while answering. */
export function failureLine({ code, message }: ModelError): Record<string, unknown> {
  const empty = code === "EMPTY_LLM_RESPONSE" ? { tool_choice: "auto", finish_reason: "stop" } : {};
  return {
    error: message,
    stack_trace: `Traceback (most recent call last):\n  File "/app/onyx/chat/process_message.py", line 1390, in _run_model\n    run_llm_loop(\n${code}: ${message}\n`,
    error_code: code,
    is_retryable: !LASTING.includes(code),
    details: { model: "scripted", provider: "openai_compatible", model_index: 0, ...empty },
  };
}

/** The only line of a question that could not even be begun. */
export function setupFailure(error: string, error_code: string): Record<string, unknown> {
  return { error, stack_trace: null, error_code, is_retryable: error_code === "VALIDATION_ERROR", details: null };
}
