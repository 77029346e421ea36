import { createHmac } from "node:crypto";
import type { State } from "../state.ts";
import type { SigningOptions } from "../workspace.ts";
import { isObject, parseJson } from "../fields.ts";
import { Undelivered, type Envelope, type Transport } from "./envelope.ts";

/** An event is acknowledged within this, milliseconds. */
const ACK_MS = 3_000;

/** Posts to the app's address, signed over the exact bytes. Rejects as `fetch` does. */
export async function postSigned(
  url: string,
  secret: string,
  body: string,
  { contentType = "application/json", timestamp = Math.floor(Date.now() / 1000), ...options }: SigningOptions = {},
  timeoutMs = options.timeoutMs ?? ACK_MS,
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  const signed = createHmac("sha256", options.secret ?? secret)
    .update(`v0:${timestamp}:${body}`)
    .digest("hex");
  const headers = {
    "content-type": contentType,
    "x-slack-request-timestamp": String(timestamp),
    "x-slack-signature": `v0=${signed}`,
    "user-agent": "Slackbot 1.0 (loopback)",
    ...options.headers,
  };
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method: "POST", body, headers, redirect: "manual", signal });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Signed HTTP: events as JSON, commands as a form, interactions as a form with JSON inside. */
export function signedHttp(state: State, url: string, ackTimeoutMs: number): Transport {
  return async (envelope) => {
    const { contentType, body } = written(envelope);
    const retry = { "x-slack-retry-num": String(envelope.attempt), "x-slack-retry-reason": envelope.reason };
    const options = { contentType, headers: envelope.attempt > 0 ? retry : {} };
    const { signingSecret } = state.credentials;
    const answer = await postSigned(url, signingSecret, body, options, ackTimeoutMs).catch(unreached);
    if (answer.status >= 200 && answer.status < 300) return replyIn(answer.text);
    const final = answer.headers.get("x-slack-no-retry") === "1";
    throw new Undelivered(answer.status >= 300 && answer.status < 400 ? "too_many_redirects" : "http_error", { final });
  };
}

function unreached(error: unknown): never {
  const slow = error instanceof Error && error.name === "TimeoutError";
  throw new Undelivered(slow ? "http_timeout" : "connection_failed");
}

function written({ kind, body }: Envelope): { contentType: string; body: string } {
  if (kind === "events_api") return { contentType: "application/json", body: JSON.stringify(body) };
  const fields = kind === "interactive" ? { payload: JSON.stringify(body) } : body;
  const form = new URLSearchParams(
    Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return { contentType: "application/x-www-form-urlencoded", body: form.toString() };
}

/** An answer may be JSON, plain text or nothing. */
function replyIn(text: string): Record<string, unknown> {
  if (text.trim() === "") return {};
  const parsed = parseJson(text);
  return isObject(parsed) ? parsed : { text };
}
