import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { TLSSocket } from "node:tls";
import { getRequestListener } from "@hono/node-server";
import { type Arrival, noteArrival } from "../http/arrival.ts";
import { namesThisService } from "../http/checks.ts";
import { callersOf, type Connections } from "../http/connections.ts";
import { refusal } from "../http/problem.ts";
import type { Service } from "../index.ts";
import { canonicalAddress, counterOf, inUrl, isLoopbackAddress } from "./addresses/address.ts";
import { Allowance } from "./allowance.ts";
import { type Forwarded, forwardedBy } from "./addresses/forwarded.ts";
import type { SocketLimits } from "./limits.ts";
import { type HostName, parseHost } from "./addresses/names.ts";
import { inPieces } from "./pace.ts";
import type { ListeningPlan } from "./plan.ts";

/** One request on its way, and how it came once that is known. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Its body is sent once it is asked for. */
  readonly isWaiting: boolean;
  arrival?: Arrival;
  /** Of who asks, also where it was refused. */
  address?: string;
}

/** Answers one request. */
export type Respond = (exchange: Exchange) => void;

/** Of a service that is not there yet. */
export const starting: Respond = ({ outgoing }) =>
  refuse(outgoing, 503, "STARTING", "The service is starting. Try again.");

/** Of a service that is going: whoever spreads requests over several leaves it out, as its health says so too. */
export const stopping: Respond = ({ incoming, outgoing }) => {
  const detail = "The service is stopping. Try again once it runs.";
  if (incoming.url !== "/health") return refuse(outgoing, 503, "STOPPING", detail, SOON);
  reply(outgoing, 503, { success: false, message: detail, data: null, state: "stopping" }, SOON);
};

const SOON = { "retry-after": "5" };

/** What is known of where a service listens once it does. */
export interface Listening {
  readonly plan: ListeningPlan;
  readonly limits: SocketLimits;
  readonly connections: Connections;
  /** Where people find it; undefined: nobody but this machine does. */
  readonly publicUrl: string | undefined;
  /** Most bytes of any request's body. */
  readonly maxBody: number;
}

/** What a service answers to requests that are for it. */
export function respondOf(service: Service, listening: Listening): Respond {
  const { plan, limits, connections } = listening;
  const keyless = new Allowance(limits.keylessEach);
  const keyed = new Allowance(limits.keyedEach);
  const arrivals = new WeakMap<IncomingMessage, Arrival>();
  const listener = getRequestListener(
    async (request, env) => {
      const incoming = env.incoming as IncomingMessage;
      const sent = withoutEmptyBody(request, incoming);
      connections.ask(incoming.socket, sent);
      const arrival = arrivals.get(incoming);
      if (arrival !== undefined) noteArrival(sent, arrival);
      const answer = await service.fetch(sent);
      if (callersOf.has(sent)) connections.know(incoming.socket);
      // A right key is never held up by anybody's wrong ones, so theirs are counted once they were looked at.
      else if (arrival !== undefined && isCounted(arrival) && incoming.headers.authorization !== undefined) {
        keyless.take(counterOf(arrival.address));
      }
      return plan.isReachable ? inPieces(answer) : answer;
    },
    { overrideGlobalObjects: false },
  );
  const isCounted = ({ isLocal }: Pick<Arrival, "isLocal">): boolean => plan.isReachable && !isLocal;
  const spend = (user: string): void => {
    const wait = keyed.take(user);
    if (wait > 0) throw tooMany(`Too many requests with this user's keys. Try again in ${wait} s.`, wait);
  };
  return (exchange) => {
    const { incoming, outgoing } = exchange;
    // Before anything is made of the request: a Host that is not ours may not even be a valid name.
    const came = lookAt(incoming, listening);
    exchange.address = came.address;
    if ("code" in came) return refuse(outgoing, came.status, came.code, came.detail);
    const arrival: Arrival = isCounted(came) ? { ...came, spend } : came;
    exchange.arrival = arrival;
    if (plan.isReachable) outgoing.setHeader("X-Request-Id", arrival.id);
    if (isCounted(arrival) && incoming.headers.authorization === undefined) {
      const wait = keyless.take(counterOf(arrival.address));
      if (wait > 0) {
        const detail = `Too many requests without a key from your address. Try again in ${wait} s.`;
        return refuse(outgoing, 429, "TOO_MANY_REQUESTS", detail, { "retry-after": String(wait) });
      }
    }
    // A target that is not a path of this server is for a proxy.
    if (incoming.url?.startsWith("/") !== true) {
      const detail = "The request's target must be a path that begins with a slash.";
      return refuse(outgoing, 400, "VALIDATION_ERROR", detail);
    }
    if (["TRACE", "TRACK", "CONNECT"].includes(incoming.method ?? "")) {
      return refuse(outgoing, 405, "METHOD_NOT_ALLOWED", "This service does not have this method.");
    }
    if ((incoming.socket as Partial<TLSSocket>).encrypted === true) {
      outgoing.setHeader("Strict-Transport-Security", `max-age=${YEAR_S}`);
    }
    if (exchange.isWaiting) {
      if (Number(incoming.headers["content-length"] ?? 0) > listening.maxBody) {
        const detail = `The body is larger than ${listening.maxBody} bytes. Send less at once.`;
        return refuse(outgoing, 413, "REQUEST_TOO_LARGE", detail);
      }
      outgoing.writeContinue();
    }
    arrivals.set(incoming, arrival);
    void listener(incoming, outgoing);
  };
}

