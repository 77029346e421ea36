/**
 * Loaded before the suite of the protocol: it knows no keys, so each of its requests is given one here. Host and Origin are
 * left as it sent them. A request to anywhere but the server under test ends it.
 */
import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";

const { CONFORMANCE_ORIGIN: origin = "", CONFORMANCE_KEY: key = "" } = process.env;

function letIn(to: string): string {
  if (to === origin) return `Bearer ${key}`;
  process.stderr.write(`A request to ${to}, which is not the server under test\n`);
  process.exit(86);
}

interface FetchedRequest {
  readonly origin: string;
  addHeader(name: string, value: string): void;
}

subscribe("undici:request:create", (message) => {
  const { request } = message as { request: FetchedRequest };
  request.addHeader("authorization", letIn(request.origin));
});
subscribe("http.client.request.created", (message) => {
  const { request } = message as { request: ClientRequest };
  // Its Host may be a forged one: where it connects to is what counts.
  const { hostname, port } = new URL(origin);
  request.once("socket", (socket) =>
    socket.once("connect", () => letIn(`http://${socket.remoteAddress}:${socket.remotePort}`)),
  );
  request.setHeader("authorization", letIn(`http://${hostname}:${port}`));
});
