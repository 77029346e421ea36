import type { IncomingMessage, ServerResponse } from "node:http";
import { deliver } from "../answer/delivery.ts";
import { takeCut, type Sending } from "../faults.ts";
import { frontEndReply } from "./front-end.ts";
import { handle } from "./handling.ts";
import { broken, gatewayPage, type DoubleReply } from "./replies.ts";
import type { Route, Streaming } from "./routing.ts";
import type { World } from "../world/world.ts";

/** A request as it arrived, and what became of it. */
export interface LoggedRequest {
  method: string;
  /** With query, as sent: below the service's address, or with its origin's path outside of it. */
  path: string;
  /** Whether it went to the service, or to the pages beside it. */
  to: "service" | "pages";
  key: string | undefined;
  headers: IncomingMessage["headers"];
  /** The JSON value sent, or the text where it was none. */
  body: unknown;
  /** `performance.now()` when it had arrived. */
  at: number;
  /** Undefined until it is known. */
  status: number | undefined;
}

/** What answers every request: the service below `/api`, the pages elsewhere. Everything is written down in the log. */
export function responder(world: World, routes: readonly Route[], log: LoggedRequest[]) {
  const { settings, faults, accounts } = world;
  const sent: Record<Sending["kind"], number> = { answer: 0, resumed: 0, other: 0 };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request);
    const { method = "GET", url = "/", headers } = request;
    const inService = /^\/api(\/|\?|$)/.test(url) && settings.frontEnd !== "unproxied";
    const target = inService ? url.replace(/^\/api\/?/, "/") : url;
    const path = target.replace(/\?.*$/s, "");
    const entry: LoggedRequest = {
      method,
      path: target,
      to: inService ? "service" : "pages",
      key: accounts.credentialOf(headers).key,
      headers,
      body: valueOf(body),
      at: performance.now(),
      status: undefined,
    };
    log.push(entry);
    const reply = inService ? await serve(request, target, body) : frontEndReply(path, settings);
    entry.status = "stream" in reply ? 200 : reply.status;

    const { question } = reply;
    const kind = "stream" in reply ? reply.kind : question === undefined ? "other" : "answer";
    const sending: Sending = { kind, method, path, number: sent[kind]++, ...(question ? { question } : {}) };
    const conditions = {
      cut: takeCut(faults, sending),
      heartbeatMs: faults.heartbeats ? settings.heartbeatMs : undefined,
      twice: faults.duplicate === "lines" && kind !== "other",
    };
    if (faults.duplicate === "replies") repeatReply(response);
    const whole = await deliver(response, reply, conditions, crossOrigin(headers));
    if (!whole && question !== undefined) question.cut = true;
  }

  function serve(request: IncomingMessage, url: string, body: Buffer): Promise<DoubleReply | Streaming> | DoubleReply {
    const { method, headers } = request;
    if (faults.gateway !== undefined) return gatewayPage(faults.gateway);
    if (method === "OPTIONS" && headers["access-control-request-method"] !== undefined) return preflight(headers);
    const host = headers.host ?? "127.0.0.1";
    const [path = "/", search = ""] = url.split(/\?(.*)/s);
    return handle(world, routes, request, { path, query: new URLSearchParams(search), host }, body);
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    respond(request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) response.socket?.destroy();
      else void deliver(response, broken(String(error)), { cut: undefined, heartbeatMs: undefined, twice: false });
    });
  };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function valueOf(body: Buffer): unknown {
  const text = body.toString("utf8");
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Every origin may call, without cookies, and pages see no header beyond the usual ones. */
function crossOrigin(headers: IncomingMessage["headers"]): Record<string, string> {
  return headers.origin === undefined ? {} : { "access-control-allow-origin": "*" };
}

function preflight(headers: IncomingMessage["headers"]): DoubleReply {
  const wanted = headers["access-control-request-headers"];
  const allowed = {
    "content-type": "text/plain; charset=utf-8",
    "access-control-allow-methods": "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
    "access-control-max-age": "600",
    ...(wanted === undefined ? {} : { "access-control-allow-headers": wanted }),
  };
  return { status: 200, headers: allowed, body: "OK" };
}

/** Has everything that goes out for this reply sent once more, right after it. */
function repeatReply(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null) return;
  const chunks: Buffer[] = [];
  const write = socket.write.bind(socket);
  socket.write = ((...args: Parameters<typeof write>) => {
    const [chunk, encoding] = args;
    if (typeof chunk === "string") chunks.push(Buffer.from(chunk, typeof encoding === "string" ? encoding : "utf8"));
    else chunks.push(Buffer.from(chunk));
    return write(...args);
  }) as typeof write;
  response.once("finish", () => {
    socket.write = write;
    write(Buffer.concat(chunks));
  });
}
