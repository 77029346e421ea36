import { callbackify } from "node:util";
import { Agent, buildConnector, type Dispatcher } from "undici";
import { portOf, type Proxies, type Proxy, wayTo } from "./proxies.ts";
import { notConnected, unusable } from "./proxy-error.ts";
import { openTunnel, TUNNEL_MS } from "./tunnel.ts";

/** The headers of a request, as a dispatcher is given them. */
type Headers = Dispatcher.DispatchOptions["headers"];

/**
 * What sends requests the way the settings say: through a tunnel where they are encrypted or a WebSocket begins with
 * them, otherwise as requests to the proxy (RFC 9112, section 3.2.2), and directly where there is no proxy for an address.
 * @param timeoutMs longest wait for a way through a proxy
 */
export function createDispatcher(proxies: Proxies, timeoutMs = TUNNEL_MS): Dispatcher {
  const direct = buildConnector({ allowH2: false });
  const tunnelled = callbackify((proxy: Proxy, target: string) => openTunnel(proxy, target, { timeoutMs }));
  const connected = new Agent({ allowH2: false, connect });
  const toProxies = new Agent({ allowH2: false, connect: connectToProxy });

  function connect(options: buildConnector.Options, callback: buildConnector.Callback): void {
    const way = wayTo(addressOf(options), proxies);
    if (way.kind === "direct") return direct(options, callback);
    if (way.kind === "unusable") return callback(unusable(way.setting), null);
    const target = `${options.hostname}:${options.port || portOf({ port: "", protocol: options.protocol })}`;
    tunnelled(way.proxy, target, (error, socket) => {
      if (error !== null) callback(error, null);
      else if (options.protocol === "https:") direct({ ...options, httpSocket: socket }, callback);
      else callback(null, socket);
    });
  }

  /** What goes wrong here is the proxy's, and not the server's the request is for. */
  function connectToProxy(options: buildConnector.Options, callback: buildConnector.Callback): void {
    const { plain } = proxies;
    direct(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else callback(plain === undefined || "problem" in plain ? error : notConnected(plain, error), null);
    });
  }

  return connected.compose((dispatch) => (options, handler) => {
    const url = URL.parse(String(options.origin));
    const way = url !== null && url.protocol === "http:" && !options.upgrade ? wayTo(url, proxies) : undefined;
    if (url === null || way?.kind !== "proxy") return dispatch(options, handler);
    const { protocol, label, authorization } = way.proxy;
    return toProxies.dispatch(
      {
        ...options,
        origin: `${protocol}//${label}`,
        path: `${url.origin}${options.path}`,
        headers: withHeaders(options.headers, { host: url.host, "proxy-authorization": authorization }),
      },
      handler,
    );
  });
}

function addressOf({ protocol, hostname, port }: buildConnector.Options): URL {
  return new URL(`${protocol}//${hostname}${port === "" ? "" : `:${port}`}`);
}

/** These headers as well; one that is there already stays. */
function withHeaders(headers: Headers, added: Readonly<Record<string, string | undefined>>): Headers {
  const pairs: [string, string | string[]][] = [];
  const entries = Array.isArray(headers)
    ? chunked(headers)
    : isIterable(headers)
      ? [...headers]
      : Object.entries(headers ?? {});
  for (const [name, value] of entries) if (value !== undefined) pairs.push([name, value]);
  const names = new Set(pairs.map(([name]) => name.toLowerCase()));
  for (const [name, value] of Object.entries(added))
    if (value !== undefined && !names.has(name)) pairs.push([name, value]);
  return Object.fromEntries(pairs);
}

/** Names and values, which may also come one behind the other. */
function chunked(flat: readonly (string | string[])[]): [string, string | string[]][] {
  return Array.from({ length: flat.length / 2 }, (_, index) => [String(flat[2 * index]), flat[2 * index + 1] ?? ""]);
}

function isIterable(headers: Headers): headers is Iterable<[string, string | string[] | undefined]> {
  return headers !== null && headers !== undefined && Symbol.iterator in headers;
}
