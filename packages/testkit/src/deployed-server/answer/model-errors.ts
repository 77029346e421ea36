/** What a server says when the model fails with a code, and whether it may be tried again. */
const known: Record<string, { message: string; retryable: boolean }> = {
  RATE_LIMIT: { message: "Rate limit exceeded: Please slow down your requests and try again later.", retryable: true },
  AUTH_ERROR: { message: "Authentication failed: Please check your API key and credentials.", retryable: false },
  PERMISSION_DENIED: { message: "Permission denied: You don't have access to this model.", retryable: false },
  CONTEXT_TOO_LONG: {
    message: "Context window exceeded: Your input is too long for the model to process.",
    retryable: false,
  },
  CONTENT_POLICY: { message: "Content policy violation: Your request violates the content policy.", retryable: false },
  BAD_REQUEST: { message: "Bad request: The model refused it.", retryable: true },
  NOT_FOUND: { message: "Resource not found: model not found", retryable: false },
  BUDGET_EXCEEDED: {
    message: "Budget exceeded: You've exceeded your allocated budget for API usage.",
    retryable: false,
  },
  SERVICE_UNAVAILABLE: { message: "Service unavailable: The model is temporarily unavailable.", retryable: true },
  CONNECTION_ERROR: {
    message: "API connection error: Failed to connect to the API. Please check your internet connection.",
    retryable: true,
  },
  API_ERROR: { message: "API error: An unexpected error occurred.", retryable: true },
  EMPTY_LLM_RESPONSE: {
    message:
      "The selected model returned no final answer before the stream completed. No text or tool calls were received " +
      "from the upstream provider.",
    retryable: true,
  },
};

/** Ends an answer with an error line. */
export class ModelError extends Error {
  readonly code: string;

  constructor(code: string, message?: string) {
    super(message ?? known[code]?.message ?? "An unexpected error occurred.");
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
    is_retryable: known[code]?.retryable ?? true,
    details: { model: "scripted", provider: "openai_compatible", model_index: 0, ...empty },
  };
}

/** The only line of a question that could not even be begun. */
export function setupFailure(error: string, error_code: string): Record<string, unknown> {
  return { error, stack_trace: null, error_code, is_retryable: error_code === "VALIDATION_ERROR", details: null };
}
