import type { ValidationError } from "../models.ts";

/** How a call can end, one word for each thing a caller can do about it (docs/threats.md, section 3). */
export type Outcome =
  | "partial"
  | "retryable"
  | "auth"
  | "invalid"
  | "rate_limited"
  | "unavailable"
  | "protocol"
  | "aborted";

/** Facts about the reply an error was made from. Never holds the key, headers, or a server's stack trace. */
export interface ReplyFacts {
  /** HTTP status; absent when no reply came. */
  status?: number;
  /**
   * The server's own machine-readable code, where it sends one (`RATE_LIMITED`, `VALIDATION_ERROR`, …); the system's,
   * where no connection could be made (`ECONNREFUSED`, …).
   */
  code?: string;
  /** Host and port the call went to. */
  host?: string;
}

/** Base of everything the client throws. `message` is plain words a person can act on. */
export abstract class ClientError extends Error {
  abstract readonly outcome: Outcome;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly host: string | undefined;

  constructor(message: string, facts: ReplyFacts = {}, options?: ErrorOptions) {
    super(message, options);
    this.status = facts.status;
    this.code = facts.code;
    this.host = facts.host;
  }
}

/** The key is missing, wrong or expired. Deployed servers say so with 403 as well as 401. */
export class AuthError extends ClientError {
  override readonly name: string = "AuthError";
  readonly outcome = "auth";
}

/** The key is good but may not do this (for example an ordinary key that ingests). */
export class PermissionError extends ClientError {
  override readonly name: string = "PermissionError";
  readonly outcome = "auth";
}

/** The server refused the request's content. `issues` says where and why; empty when the server gave only text. */
export class InvalidRequestError extends ClientError {
  override readonly name: string = "InvalidRequestError";
  readonly outcome = "invalid";
  readonly issues: readonly ValidationError[];

  constructor(message: string, issues: readonly ValidationError[] = [], facts?: ReplyFacts, options?: ErrorOptions) {
    super(message, facts, options);
    this.issues = issues;
  }

  /** For one fault in what the caller gave, before anything is sent. */
  static at(loc: ValidationError["loc"], msg: string, type = "value_error"): InvalidRequestError {
    return new InvalidRequestError(msg, [{ loc, msg, type }]);
  }
}

/** What was asked for does not exist: an unknown session, document, connector. */
export class NotFoundError extends ClientError {
  override readonly name: string = "NotFoundError";
  readonly outcome = "invalid";
}

/** The server is healthy but does not offer this operation. */
export class UnsupportedError extends ClientError {
  override readonly name: string = "UnsupportedError";
  readonly outcome = "invalid";
}

/** A budget is used up. Waits of up to a minute are sat out by the client; this one is longer, or was not told. */
export class RateLimitError extends ClientError {
  override readonly name: string = "RateLimitError";
  readonly outcome = "rate_limited";
  /** When to try again, by the server's word; absent when it did not say. */
  readonly retryAt: Date | undefined;
  /** Whose budget: `user`, `user_group` or `global`, where the server says. */
  readonly scope: string | undefined;

  constructor(message: string, limit: { retryAt?: Date; scope?: string }, facts?: ReplyFacts) {
    super(message, facts);
    this.retryAt = limit.retryAt;
    this.scope = limit.scope;
  }
}

/** No usable reply: refused, cut, timed out, or a server error. */
export class UnavailableError extends ClientError {
  override readonly name: string = "UnavailableError";
  readonly outcome = "unavailable";
  /** True when the server may have carried the request out all the same, so that repeating it could do it twice. */
  readonly maybeProcessed: boolean;

  constructor(message: string, maybeProcessed: boolean, facts?: ReplyFacts, options?: ErrorOptions) {
    super(message, facts, options);
    this.maybeProcessed = maybeProcessed;
  }
}

/** The reply is not what the interface promises: HTML, a redirect elsewhere, broken JSON, an oversized event. */
export class ProtocolError extends ClientError {
  override readonly name: string = "ProtocolError";
  readonly outcome = "protocol";
}

/** HTML or a redirect came where JSON was due: the base URL points at a website, usually for want of `/api`. */
export class WrongBaseUrlError extends ProtocolError {
  override readonly name: string = "WrongBaseUrlError";
}

/** The stream ended before the answer did. What came before it was delivered and stands. */
export class PartialAnswerError extends ClientError {
  override readonly name: string = "PartialAnswerError";
  readonly outcome = "partial";
}

/** The server accepted the message, then failed to answer it: status 200 with `error_msg`, or an error line. */
export class AnswerFailedError extends ClientError {
  override readonly name: string = "AnswerFailedError";
  readonly outcome = "retryable";
  /** What had been answered by then; often empty. */
  readonly partialAnswer: string;

  constructor(message: string, partialAnswer: string, facts?: ReplyFacts) {
    super(message, facts);
    this.partialAnswer = partialAnswer;
  }
}

/** The caller's own signal ended the call. */
export class AbortedError extends ClientError {
  override readonly name: string = "AbortedError";
  readonly outcome = "aborted";
}
