import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** Listens on 127.0.0.1, on a free port that can be closed and opened again. */
export async function listen(handle: RequestListener) {
  let server = await opened(handle, 0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    /** Closes every connection, whatever is on its way. */
    cutConnections: () => server.closeAllConnections(),
    /** Closes the port and every connection: whoever connects is refused. */
    async down() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
    /** Opens the same port again. */
    async up() {
      if (!server.listening) server = await opened(handle, port);
    },
  };
}

/** A port that was free a moment ago may be taken for a moment, by somebody's connection to elsewhere. */
async function opened(handle: RequestListener, port: number): Promise<Server> {
  const server = createServer({ noDelay: true, keepAliveTimeout: 5000 }, handle);
  for (let attempt = 1; ; attempt++) {
    try {
      await once(server.listen(port, "127.0.0.1"), "listening");
      return server;
    } catch (error) {
      if (attempt === 200) throw error;
      await delay(25);
    }
  }
}
