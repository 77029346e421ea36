import { once } from "node:events";
import { type AddressInfo, connect, createServer as createPlainServer, type Socket } from "node:net";
import { createServer as createSecureServer } from "node:tls";
import type { Certified } from "./certificates.ts";

/** How a proxy behaves; everything can be changed while it runs. */
export interface ProxyBehaviour {
  /** Which port of this machine stands for `host:port`. What is not named here it does not get through to: 502. */
  routes: Readonly<Record<string, number>>;
  /** `name:password` it wants; absent: it wants none. */
  credentials?: string;
  /** Answered to everything, such as 403. */
  refuse?: number;
  /** It takes connections and answers nothing. */
  isSilent?: boolean;
  /** The next connection over which so many bytes came from a server is cut; then it is as if this were not set. */
  cutAfterBytes?: number;
}

/** A proxy that runs, and what it was asked for. */
export interface ProxyServer {
  /** Such as `http://127.0.0.1:3128`. */
  readonly url: string;
  readonly port: number;
  readonly behaviour: ProxyBehaviour;
  /** Method and target of every request, in order. */
  readonly asked: readonly { readonly method: string; readonly target: string; readonly status: number }[];
  /** Ends every connection through it. It goes on taking others. */
  cutAll(): void;
  close(): Promise<void>;
}

/**
 * Starts a proxy on loopback, made from RFC 9110 (section 9.3.6, CONNECT) and RFC 9112 (section 3.2.2, absolute-form)
 * alone. With a certificate it is spoken to encrypted.
 */
export async function startProxyServer(behaviour: ProxyBehaviour, certified?: Certified): Promise<ProxyServer> {
  const asked: { method: string; target: string; status: number }[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
  };

  function cutAll(): void {
    for (const socket of sockets) socket.destroy();
  }

  function take(client: Socket): void {
    keep(client);
    let came = Buffer.alloc(0);
    const read = (bytes: Buffer): void => {
      came = Buffer.concat([came, bytes]);
      const end = came.indexOf("\r\n\r\n");
      if (end < 0) return;
      client.off("data", read);
      client.pause();
      answer(client, came.subarray(0, end).toString("latin1"), came.subarray(end + 4));
    };
    client.on("data", read);
  }

  function answer(client: Socket, head: string, rest: Buffer): void {
    const [line = "", ...headers] = head.split("\r\n");
    const [method = "", target = ""] = line.split(" ");
    const url = method === "CONNECT" ? undefined : URL.parse(target);
    const authority = url === undefined ? target : `${url?.hostname}:${url?.port || 80}`;
    const { credentials, refuse, isSilent, routes } = behaviour;
    const given = headers.find((header) => /^proxy-authorization:/i.test(header))?.split(/:\s*/)[1];
    const wanted = credentials && `Basic ${Buffer.from(credentials).toString("base64")}`;
    const port = routes[authority];
    const status = wanted !== undefined && given !== wanted ? 407 : (refuse ?? (port === undefined ? 502 : 200));
    asked.push({ method, target, status });
    if (isSilent === true) return;
    if (status !== 200 || port === undefined) {
      const challenge = status === 407 ? 'Proxy-Authenticate: Basic realm="proxy"\r\n' : "";
      client.end(`HTTP/1.1 ${status} No\r\n${challenge}Content-Length: 0\r\nConnection: close\r\n\r\n`);
      return;
    }
    const server = connect(port, "127.0.0.1");
    keep(server);
    server.once("connect", () => {
      if (url === undefined) client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      else
        server.write(
          `${[`${method} ${url?.pathname}${url?.search} HTTP/1.1`, ...ended(headers)].join("\r\n")}\r\n\r\n`,
        );
      server.write(rest);
      client.pipe(server);
      let sent = 0;
      server.on("data", (bytes: Buffer) => {
        sent += bytes.length;
        client.write(bytes);
        if (sent < (behaviour.cutAfterBytes ?? Number.POSITIVE_INFINITY)) return;
        behaviour.cutAfterBytes = undefined;
        client.destroy();
      });
    });
    server.once("close", () => client.end());
    client.once("close", () => server.destroy());
  }

  const server = certified === undefined ? createPlainServer(take) : createSecureServer(certified, take);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `${certified === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    port,
    behaviour,
    asked,
    cutAll,
    async close() {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What a request says on to the server: nothing that was for the proxy, and one request a connection. */
function ended(headers: readonly string[]): string[] {
  return [...headers.filter((header) => !/^(proxy-[\w-]+|connection):/i.test(header)), "Connection: close"];
}
