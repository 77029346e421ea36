import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

/** Something a browser asked for. */
export interface RecordedExchange {
  readonly method: string;
  /** Such as `pages.example:40001`. */
  readonly host: string;
  /** With what comes behind the `?`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A proxy that everything a browser asks for goes through, and that writes it down. */
export interface RecordingProxy {
  /** Flags of a browser that goes through it, with what is on this machine, too. */
  readonly flags: readonly string[];
  /** Oldest first. A host that was to be reached encrypted is there with method `CONNECT`, and is not reached. */
  readonly exchanges: readonly RecordedExchange[];
  close(): Promise<void>;
}

/** Starts it. Every host is this machine. */
export async function startRecordingProxy(): Promise<RecordingProxy> {
  const exchanges: RecordedExchange[] = [];
  const server = createServer((request, response) => {
    const target = URL.parse(request.url ?? "");
    if (target === null) return void response.writeHead(400).end();
    const { method = "GET", headers } = request;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const path = target.pathname + target.search;
      exchanges.push({ method, host: target.host, path, headers, body: body.toString("utf8") });
      const onward = send({ host: "127.0.0.1", port: target.port, method, path, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      });
      onward.on("error", () => response.destroy());
      response.on("close", () => onward.destroy());
      onward.end(body);
    });
  });
  server.on("connect", ({ url = "", headers }, socket) => {
    exchanges.push({ method: "CONNECT", host: url, path: "", headers, body: "" });
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    flags: [`--proxy-server=http://127.0.0.1:${port}`, "--proxy-bypass-list=<-loopback>"],
    exchanges,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
