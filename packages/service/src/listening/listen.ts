import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Connections } from "../http/connections.ts";
import type { Service } from "../index.ts";
import { refuse, respondOf, starting, stopping } from "./respond.ts";
import { stop } from "./stop.ts";

/** How long a connection may take, and how many there may be. */
export interface SocketLimits {
  /** Until the request's headers are complete, milliseconds. Default 10,000. */
  readonly headersMs: number;
  /** Until the whole request has arrived, milliseconds. Default 30,000. Answers may take as long as they need. */
  readonly requestMs: number;
  /** Connections at one time. One that is not used makes room for another; where all are, a reply says so. Default 512. */
  readonly connections: number;
}

const USUAL_LIMITS: SocketLimits = { headersMs: 10_000, requestMs: 30_000, connections: 512 };

/** How long an unused connection is kept, milliseconds: longer than a request may have to wait for the service. */
const KEEP_ALIVE_MS = 75_000;

/** The port is taken by another program. */
export class PortTakenError extends Error {
  override readonly name = "PortTakenError";
  readonly port: number;

  constructor(port: number, cause: unknown) {
    super(`Port ${port} on this machine is taken by another program. Stop it, or choose another port.`, { cause });
    this.port = port;
  }
}

/** Listens on loopback, and says so to whoever asks before there is a service to answer. Throws PortTakenError. */
export async function listen(wanted: number, given: Partial<SocketLimits> = {}) {
  const limits = { ...USUAL_LIMITS, ...given };
  const connections = new Connections(limits.connections);
  const unfinished = new Set<ServerResponse>();
  let respond = starting;
  const create = (): Server =>
    createServer(
      {
        headersTimeout: limits.headersMs,
        requestTimeout: limits.requestMs,
        keepAliveTimeout: KEEP_ALIVE_MS,
        connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
      },
      (incoming, outgoing) => {
        const { socket } = incoming;
        connections.begin(incoming);
        unfinished.add(outgoing);
        outgoing.once("close", () => {
          unfinished.delete(outgoing);
          connections.end(socket);
        });
        // Whether the service is up is told in any case.
        if (!connections.isOver(socket) || incoming.url === "/health") respond(incoming, outgoing);
        else {
          const headers = { "retry-after": "1" };
          refuse(outgoing, 503, "TOO_MANY_CONNECTIONS", "Too many connections. Try again in 1 s.", headers);
        }
      },
    ).on("connection", (socket) => connections.add(socket));
  const first = create();
  await bind(first, wanted, "127.0.0.1");
  const { port } = first.address() as AddressInfo;
  const servers = [first];
  const close = async (): Promise<void> => {
    // What still comes over a connection that is open would meet a database that is closed.
    respond = stopping;
    await stop(servers, unfinished);
  };
  try {
    const second = create();
    await bind(second, port, "::1");
    servers.push(second);
  } catch (error) {
    // Without IPv6 there is no ::1. On a port of our own choosing, another program's ::1 does not matter either.
    if (error instanceof PortTakenError && wanted !== 0) {
      await close();
      throw error;
    }
  }
  return { port, answer: (service: Service) => (respond = respondOf(service, port, connections)), close };
}

function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" || error.code === "EACCES" ? new PortTakenError(port, error) : error);
    });
    server.listen({ port, host, ipv6Only: host === "::1" }, () => resolve());
  });
}
