import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { createServer } from "node:tls";
import type { Certified } from "./certificates.ts";

/** A server that speaks TLS. */
export interface SecureFront {
  readonly port: number;
  /** Bytes from its clients, decrypted: what a request held when it arrived. */
  received(): string;
  close(): Promise<void>;
}

/**
 * Puts TLS before a server of this machine that has none, byte for byte.

 */
export async function startSecureFront(certified: Certified, port: number): Promise<SecureFront> {
  const parts: Buffer[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
  };
  const front = createServer(certified, (client) => {
    const server = connect(port, "127.0.0.1");
    keep(client);
    keep(server);
    client.on("data", (bytes: Buffer) => parts.push(bytes));
    client.pipe(server).pipe(client);
    client.once("close", () => server.destroy());
    server.once("close", () => client.destroy());
  });
  front.on("tlsClientError", () => undefined);
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  return {
    port: (front.address() as AddressInfo).port,
    received: () => Buffer.concat(parts).toString("latin1"),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => front.close(resolve));
    },
  };
}
