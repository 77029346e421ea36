import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import { z } from "zod";
import { parseJson } from "../fields.ts";
import type { State } from "../state.ts";
import { Undelivered, type Envelope, type Transport } from "./envelope.ts";

/** Connections an app may have at a time. */
const MAX_SOCKETS = 10;
/** How often a connection is pinged, milliseconds. */
const PING_MS = 5_000;
/** How long a connection that was told to go may stay, and a silent peer is kept, milliseconds. */
const GRACE_MS = 10_000;

/** How long a peer has to answer that the workspace closes, milliseconds. */
const CLOSING_MS = 200;

const acknowledgement = z.object({
  envelope_id: z.string(),
  payload: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

interface Connection {
  readonly socket: WebSocket;
  /** No more envelopes: it was told to go. */
  leaving: boolean;
  /** Frames go nowhere and nothing is answered. */
  silent: boolean;
}

interface Unacknowledged extends Pick<PromiseWithResolvers<Record<string, unknown>>, "resolve" | "reject"> {
  readonly connection: Connection;
}

/** Socket Mode: every envelope goes to one connection, chosen by lot. */
export class Sockets {
  readonly #state: State;
  readonly #ackTimeoutMs: number;
  readonly #server = new WebSocketServer({ noServer: true, autoPong: true });
  readonly #tickets = new Set<string>();
  readonly #connections = new Set<Connection>();
  readonly #unacknowledged = new Map<string, Unacknowledged>();
  /** Events that nobody was connected for. */
  readonly #waiting: PromiseWithResolvers<void>[] = [];
  readonly #pinging: NodeJS.Timeout;

  constructor(state: State, ackTimeoutMs: number) {
    this.#state = state;
    this.#ackTimeoutMs = ackTimeoutMs;
    this.#pinging = setInterval(() => {
      for (const one of this.#connections) if (!one.silent) one.socket.ping();
    }, PING_MS);
    this.#pinging.unref();
  }

  /** Connections that are up and were not told to go. */
  get connected(): number {
    return this.#usable().length;
  }

  #usable(): Connection[] {
    return [...this.#connections].filter((one) => !one.leaving && one.socket.readyState === one.socket.OPEN);
  }

  /** Address for one connection, as `apps.connections.open` answers it. */
  ticket(): string {
    const ticket = this.#state.hex(24);
    this.#tickets.add(ticket);
    return `${this.#state.url.replace(/^http/, "ws")}/link/?ticket=${ticket}&app_id=${this.#state.app.appId}`;
  }

  /** Takes a connection over when its ticket is good, and refuses it otherwise. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const [path, query] = (request.url ?? "").split("?");
    const ticket = new URLSearchParams(query).get("ticket") ?? "";
    if (path !== "/link/" || !this.#tickets.delete(ticket)) {
      socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (upgraded) => this.#welcome(upgraded));
  }

  #welcome(socket: WebSocket): void {
    const connection: Connection = { socket, leaving: false, silent: false };
    socket.on("error", () => socket.terminate());
    if (this.#usable().length >= MAX_SOCKETS) {
      this.#sayGoodbye(connection, "too_many_websockets");
      return;
    }
    this.#connections.add(connection);
    socket.on("message", (frame) => this.#take(String(frame)));
    socket.on("close", () => this.#forget(connection));
    const debug = { host: "loopback", started: new Date().toISOString(), build_number: 1 };
    const hello = {
      type: "hello",
      num_connections: this.#connections.size,
      debug_info: { ...debug, approximate_connection_time: 18_060 },
      connection_info: { app_id: this.#state.app.appId },
    };
    socket.send(JSON.stringify(hello));
    for (const { resolve } of this.#waiting.splice(0)) resolve();
    this.#state.changed();
  }

  #take(frame: string): void {
    const parsed = acknowledgement.safeParse(parseJson(frame));
    if (parsed.success) this.#unacknowledged.get(parsed.data.envelope_id)?.resolve(parsed.data.payload ?? {});
  }

  #forget(connection: Connection): void {
    this.#connections.delete(connection);
    for (const one of this.#unacknowledged.values()) {
      if (one.connection === connection) one.reject(new Undelivered("connection_failed"));
    }
    this.#state.changed();
  }

  /** Sends over one of the connections; see {@link Transport}. */
  readonly send: Transport = async (envelope) => {
    if (this.#usable().length > 0) return this.#sendNow(envelope);
    if (envelope.kind !== "events_api") throw new Undelivered("dispatch_failed", { final: true });
    const connected = Promise.withResolvers<void>();
    this.#waiting.push(connected);
    await connected.promise;
    // It could not be sent when it happened: that attempt counts.
    const { attempt, reason } = envelope;
    return this.#sendNow({ ...envelope, attempt: Math.max(attempt, 1), reason: reason || "connection_failed" });
  };

  async #sendNow(envelope: Envelope): Promise<Record<string, unknown>> {
    const connection = this.#oneByLot(this.#usable());
    if (connection === undefined) throw new Undelivered("connection_failed");
    const id = `${this.#state.hex(8)}-${this.#state.hex(4)}-${this.#state.hex(4)}-${this.#state.hex(12)}`;
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
    const timeout = setTimeout(() => {
      // A peer that answers nothing gets nothing more.
      if (connection.silent) connection.leaving = true;
      reject(new Undelivered("timeout"));
    }, this.#ackTimeoutMs);
    this.#unacknowledged.set(id, { connection, resolve, reject });
    if (!connection.silent) connection.socket.send(JSON.stringify(frameOf(id, envelope)));
    try {
      return await promise;
    } finally {
      clearTimeout(timeout);
      this.#unacknowledged.delete(id);
    }
  }

  #oneByLot(connections: readonly Connection[]): Connection | undefined {
    return connections[Math.floor(this.#state.random() * connections.length)];
  }

  /** Sends `disconnect`; who does not go is cut off later. */
  disconnect(reason: string, all: boolean): void {
    for (const one of this.#chosen(all)) this.#sayGoodbye(one, reason);
  }

  #sayGoodbye(connection: Connection, reason: string): void {
    connection.leaving = true;
    connection.socket.send(JSON.stringify({ type: "disconnect", reason, debug_info: { host: "loopback" } }));
    setTimeout(() => connection.socket.terminate(), GRACE_MS).unref();
    this.#state.changed();
  }

  /** Cuts TCP connections. */
  kill(all: boolean): void {
    for (const one of this.#chosen(all)) one.socket.terminate();
  }

  /** Nothing is read or written any more on these connections, until they are given up. */
  silence(all: boolean): void {
    for (const one of this.#chosen(all)) {
      one.silent = true;
      one.socket.pause();
      setTimeout(() => one.socket.terminate(), GRACE_MS).unref();
    }
  }

  #chosen(all: boolean): Connection[] {
    const usable = this.#usable().filter((one) => !one.silent);
    return all ? usable : [this.#oneByLot(usable) ?? []].flat();
  }

  async close(): Promise<void> {
    clearInterval(this.#pinging);
    for (const { reject } of this.#unacknowledged.values()) reject(new Undelivered("closed"));
    for (const { reject } of this.#waiting.splice(0)) reject(new Undelivered("closed", { final: true }));
    const closed = [...this.#connections].map(({ socket }) => closeNicely(socket));
    await Promise.all(closed);
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function closeNicely(socket: WebSocket): Promise<void> {
  const late = setTimeout(() => socket.terminate(), CLOSING_MS);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.close(1001);
  await closed;
  clearTimeout(late);
}

function frameOf(id: string, envelope: Envelope): Record<string, unknown> {
  return {
    envelope_id: id,
    type: envelope.kind,
    payload: envelope.body,
    accepts_response_payload: envelope.kind !== "events_api",
    ...(envelope.kind === "events_api" && { retry_attempt: envelope.attempt, retry_reason: envelope.reason }),
  };
}
