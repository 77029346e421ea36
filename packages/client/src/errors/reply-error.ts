import { readable, readErrorBody, type ErrorBody } from "./error-body.ts";
import {
  AuthError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  ProtocolError,
  RateLimitError,
  UnavailableError,
  UnsupportedError,
  WrongBaseUrlError,
  type ClientError,
  type ReplyFacts,
} from "./errors.ts";
import { retryAfterMs, retryMoment, untilWords } from "../http/retry-after.ts";

/** A reply that is no success, read to its end. */
export interface FailedReply {
  status: number;
  headers: Headers;
  /** The body's text; empty when it could not be read. */
  body: string;
  /** Host and port the call went to. */
  host: string;
  /** `POST /chat/send-chat-message`, as a person would name the call. */
  operation: string;
}

/** A failed reply as the error a caller acts on, and how long the server asks to wait. */
export interface Refusal {
  error: ClientError;
  /** Milliseconds; undefined when the server did not say. */
  waitMs: number | undefined;
}

/** Turns a failed reply into a typed error (docs/wire.md, section 5). Total: every status and body gives one. */
export function refusalOf(reply: FailedReply): Refusal {
  const body = readErrorBody(reply.body);
  const html = body.html || (reply.headers.get("content-type") ?? "").toLowerCase().startsWith("text/html");
  const waitMs = retryAfterMs(reply.headers, body);
  return { error: errorOf(reply, { ...body, html }), waitMs };
}

function errorOf(reply: FailedReply, body: ErrorBody): ClientError {
  const { status, host, operation } = reply;
  const facts: ReplyFacts = { status, host, code: body.code };
  const says = wordsOf(body.text);

  if (status === 429) return rateLimited(reply, body, facts);
  if (status >= 500 && status !== 501) return serverFailed(reply, body, facts);
  if (status === 408 || status === 425) {
    const message = `The server at ${host} was not ready for the call (${status}). Try again.`;
    return new UnavailableError(message, false, facts);
  }
  if (status === 407) {
    // No server says this: calls that are not encrypted are the proxy's to answer.
    const message = `A proxy on the way to ${host} wants a name and a password, or does not take those it was given (407). Check HTTP_PROXY.`;
    return new UnavailableError(message, false, facts);
  }
  if (status === 401) return notSignedIn(host, says, facts);
  if (status === 413) {
    return new InvalidRequestError(`${host} refuses the call as too large (413). Send less at once.`, [], facts);
  }
  if (body.html || body.text.includes("only available in development mode")) return wrongBaseUrl(host, status, facts);
  if (status === 403) {
    if (isAboutSigningIn(body)) return notSignedIn(host, says, facts);
    const message = `This key may not do that on ${host} (403). Ask an administrator for a key that may.${says}`;
    return new PermissionError(message, facts);
  }
  if (status === 501 || status === 402) {
    const message = `The server at ${host} does not offer this (${operation}).${safeWords(body.text)}`;
    return new UnsupportedError(message, facts);
  }
  if (status === 405 || (status === 404 && isUnknownRoute(body))) {
    const message = `The server at ${host} does not know ${operation} (${status}). Check the base URL and the profile's paths.`;
    return new UnsupportedError(message, facts);
  }
  if (status === 404) return new NotFoundError(`${host} does not know what was asked for (404).${says}`, facts);
  if (status >= 400) {
    return new InvalidRequestError(`The server at ${host} refused the request (${status}).${says}`, body.issues, facts);
  }
  return new ProtocolError(`The server at ${host} answered ${operation} with the unexpected status ${status}.`, facts);
}

/** Whose budget is used up, by the server's word for it (docs/wire.md, section 5). */
const WHOSE_LIMIT: ReadonlyMap<string | undefined, (host: string) => string> = new Map([
  ["global", (host) => `The usage limit that everybody on ${host} shares`],
  ["user", (host) => `The usage limit of this account on ${host}`],
  ["user_group", (host) => `The usage limit of this account's group on ${host}`],
]);

function rateLimited({ headers, host }: FailedReply, body: ErrorBody, facts: ReplyFacts): RateLimitError {
  const retryAt = retryMoment(headers, body);
  const whose = WHOSE_LIMIT.get(body.scope)?.(host) ?? `A usage limit on ${host}`;
  const when = retryAt === undefined ? "later" : untilWords(retryAt);
  return new RateLimitError(`${whose} is reached. Try again ${when}.`, { retryAt, scope: body.scope }, facts);
}

function serverFailed({ status, host }: FailedReply, body: ErrorBody, facts: ReplyFacts): UnavailableError {
  // A 503 comes before the work, and so does 507. After any other failure nobody knows how far the server got.
  const beforeWork = status === 503 || status === 507;
  const words = (beforeWork && safeWords(body.text)) || " Its log says why.";
  const message = body.html
    ? `The gateway of ${host} cannot reach the service behind it (${status}). If this stays, check the base URL.`
    : `The server at ${host} failed (${status}).${words}`;
  return new UnavailableError(message, !beforeWork, facts);
}

function notSignedIn(host: string, says: string, facts: ReplyFacts): AuthError {
  // The embedded service's: the key is right, and another one would be as much worth.
  if (facts.code === "SIGN_IN_AGAIN") return new AuthError(`${host} does not accept this key for now.${says}`, facts);
  return new AuthError(`${host} does not accept this key (${facts.status}). Check it, or get a new one.${says}`, facts);
}

/** A web page or a redirect instead of the service. `where` is a host a redirect pointed to. */
export function wrongBaseUrl(host: string, status: number, facts: ReplyFacts, where?: string): WrongBaseUrlError {
  const what = where === undefined ? "a web page" : `a redirect to ${where}`;
  return new WrongBaseUrlError(
    `${host} answered with ${what} (${status}) where the service was expected. The base URL probably points at a ` +
      "website: try it with /api at the end, and with https://.",
    facts,
  );
}

function isAboutSigningIn({ code = "", text }: ErrorBody): boolean {
  if (/^(UNAUTHENTICATED|UNAUTHORIZED|INVALID_TOKEN|TOKEN_EXPIRED|SESSION_)/.test(code)) return true;
  return code === "" && /not authenticated|unauthorized|invalid (api )?(key|token)|session (has )?expired/i.test(text);
}

function isUnknownRoute({ code, text }: ErrorBody): boolean {
  return code === undefined && /^(404: )?not found$/i.test(text);
}

/**
 * A server's own words about a failure of its own, where they are one short sentence. Anything that smells of a stack
 * trace, a query or a path is left out: details of 5xx have held whole SQL statements.
 */
function safeWords(text: string): string {
  const isUnsafe = /traceback|exception|error:|select |insert |\bat \w+[.(]|file "|[\\/]\w+[\\/]|::|[{}<>]/i.test(text);
  return text.length > 200 || isUnsafe ? "" : wordsOf(text);
}

/** What a server says, to stand behind a sentence of ours. */
function wordsOf(text: string): string {
  if (text === "") return "";
  const words = readable(text);
  return ` It says: ${words}${/[.!?…]$/.test(words) ? "" : "."}`;
}
