import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import type { Proxy } from "./proxies.ts";
import { notConnected, refusedBy, silent, type ProxyError } from "./proxy-error.ts";

/** Longest wait for a way through a proxy, milliseconds. */
export const TUNNEL_MS = 10_000;

/**
 * Has a proxy connect to a server and gives the connection, on which nothing was said yet (RFC 9110, section 9.3.6).
 * Rejects with a ProxyError, or with the reason of an aborted signal.
 * @param target host and port, an address of version 6 in brackets
 */
export function openTunnel(
  proxy: Proxy,
  target: string,
  { timeoutMs = TUNNEL_MS, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<Socket> {
  const { protocol, host, port, authorization } = proxy;
  const send = protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const asked = send({
      host,
      port,
      method: "CONNECT",
      path: target,
      headers: { host: target, ...(authorization !== undefined && { "proxy-authorization": authorization }) },
      // The certificate is the proxy's own; without this it would be looked for by the name in `host`.
      servername: isIP(host) === 0 ? host : "",
      agent: false,
      signal,
    });
    let late: ProxyError | undefined;
    const timer = setTimeout(() => {
      late = silent(proxy, timeoutMs);
      asked.destroy(late);
    }, timeoutMs);
    asked.once("connect", ({ statusCode = 0 }, socket, first) => {
      clearTimeout(timer);
      if (statusCode >= 200 && statusCode < 300) {
        if (first.length > 0) socket.unshift(first);
        resolve(socket as Socket);
      } else {
        // Told already; what it sends after that concerns nobody.
        socket.on("error", () => undefined);
        socket.destroy();
        reject(refusedBy(proxy, statusCode, target));
      }
    });
    asked.once("error", (error) => {
      clearTimeout(timer);
      reject(signal?.aborted === true ? error : (late ?? notConnected(proxy, error)));
    });
    asked.end();
  });
}
