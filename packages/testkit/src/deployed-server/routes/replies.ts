import type { Question } from "../answer/question.ts";
import type { Settings } from "../world/settings.ts";

/** A reply that is known when it is sent. */
export interface DoubleReply {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** The question it answers in one piece. */
  question?: Question;
}

/** A JSON reply, as the service writes it: UTF-8 and without spaces. */
export function json(value: unknown, status = 200, headers: Record<string, string> = {}): DoubleReply {
  const own = { "content-type": "application/json", vary: "Origin" };
  return { status, headers: { ...own, ...headers }, body: JSON.stringify(value) };
}

/** A refusal of the framework: only a sentence. */
export function detail(status: number, text: string): DoubleReply {
  return json({ detail: text }, status);
}

/** A refusal of the service's own kind: a code and a sentence. */
export function coded(status: number, code: string, text: string): DoubleReply {
  return json({ error_code: code, detail: text }, status);
}

/** A value that was refused deep inside: 400 and a sentence under another name. */
export function refusedValue(text: string): DoubleReply {
  return json({ message: text }, 400);
}

/** A failure nobody caught. Such replies lack the usual headers. */
export function broken(text: string): DoubleReply {
  return { status: 500, headers: { "content-type": "application/json" }, body: JSON.stringify({ detail: text }) };
}

/** What the proxy says for a server that is away. */
export function gatewayPage(status: 502 | 503 | 504): DoubleReply {
  const reason = { 502: "Bad Gateway", 503: "Service Temporarily Unavailable", 504: "Gateway Time-out" }[status];
  const text = `${status} ${reason}`;
  const body = ["<html>", `<head><title>${text}</title></head>`, "<body>", `<center><h1>${text}</h1></center>`];
  const page = [...body, "<hr><center>nginx</center>", "</body>", "</html>", ""].join("\r\n");
  return { status, headers: { "content-type": "text/html" }, body: page };
}

/** Lines that are all there is of a stream. */
export function finishedStream(body: string): DoubleReply {
  return { status: 200, headers: { "content-type": "text/event-stream; charset=utf-8", vary: "Origin" }, body };
}

const page =
  '<!DOCTYPE html><html lang="en"><head><meta charSet="utf-8"/><title>Chat</title></head><body><div id="root"></div></body></html>';

const noProxy =
  "This API is only available in development mode. In production, something else (e.g. nginx) should handle this.";

/**
 * What stands outside `/api`: the pages of the web front end. Those for people who are logged in send everybody else to
 * the login page, whatever the method; any other path gets a page and 200.
 */
export function frontEndReply(path: string, { frontEnd }: Settings): DoubleReply {
  if (frontEnd === "down") return gatewayPage(502);
  if (frontEnd === "unproxied" && path.startsWith("/api/"))
    return { ...json({ message: noProxy }, 404), headers: { "content-type": "application/json" } };
  if (/^\/($|me$|chat|app|admin|persona|manage|onyx-api|search|user|tool)/.test(path))
    return { status: 307, headers: { location: "/auth/login", "content-type": "text/plain" }, body: "" };
  return { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: page };
}
