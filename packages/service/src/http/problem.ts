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

/** Where in a request something is, from `body`, `path` or `query`: `["body", "definition", "paths", "/pets", "get"]`. */
export type JsonPath = readonly (string | number)[];

/** What is told of one request: a thousand equal entries help nobody. */
const MAX_PROBLEMS = 20;

/** Everything that is wrong with a request, in the order it was looked for. */
export class Problems {
  readonly list: ValidationError[] = [];

  add(loc: JsonPath, msg: string, type = "value_error"): undefined {
    if (!this.full) this.list.push({ loc: [...loc], msg, type });
  }

  get full(): boolean {
    return this.list.length >= MAX_PROBLEMS;
  }

  /** Status 422 in the documented shape (specification section 2, "Validation error"). */
  refusal(): Problem {
    return new Problem(422, { detail: this.list });
  }

  /** Throws the refusal if there is anything. */
  check(): void {
    if (this.list.length > 0) throw this.refusal();
  }
}

/** Status 422 for one thing that is wrong. */
export function invalid(loc: JsonPath, msg: string, type = "value_error"): Problem {
  return new Problem(422, { detail: [{ loc, msg, type }] });
}

/** What is said where something cannot be kept for want of room. */
export function noRoom(): Problem {
  return refusal(
    507,
    "INSUFFICIENT_STORAGE",
    "The service's disk is full: nothing was stored. What it knows can still be asked. Make room, then try again.",
  );
}
