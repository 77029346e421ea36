import { type Answer, askerWords, failureOf } from "@threadlore/ask";
import { ClientError, InvalidRequestError, NotFoundError, RateLimitError, UnsupportedError } from "@threadlore/client";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Telling } from "./telling.ts";
import { quotedLine } from "./quoted-text.ts";

/** A tool's result that says what went wrong, and what to do. */
export function failed(words: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text: words }] };
}

/** What was thrown, in words for whoever asked; throws on what is no failure of a call. */
export function failureText(error: unknown): string {
  if (!(error instanceof ClientError)) throw error;
  const said = quotedLine(error.message);
  if (error.outcome === "auth") {
    return `${said} Whoever set up this connection can look with \`threadlore doctor\`, and set another key.`;
  }
  if (error instanceof RateLimitError && error.retryAt !== undefined) {
    return `${said} It can be tried again at ${error.retryAt.toISOString()}.`;
  }
  if (error instanceof InvalidRequestError && error.issues.length > 0) {
    const places = error.issues.slice(0, 5).map(({ loc, msg }) => quotedLine(`${loc.join(".")}: ${msg}`));
    return places.every((place) => said.includes(place)) ? said : `${said} ${places.join("; ")}`;
  }
  if (error instanceof NotFoundError) return error.host === undefined ? said : NOT_FOUND;
  if (error instanceof UnsupportedError) return `This server does not offer this. ${said}`;
  return said;
}

/** Which of the two it is, servers do not tell. */
const NOT_FOUND = "What was named is not there, or this key may not see it.";

/** The same for somebody who only asks: what happened and what to do, without hosts, keys or the server's own words. */
export function publicFailureText(error: unknown): string {
  if (error instanceof NotFoundError) return NOT_FOUND;
  return askerWords({ status: "failed", failure: failureOf(error) });
}

/** Why an answer did not come, or not to its end. */
export function answerFailureText(answer: Answer, { report, isShared }: Telling): string {
  const { failure } = answer;
  if (isShared) {
    report(failure?.error ?? new Error(failure?.message));
    return askerWords(answer);
  }
  if (failure?.error instanceof ClientError) return failureText(failure.error);
  return failure?.message === undefined ? askerWords(answer) : quotedLine(failure.message);
}
