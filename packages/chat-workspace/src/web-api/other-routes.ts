import type { IncomingMessage, ServerResponse } from "node:http";
import { isObject, parseJson } from "../fields.ts";
import { refusalsOf } from "../validator/refusals.ts";
import { showReply, spendResponseUrl } from "../response-urls.ts";
import type { Parts } from "../workspace-parts.ts";
import { appSees } from "./files.ts";
import { bearerOf, readBody } from "./read-request.ts";
import { inWords } from "./refusing.ts";

type Route = (parts: Parts, request: IncomingMessage, response: ServerResponse, address: URL) => Promise<void>;

/** What the platform serves beside its methods, by the first part of the path. */
const ROUTES: Readonly<Record<string, Route>> = {
  upload: takeUpload,
  files: sendFile,
  response: takeResponse,
  oauth: authorize,
};

/** Answers a request for a file, to a response_url or to be authorized. Returns whether it was one. */
export async function answerOther(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const address = new URL(request.url ?? "/", parts.state.url);
  const [, first = ""] = address.pathname.split("/");
  const route = Object.hasOwn(ROUTES, first) ? ROUTES[first] : undefined;
  await route?.(parts, request, response, address);
  return route !== undefined;
}

function say(response: ServerResponse, status: number, text: string, type = "text/plain"): void {
  response.writeHead(status, { "content-type": `${type}; charset=utf-8` }).end(text);
}

/** Bytes of a file the app announced; raw, or the first part of a form. */
async function takeUpload({ state }: Parts, request: IncomingMessage, response: ServerResponse, address: URL) {
  const [, , id = "", ticket] = address.pathname.split("/");
  const file = state.files.get(id);
  const body = await readBody(request);
  if (file?.uploadTicket === undefined || file.uploadTicket !== ticket) return say(response, 404, "not found");
  const [, boundary] = /boundary="?([^";]+)/.exec(request.headers["content-type"] ?? "") ?? [];
  const content = boundary === undefined ? body : firstPart(body, boundary);
  if (content.byteLength !== file.expectedLength) return say(response, 400, `length mismatch: ${content.byteLength}`);
  file.content = content;
  state.changed();
  return say(response, 200, `OK - ${content.byteLength}`);
}

function firstPart(body: Buffer, boundary: string): Buffer {
  const begin = body.indexOf("\r\n\r\n") + 4;
  const end = body.indexOf(`\r\n--${boundary}`, begin);
  return body.subarray(begin, end < 0 ? undefined : end);
}

/** Without a token that may read it, the answer is a page to sign in, and its status says nothing of that. */
async function sendFile({ state }: Parts, request: IncomingMessage, response: ServerResponse, address: URL) {
  const [, , place = ""] = address.pathname.split("/");
  const file = state.files.get(place.split("-").at(-1) ?? "");
  const token = state.tokens.get(bearerOf(request, {}) ?? "");
  const mayRead = token?.kind === "bot" && !token.revoked && state.installed && token.scopes.includes("files:read");
  if (file?.content === undefined || !mayRead || !appSees(state, file)) {
    return say(response, 200, "<!DOCTYPE html><title>Sign in</title><p>Sign in to see this file.</p>", "text/html");
  }
  const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`;
  response.writeHead(200, { "content-type": file.mimetype, "content-disposition": disposition });
  response.end(file.content);
  return undefined;
}

async function takeResponse(parts: Parts, request: IncomingMessage, response: ServerResponse, address: URL) {
  const body = parseJson((await readBody(request)).toString("utf8"));
  const reply = isObject(body) ? body : {};
  const place = spendResponseUrl(parts.state, address.pathname);
  const refusals = refusalsOf("response_url", reply).map(inWords);
  const error = typeof place === "string" ? place : refusals.length > 0 ? "invalid_payload" : undefined;
  const breaches: string[] = [];
  if (typeof place !== "string" && error === undefined) showReply(parts, place, reply, (words) => breaches.push(words));
  const status = error === undefined ? 200 : error === "invalid_payload" ? 400 : 404;
  const answer = error === undefined ? { ok: true } : { ok: false, error };
  const at = parts.state.now();
  parts.record({ at, method: "response_url", args: reply, response: answer, status, refusals, breaches });
  return say(response, status, error === undefined ? "ok" : JSON.stringify(answer), "application/json");
}

/** Somebody agrees to the installation at once and is sent back with a code. */
async function authorize({ state }: Parts, _request: IncomingMessage, response: ServerResponse, address: URL) {
  const wanted = address.searchParams;
  const redirectUri = wanted.get("redirect_uri") ?? "";
  if (address.pathname !== "/oauth/v2/authorize") return say(response, 404, "not found");
  if (wanted.get("client_id") !== state.credentials.clientId) return say(response, 400, "Invalid client_id parameter");
  if (!URL.canParse(redirectUri)) return say(response, 400, "redirect_uri did not match any configured URIs");
  const code = `${state.digits(12)}.${state.hex(32)}`;
  state.codes.set(code, { redirectUri });
  const back = new URL(redirectUri);
  back.searchParams.set("code", code);
  back.searchParams.set("state", wanted.get("state") ?? "");
  response.writeHead(302, { location: back.href }).end();
  return undefined;
}
