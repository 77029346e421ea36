import { once } from "node:events";
import { type IncomingHttpHeaders, request as requestHttp, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { afterThisFile, afterThisTest } from "@threadlore/testkit";
import { type RunningService, serve, type ServeOptions } from "../serve.ts";
import { OWNER_KEY } from "../service.harness.ts";

/** The name services of these tests are known by. */
export const NAME = "knowledge.example.com";

/** An address of this machine that is not loopback's; undefined: it has none. Whoever comes from there is from elsewhere. */
export const ownAddress = Object.values(networkInterfaces())
  .flatMap((several) => several ?? [])
  .find(({ internal, family }) => !internal && family === "IPv4")?.address;

/** A service that listens beyond loopback, and the port it does so on. */
export interface NetworkService extends RunningService {
  readonly port: number;
}

/** Starts one on a port of its own; it ends with the test, or the file. */
export async function startNetwork(
  network: NonNullable<ServeOptions["network"]>,
  options: Partial<ServeOptions> = {},
  until: "test" | "file" = "test",
): Promise<NetworkService> {
  const hosts = network.hosts ?? [NAME];
  const running = await serve({
    database: ":memory:",
    apiKey: OWNER_KEY,
    port: 0,
    logLevel: "silent",
    ...options,
    network: { listen: ["0.0.0.0"], ...network, hosts },
  });
  (until === "test" ? afterThisTest : afterThisFile)(() => running.close());
  const isApart = network.tls !== undefined && running.publicUrl !== undefined;
  const port = Number(new URL(isApart ? (running.publicUrl ?? "") : running.url).port);
  return { ...running, port };
}

/** What came back. */
export interface NetworkReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** Sends over a connection of its own, with Node's own client; `ca`: over TLS. */
export async function send(
  port: number,
  path: string,
  { body, ca, ...options }: RequestOptions & { body?: string; ca?: string; servername?: string } = {},
): Promise<NetworkReply> {
  const headers = { host: `${NAME}:${port}`, ...options.headers };
  const all = { agent: false, host: "127.0.0.1", port, path, ...options, headers } as const;
  const sent = ca === undefined ? requestHttp(all) : requestHttps({ servername: NAME, ...all, ca });
  sent.end(body);
  const [reply] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
  const said = await text(reply);
  const isJson = reply.headers["content-type"]?.startsWith("application/json") === true;
  return { status: reply.statusCode ?? 0, headers: reply.headers, body: isJson ? JSON.parse(said) : said };
}

/** The header that carries a key. */
export function keyHeader(key: string = OWNER_KEY): { authorization: string } {
  return { authorization: `Bearer ${key}` };
}

/** A bare connection; it ends with the test. */
export async function openSocket(port: number, host = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port, host, allowHalfOpen: true }).on("error", () => undefined);
  afterThisTest(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** Sends bytes as they are, and answers all that comes until the other side ends. */
export async function sendRaw(port: number, bytes: string, host?: string): Promise<string> {
  const socket = await openSocket(port, host);
  socket.write(bytes);
  return text(socket);
}
