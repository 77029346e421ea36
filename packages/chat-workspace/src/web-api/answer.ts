import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Fault } from "../faults.ts";
import type { Parts } from "../workspace-parts.ts";
import { refusalsOf } from "../validator/refusals.ts";
import type { State, StoredToken } from "../state.ts";
import { requireScope, SlackError, text, type Call, type Method } from "./method.ts";
import type { Arguments } from "../fields.ts";
import { METHODS } from "./registry.ts";
import { inWords, refuseUnsound } from "./refusing.ts";
import { argumentsOf, bearerOf, readBody } from "./read-request.ts";

type Reply = Readonly<Record<string, unknown>>;

interface Outcome {
  readonly status: number;
  readonly reply: Reply;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers one call of the Web API. */
export async function answerCall(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const address = new URL(request.url ?? "/", parts.state.url);
  const method = decodeURIComponent(address.pathname.slice("/api/".length));
  const args = argumentsOf(request, address.searchParams, await readBody(request));
  const authorization = request.headers.authorization ?? "";
  const fault = parts.faults.take(method);
  if (fault?.kind === "delay" && fault.before) await wait(fault.ms, undefined, { ref: false });
  if (fault?.kind === "hold") {
    fault.came();
    await fault.released;
  }
  const breaches: string[] = [];
  const { token: _, ...told } = args;
  const refused = refusalsOf(method, told);
  const breach = (words: string): void => void breaches.push(words);
  const caller = { token: bearerOf(request, args), authorization, refusals: refused, breach };
  const outcome = outcomeOf(parts, method, args, caller, fault);
  const dropped = fault?.kind === "dropResponse";
  const refusals = refused.map(inWords);
  const status = dropped ? 0 : outcome.status;
  parts.record({ at: parts.state.now(), method, args: told, response: outcome.reply, status, refusals, breaches });
  if (dropped) {
    request.socket.destroy();
    return;
  }
  if (fault?.kind === "delay" && !fault.before) await wait(fault.ms, undefined, { ref: false });
  response.writeHead(outcome.status, { "content-type": "application/json; charset=utf-8", ...outcome.headers });
  response.end(JSON.stringify(outcome.reply));
}

/** Who calls, with a token or an app's own id and secret in the header, and what is to be said of that. */
interface Caller extends Pick<Call, "authorization" | "refusals" | "breach"> {
  readonly token: string | undefined;
}

function outcomeOf(parts: Parts, name: string, args: Arguments, caller: Caller, fault: Fault | undefined): Outcome {
  if (fault?.kind === "rateLimit") return limited(fault.retryAfterS);
  if (fault?.kind === "fail") return { status: fault.status, reply: { ok: false, error: "internal_error" } };
  try {
    if (fault?.kind === "refuse") throw new SlackError(fault.error, fault.fields);
    const method = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
    if (method === undefined) throw new SlackError("unknown_method", { req_method: name });
    const token = authenticate(parts.state, method, caller.token);
    const channel = text(args, "channel") ?? "";
    const seconds = parts.limits?.count(name, method.tier, channel, Date.now());
    if (seconds !== undefined) return limited(seconds);
    if (method.judges !== true) refuseUnsound(caller.refusals);
    const reply = method.run(args, { ...parts, ...caller, token });
    return { status: 200, reply: { ok: true, ...reply }, headers: { "x-oauth-scopes": token.scopes.join(",") } };
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    return { status: 200, reply: { ok: false, error: error.code, ...error.fields } };
  }
}

function limited(seconds: number): Outcome {
  return { status: 429, reply: { ok: false, error: "ratelimited" }, headers: { "retry-after": String(seconds) } };
}

const NOBODY: StoredToken = { value: "", kind: "config", scopes: [], revoked: false };

function authenticate(state: State, method: Method, given: string | undefined): StoredToken {
  const kind = method.token ?? "bot";
  if (kind === "none") return NOBODY;
  if (given === undefined) throw new SlackError("not_authed");
  const token = state.tokens.get(given);
  if (token === undefined) throw new SlackError("invalid_auth");
  // A token of the app itself belongs to no workspace and outlives the installation.
  if (!state.installed && token.kind === "bot") throw new SlackError("account_inactive");
  if (token.revoked) throw new SlackError("token_revoked");
  if (token.expiresAt !== undefined && token.expiresAt <= state.now()) throw new SlackError("token_expired");
  if (token.kind !== kind) throw new SlackError("not_allowed_token_type");
  const wanted = [method.scope ?? []].flat();
  if (wanted.length > 0) requireScope(token, wanted);
  return token;
}
