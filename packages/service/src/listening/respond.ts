import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { namesThisService } from "../http/checks.ts";
import { callersOf, type Connections } from "../http/connections.ts";
import type { Service } from "../index.ts";

/** Answers one request. */
type Respond = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Of a service that is not there yet. */
export const starting: Respond = (_, outgoing) =>
  refuse(outgoing, 503, "STARTING", "The service is starting. Try again.");
/** Of a service that is going. */
export const stopping: Respond = (_, outgoing) =>
  refuse(outgoing, 503, "STOPPING", "The service is stopping. Try again once it runs.");

/** What a service answers to requests that are for it. */
export function respondOf(service: Service, port: number, connections: Connections): Respond {
  const listener = getRequestListener(
    async (request, env) => {
      const incoming = env.incoming as IncomingMessage;
      const sent = withoutEmptyBody(request, incoming);
      connections.ask(incoming.socket, sent);
      const reply = await service.fetch(sent);
      if (callersOf.has(sent)) connections.know(incoming.socket);
      return reply;
    },
    { overrideGlobalObjects: false },
  );
  return (incoming, outgoing) => {
    // Before anything is made of the request: a Host that is not ours may not even be a valid name.
    const hosts = incoming.headersDistinct["host"] ?? [];
    if (hosts.length !== 1 || !namesThisService(incoming.headers.host ?? "", port)) {
      const detail = "This service answers only to this machine: use 127.0.0.1 and its port.";
      return refuse(outgoing, 403, "HOST_NOT_ALLOWED", detail);
    }
    // A target that is not a path of this server is for a proxy.
    if (incoming.url?.startsWith("/") !== true) {
      const detail = "The request's target must be a path that begins with a slash.";
      return refuse(outgoing, 400, "VALIDATION_ERROR", detail);
    }
    if (["TRACE", "TRACK", "CONNECT"].includes(incoming.method ?? "")) {
      return refuse(outgoing, 405, "METHOD_NOT_ALLOWED", "This service does not have this method.");
    }
    void listener(incoming, outgoing);
  };
}

/** A POST without a body has none over a socket either; the adapter gives it an empty stream. */
function withoutEmptyBody(request: Request, { headers }: IncomingMessage): Request {
  const { "content-length": length, "transfer-encoding": encoding } = headers;
  if (request.method === "GET" || request.method === "HEAD" || encoding !== undefined || Number(length ?? 0) > 0) {
    return request;
  }
  return new Request(request.url, { method: request.method, headers: request.headers, signal: request.signal });
}

/** Ends a request before anything is made of it, and its connection. */
export function refuse(
  outgoing: ServerResponse,
  status: number,
  code: string,
  detail: string,
  headers: Record<string, string> = {},
): void {
  outgoing.writeHead(status, { "content-type": "application/json", connection: "close", ...headers });
  outgoing.end(JSON.stringify({ error_code: code, detail }));
}
