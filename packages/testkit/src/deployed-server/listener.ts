import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** A port that can be closed and opened again. */
export interface Listener {
  readonly port: number;
  readonly connections: ReadonlySet<Socket>;
  /** Closes every connection, whatever is on its way. */
  cutConnections(): void;
  /** Closes the port and every connection: whoever connects is refused. */
  down(): Promise<void>;
  /** Opens the same port again. */
  up(): Promise<void>;
}

/** Listens on 127.0.0.1, on a free port. */
export async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<Listener> {
  const connections = new Set<Socket>();
  let server = create();
  let port = 0;

  function create() {
    const created = createServer({ noDelay: true, keepAliveTimeout: 5000 }, handle);
    created.on("connection", (socket) => {
      connections.add(socket);
      socket.once("close", () => connections.delete(socket));
      // A client that leaves in mid-sentence is part of the game.
      socket.on("error", () => {});
    });
    return created;
  }

  function cutConnections(): void {
    for (const socket of connections) socket.destroy();
  }

  async function open(): Promise<void> {
    await bound();
    const address = server.address();
    if (typeof address === "object" && address !== null) port = address.port;
  }

  /** A port that was free a moment ago may be taken for a moment, by somebody's connection to elsewhere. */
  async function bound(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      server.listen(port, "127.0.0.1");
      try {
        await once(server, "listening");
        return;
      } catch (error) {
        if (attempt === 200) throw error;
        await delay(25);
      }
    }
  }

  await open();
  return {
    get port() {
      return port;
    },
    connections,
    cutConnections,
    async down() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      cutConnections();
      await closed;
    },
    async up() {
      if (server.listening) return;
      server = create();
      await open();
    },
  };
}
