import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { createServer as createSecureServer, type Server as SecureServer } from "node:https";
import type { Socket } from "node:net";
import type { Connections } from "../http/connections.ts";
import { canonicalAddress, counterOf, type Networks } from "./addresses/address.ts";
import { Counts } from "./allowance.ts";
import type { CertificatePair } from "./tls/certificate.ts";
import { MAX_HEADER_BYTES, type SocketLimits } from "./limits.ts";
import type { Door } from "./plan.ts";
import type { Witness } from "./witness.ts";

/** How long an unused connection is kept, milliseconds: longer than a request may have to wait for the service. */
const KEEP_ALIVE_MS = 75_000;

/** One door, and what listens there. */
export interface DoorServer {
  readonly door: Door;
  readonly server: Server;
  /** Connections from now on are made with this pair; those that are open stay. */
  use(pair: CertificatePair): void;
}

/** What a door is made with. */
interface DoorOptions {
  readonly door: Door;
  readonly limits: SocketLimits;
  readonly pair: CertificatePair | undefined;
  readonly connections: Connections;
  readonly trusted: Networks;
  readonly witness: Pick<Witness, "turnedAway">;
}

/** Takes a request; `isWaiting`: its body is sent once it is asked for (`Expect: 100-continue`). */
type Take = (incoming: IncomingMessage, outgoing: ServerResponse, isWaiting: boolean) => void;

/** A server for one door, which keeps count of who comes; not bound to its address yet. */
export function doorServer(options: DoorOptions, take: Take): DoorServer {
  const { door, limits, pair, connections } = options;
  const http: ServerOptions = {
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => take(incoming, outgoing, false);
  const ask = (incoming: IncomingMessage, outgoing: ServerResponse): void => take(incoming, outgoing, true);
  const admit = door.isLoopback ? () => "let in" as const : counting(options);
  if (!door.isSecure || pair === undefined) {
    const server = createServer(http, answer).on("checkContinue", ask);
    server.on("connection", (socket) => {
      const admission = admit(socket);
      if (admission === "let in") connections.add(socket);
      else if (admission === "told") tellTooMany(socket);
      else socket.destroy();
    });
    return { door, server, use: () => undefined };
  }
  const { cert, key } = pair;
  const handshakes = new Handshakes(limits.connections);
  const server: SecureServer = createSecureServer(
    { ...http, cert, key, handshakeTimeout: limits.headersMs, ALPNProtocols: ["http/1.1", "http/1.0"] },
    answer,
  );
  server.on("checkContinue", ask);
  server.on("connection", (socket: Socket) => {
    if (!handshakes.begin(socket) || admit(socket) !== "let in") socket.destroy();
  });
  server.on("secureConnection", (socket) => {
    handshakes.end(socket);
    connections.add(socket);
  });
  return { door, server, use: (next) => server.setSecureContext({ cert: next.cert, key: next.key }) };
}

const TOO_MANY = JSON.stringify({
  error_code: "TOO_MANY_CONNECTIONS",
  detail: "Too many connections from your address. Close some, or try again in 1 s.",
});
const TOO_MANY_REPLY =
  "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\nConnection: close\r\n" +
  `Content-Length: ${Buffer.byteLength(TOO_MANY)}\r\n\r\n${TOO_MANY}`;

/** Connections of one address beyond those it may have that are told so at one time; others are closed without a word. */
const TOLD_EACH = 16;
/** How long such a connection stays for its reply to be read, milliseconds. */
const TOLD_MS = 1_000;

function tellTooMany(socket: Socket): void {
  socket.on("error", () => undefined).end(TOO_MANY_REPLY);
  setTimeout(() => socket.destroy(), TOLD_MS).unref();
}

/** What becomes of a connection: "told" that it is one too many of its address, or "closed" without a word. */
type Admission = "let in" | "told" | "closed";

/** Lets in what does not come from an address that has as many connections as it may. A trusted proxy comes for many. */
function counting({ limits, trusted, witness }: DoorOptions): (socket: Socket) => Admission {
  const counts = new Counts();
  const told = new Counts();
  const counted = (socket: Socket, by: Counts, who: string): void => {
    by.add(who, 1);
    socket.once("close", () => by.add(who, -1));
  };
  return (socket) => {
    const address = canonicalAddress(socket.remoteAddress ?? "");
    if (address === undefined || trusted.has(address)) return "let in";
    const who = counterOf(address);
    if (counts.of(who) >= limits.connectionsEach) {
      witness.turnedAway("connection");
      if (told.of(who) >= TOLD_EACH) return "closed";
      counted(socket, told, who);
      return "told";
    }
    counted(socket, counts, who);
    return "let in";
  };
}

/** Connections whose two sides have not agreed on TLS yet: as many as there may be connections. */
class Handshakes {
  readonly #most: number;
  readonly #begun = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  begin(socket: Socket): boolean {
    if (this.#begun.size >= this.#most) return false;
    const who = endOf(socket);
    this.#begun.add(who);
    socket.once("close", () => this.#begun.delete(who));
    return true;
  }

  /** The socket that TLS makes of one is another object; it has the same other end. */
  end(socket: Socket): void {
    this.#begun.delete(endOf(socket));
  }
}

function endOf({ remoteAddress = "", remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