const YEAR_S = 31_536_000;

function tooMany(detail: string, wait: number): Error {
  return refusal(429, "TOO_MANY_REQUESTS", detail, { "Retry-After": String(wait) });
}

interface Refused {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly address: string;
}

/** Who asks for whom, if this service answers to that at all. */
function lookAt(incoming: IncomingMessage, { plan, publicUrl }: Listening): Arrival | Refused {
  const { socket } = incoming;
  const peer = canonicalAddress(socket.remoteAddress ?? "") ?? "";
  const lines = plan.hasProxies ? incoming.headersDistinct : {};
  const forwarded = plan.hasProxies ? forwardedBy(peer, lines, plan.trusted) : { address: peer, isForwarded: false };
  if (forwarded === undefined) {
    const detail = "Forwarded and X-Forwarded-For name two different addresses, so it is not known who asks.";
    return { status: 400, code: "FORWARDING_UNCLEAR", detail, address: peer };
  }
  const { address } = forwarded;
  const isLocal = !forwarded.isForwarded && isLoopbackAddress(peer);
  const hosts = incoming.headersDistinct["host"] ?? [];
  const text = forwarded.host ?? hosts[0] ?? "";
  const host = parseHost(text);
  const isOurs = host !== undefined && isNamed(host, text, incoming, { plan, forwarded, isLocal });
  if (hosts.length !== 1 || !isOurs)
    return { status: 403, code: "HOST_NOT_ALLOWED", detail: hostRefused(plan), address };
  // Its health may be asked for by whoever watches it; a key may not come this way.
  if (!isLocal && !forwarded.isForwarded && !plan.isPlainAllowed && incoming.url !== "/health") {
    const detail =
      "This service is asked through its proxy, which has to say for whom (X-Forwarded-For). Use the address people were given.";
    return { status: 403, code: "PROXY_ONLY", detail, address };
  }
  const isSecure = (socket as Partial<TLSSocket>).encrypted === true || forwarded.protocol === "https";
  const called = `${isSecure ? "https" : "http"}://${text}`;
  const isCalledLocally = isLocal && namesThisService(text, undefined);
  return {
    id: (forwarded.isForwarded ? idOf(incoming) : undefined) ?? randomUUID(),
    address,
    isLocal,
    origin: isCalledLocally ? called : (publicUrl ?? called),
  };
}

/** The name a trusted proxy gave a request, if it can stand in a line of a log. */
function idOf({ headers }: IncomingMessage): string | undefined {
  const id = headers["x-request-id"];
  return typeof id === "string" && /^[\w-]{8,64}$/.test(id) ? id : undefined;
}

/**
 * Whether a request is for this service. Through a proxy it has to carry one of the names; straight to it, the very address
 * and port it came to will do, which no name of somebody else's can be; from this machine also loopback's names.
 */
function isNamed(
  host: HostName,
  text: string,
  { socket }: IncomingMessage,
  { plan, forwarded, isLocal }: { plan: ListeningPlan; forwarded: Forwarded; isLocal: boolean },
): boolean {
  if (plan.names.has(host)) return true;
  if (forwarded.isForwarded) return false;
  if (isLocal && namesThisService(text, socket.localPort)) return true;
  const usual = (socket as Partial<TLSSocket>).encrypted === true ? 443 : 80;
  const own = canonicalAddress(socket.localAddress ?? "");
  return own !== undefined && host.name === inUrl(own) && (host.port ?? usual) === socket.localPort;
}

function hostRefused({ isReachable }: ListeningPlan): string {
  return isReachable
    ? "This service does not answer to this name. Use the address people were given; `threadlore serve --host` adds a name."
    : "This service answers only to this machine: use 127.0.0.1 and its port.";
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
  reply(outgoing, status, { error_code: code, detail }, headers);
}

function reply(outgoing: ServerResponse, status: number, body: unknown, headers: Record<string, string>): void {
  outgoing.writeHead(status, { "content-type": "application/json", connection: "close", ...headers });
  outgoing.end(JSON.stringify(body));
}
