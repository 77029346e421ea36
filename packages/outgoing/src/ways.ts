import { isIP, type Socket } from "node:net";
import { connect, type DetailedPeerCertificate, type TLSSocket } from "node:tls";
import type { ServerFinding } from "@threadlore/client/diagnose";
import { CA_FILE } from "./authorities.ts";
import type { Outgoing } from "./outgoing.ts";
import { portOf, wayTo } from "./proxies.ts";
import { ProxyError, unusable } from "./proxy-error.ts";
import { openTunnel, TUNNEL_MS } from "./tunnel.ts";

/** An address this program calls. */
export interface Destination {
  /** What it is to the person, such as `Slack`. */
  readonly name: string;
  readonly url: string;
}

/** How long is waited, and what ends it. */
interface Patience {
  /** Longest wait for each step of a way, milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Goes the way to each address as far as its certificate, sends nothing, and says which proxy is used and what is wrong
 * with it. Where no proxy is set there is a finding only for a certificate that is not trusted: all else that can be
 * wrong is seen by whoever calls the address. Throws only the reason of an aborted signal.
 */
export async function lookAtWays(
  destinations: readonly Destination[],
  outgoing: Pick<Outgoing, "proxies" | "dispatcher">,
  patience: Patience = {},
): Promise<ServerFinding[]> {
  // Trusts what is to be trusted.
  await outgoing.dispatcher();
  const found = await Promise.all(destinations.map((one) => lookAtWay(one, outgoing, patience)));
  return found.filter((finding) => finding !== undefined);
}

async function lookAtWay(
  { name, url: address }: Destination,
  { proxies }: Pick<Outgoing, "proxies">,
  { timeoutMs = TUNNEL_MS, signal }: Patience,
): Promise<ServerFinding | undefined> {
  const url = URL.parse(address);
  if (url === null) return undefined;
  const what = `way to ${name}`;
  const way = wayTo(url, proxies);
  const target = `${url.hostname}:${portOf(url)}`;
  const isSecure = url.protocol === "https:" || url.protocol === "wss:";
  if (way.kind === "unusable") return ofError(what, unusable(way.setting));
  const words =
    way.kind === "proxy" ? `by the proxy ${way.proxy.label} (${way.proxy.by})` : `directly (${way.because})`;
  const begun = `${url.host} is called ${words}`;
  // A request that is not encrypted is the proxy's to carry out: what it says is seen by whoever calls the address.
  if (!isSecure) return way.kind === "proxy" ? { what, ok: true, evidence: `${begun}.`, fix: "" } : undefined;
  let certificate: Certificate | undefined;
  try {
    const socket = way.kind === "proxy" ? await openTunnel(way.proxy, target, { timeoutMs, signal }) : undefined;
    certificate = await certificateOf(url, socket, { timeoutMs, signal });
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ProxyError) return ofError(what, error);
    if (way.kind === "direct") return undefined;
    const evidence = `${begun}; no encrypted connection came about behind it.`;
    return { what, ok: false, evidence, fix: "Check the address, and ask whoever runs the proxy." };
  }
  if (certificate.trouble !== undefined)
    return { what, ok: false, ...untrusted(begun, certificate.trouble, certificate.issuer) };
  if (way.kind === "direct" && way.because !== "NO_PROXY") return undefined;
  const evidence = `${begun}; its certificate is of ${certificate.issuer}, which is trusted here.`;
  return { what, ok: true, evidence, fix: "" };
}

/** What a server shows for itself. */
interface Certificate {
  /** Who vouches for it, as far as it says. */
  readonly issuer: string;
  /** Why it is not trusted, as Node calls it; undefined: it is. */
  readonly trouble: string | undefined;
}

/** Shakes hands and hangs up. Nothing is sent over the connection, which may be anybody's. */
function certificateOf(url: URL, socket: Socket | undefined, { timeoutMs, signal }: Patience): Promise<Certificate> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const connection: TLSSocket = connect({
      ...(socket === undefined ? { host, port: portOf(url) } : { socket }),
      servername: isIP(host) === 0 ? host : "",
      // Looked at below: whether it is trusted is what is asked here.
      rejectUnauthorized: false,
    });
    const end = (error?: Error): void => void connection.destroy(error);
    const late = setTimeout(() => end(new Error("too late")), timeoutMs);
    const stop = (): void => end(new Error("stopped"));
    signal?.addEventListener("abort", stop, { once: true });
    connection.once("secureConnect", () => {
      const { authorizationError } = connection;
      const trouble = connection.authorized ? undefined : String(authorizationError ?? "not trusted");
      resolve({ issuer: issuerOf(connection.getPeerCertificate(true)), trouble });
      end();
    });
    connection.on("error", reject);
    connection.once("close", () => {
      clearTimeout(late);
      signal?.removeEventListener("abort", stop);
      reject(new Error("closed"));
    });
  });
}

/** The last one in the chain a server shows: whoever vouches for all of it. */
function issuerOf(certificate: DetailedPeerCertificate): string {
  let last = certificate;
  for (
    let steps = 0;
    steps < 8 && last.issuerCertificate !== undefined && last.issuerCertificate !== last;
    steps += 1
  ) {
    last = last.issuerCertificate;
  }
  const { CN, O } = last.issuer ?? {};
  const name = [CN, O].flat().find((part) => part !== undefined && part !== "");
  return name === undefined ? "an authority without a name" : `“${name}”`;
}

function untrusted(begun: string, trouble: string, issuer: string): Pick<ServerFinding, "evidence" | "fix"> {
  if (trouble === "CERT_HAS_EXPIRED" || trouble === "CERT_NOT_YET_VALID") {
    const evidence = `${begun}; its certificate, of ${issuer}, is not valid now (${trouble}).`;
    return { evidence, fix: "Check this machine's clock; if it is right, have the certificate renewed." };
  }
  if (trouble === "ERR_TLS_CERT_ALTNAME_INVALID") {
    const evidence = `${begun}; the certificate it shows, of ${issuer}, is for another name.`;
    return { evidence, fix: "Check the address. A server of another name answers there, or a proxy in its place." };
  }
  return {
    evidence: `${begun}; its certificate is of ${issuer}, which nothing on this machine trusts (${trouble}).`,
    fix:
      `If that is your company's authority, name the file of its certificate (PEM) in ${CA_FILE}, or add it to the ` +
      "system's store. If you do not know it, somebody else answers in that place.",
  };
}

function ofError(what: string, { what: happened, fix }: ProxyError): ServerFinding {
  return { what, ok: false, evidence: `${happened.charAt(0).toUpperCase()}${happened.slice(1)}.`, fix };
}
