import type { ValidationError } from "@threadlore/client/models";

/**
 * A refusal the service answers with: the status, and the body the caller can read.
 * Status 422 always carries the documented HTTPValidationError; every other status `{error_code, detail}`.
 */
export class Problem extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: Record<string, unknown>, headers: Record<string, string> = {}) {
    super(typeof body["detail"] === "string" ? body["detail"] : `status ${status}`);
    this.name = "Problem";
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** A refusal with a machine-readable code and one plain sentence. */
export function refusal(status: number, code: string, detail: string, headers?: Record<string, string>): Problem {
  return new Problem(status, { error_code: code, detail }, headers);
}

/** Entries of one refusal, unless told otherwise: a thousand equal ones help nobody. */
const MAX_ERRORS = 20;

/** Status 422 in the documented shape (specification section 2, "Validation error"). */
export function invalid(errors: ValidationError | readonly ValidationError[], most: number = MAX_ERRORS): Problem {
  return new Problem(422, { detail: [errors].flat().slice(0, most) });
}

/** One entry of a 422: `loc` starts with `body`, `path` or `query`. */
export function validationError(loc: (string | number)[], msg: string, type = "value_error"): ValidationError {
  return { loc, msg, type };
}

/** What is said where something cannot be kept for want of room. */
export function noRoom(): Problem {
  return refusal(
    507,
    "INSUFFICIENT_STORAGE",
    "The service's disk is full: nothing was stored. What it knows can still be asked. Make room, then try again.",
  );
}
