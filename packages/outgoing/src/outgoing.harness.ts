import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  afterThisTest,
  type Certified,
  type ProxyServer,
  startProxyServer,
  startSecureFront,
} from "@threadlore/testkit";

/** What a server was asked, and what it answers: its own words, in pieces. */
export async function startWordServer(words: readonly string[] = ["Hello."]) {
  const asked: { url: string | undefined; headers: Readonly<Record<string, unknown>> }[] = [];
  const server = createServer((request, response) => {
    asked.push({ url: request.url, headers: request.headers });
    const [first, ...rest] = words;
    response.writeHead(200, { "content-type": "text/plain" }).write(first ?? "");
    for (const word of rest) response.write(word);
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

/** The same, behind TLS. */
export async function startSecureServer(certified: Certified, words?: readonly string[]) {
  const server = await startWordServer(words);
  const front = await startSecureFront(certified, server.port);
  afterThisTest(() => front.close());
  return { ...server, front, port: front.port };
}

/** A proxy that is closed when the test is over. */
export async function startProxy(...given: Parameters<typeof startProxyServer>): Promise<ProxyServer> {
  const proxy = await startProxyServer(...given);
  afterThisTest(() => proxy.close());
  return proxy;
}
