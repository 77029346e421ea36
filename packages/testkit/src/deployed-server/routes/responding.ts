import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { deliver } from "../answer/delivery.ts";
import { takeCut, type Sending } from "../faults.ts";
import { handle, type Incoming } from "./handling.ts";
import { broken, frontEndReply, gatewayPage, type DoubleReply } from "./replies.ts";
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
    const body = await buffer(request);
    const { method = "GET", url = "/", headers } = request;
    const inService = /^\/api(\/|\?|$)/.test(url) && settings.frontEnd !== "unproxied";
    const target = inService ? url.replace(/^\/api\/?/, "/") : url;
    const [path = "/", search = ""] = target.split(/\?(.*)/s);
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
    const incoming = { method, path, query: new URLSearchParams(search), headers, body };
    const reply = inService ? await serve(incoming) : frontEndReply(path, settings);
    entry.status = "stream" in reply ? 200 : reply.status;

    const { question } = reply;
    const kind = "stream" in reply ? reply.kind : question === undefined ? "other" : "answer";
    const sending: Sending = { kind, method, path, number: sent[kind]++, ...(question ? { question } : {}) };
    if (faults.duplicate === "replies") repeatReply(response);
    const whole = await deliver(response, reply, {
      cut: takeCut(faults, sending),
      heartbeatMs: faults.heartbeats ? settings.heartbeatMs : undefined,
      twice: faults.duplicate === "lines" && kind !== "other",
      // Every origin may call, without cookies, and pages see no header beyond the usual ones.
      headers: headers.origin === undefined ? {} : { "access-control-allow-origin": "*" },
    });
    if (!whole && question !== undefined) question.cut = true;
  }

  function serve(incoming: Incoming): Promise<DoubleReply | Streaming> | DoubleReply {
    const { method, headers } = incoming;
    if (faults.gateway !== undefined) return gatewayPage(faults.gateway);
    const asks = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
    return asks ? preflight(headers) : handle(world, routes, incoming);
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    respond(request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) response.socket?.destroy();
      else void deliver(response, broken(String(error)));
    });
  };
}

function valueOf(body: Buffer): unknown {
  const text = body.toString("utf8");
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
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
    chunks.push(typeof chunk === "string" ? Buffer.from(chunk, encoding as BufferEncoding) : Buffer.from(chunk));
    return write(...args);
  }) as typeof write;
  response.once("finish", () => {
    socket.write = write;
    write(Buffer.concat(chunks));
  });
}
