import {
  inUrl,
  isEveryAddress,
  isLoopbackAddress,
  type ListenAddress,
  type Networks,
  networksOf,
  parseListenAddress,
  parseNetwork,
} from "./addresses/address.ts";
import { type HostName, HostNames, parseHost } from "./addresses/names.ts";

/** How a service is reached beyond this machine. */
export interface NetworkOptions {
  /** Addresses to listen on besides loopback, `ADDRESS[:PORT]`; the port is the service's own, or with TLS 8443. */
  readonly listen?: readonly string[];
  /** Hosts it answers to, `NAME[:PORT]`, besides the addresses it listens on. */
  readonly hosts?: readonly string[];
  /** Paths of a certificate with those it leans on, and of its key, both PEM. Read anew when they change. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Networks of proxies whose word is taken for who asks, such as `10.0.0.0/8`. */
  readonly trustedProxies?: readonly string[];
  /** Keys may travel in the clear. */
  readonly plainHttp?: boolean;
  /** Where people find it, such as `https://knowledge.example.com`. Default: its first host, or address. */
  readonly publicUrl?: string;
  /** How long running answers may take to end once it is told to stop, milliseconds. Default 30,000, on loopback alone 0. */
  readonly stopMs?: number;
}

/** It cannot listen as it was told to; what is wrong and what to do, one sentence or more for each thing. */
export class ListeningError extends Error {
  override readonly name = "ListeningError";
  readonly problems: readonly [string, ...string[]];

  constructor(problems: readonly [string, ...string[]], cause?: unknown) {
    super(problems.join("\n"), { cause });
    this.problems = problems;
  }
}

/** One address a service listens on. */
export interface Door {
  readonly host: string;
  /** Undefined: the one that the first door got. */
  readonly port: number | undefined;
  /** For this machine alone, as without any network. */
  readonly isLoopback: boolean;
  readonly isSecure: boolean;
  /** Whether `::` leaves IPv4 to another. */
  readonly ipv6Only: boolean;
  /** There may be no such address, and nothing is lost. */
  readonly isOptional: boolean;
}

/** How a service listens, once everything that was said of it is known to fit together. */
export interface ListeningPlan {
  /** The first is the one this machine's own commands use. */
  readonly doors: readonly Door[];
  readonly names: HostNames;
  readonly trusted: Networks;
  readonly hasProxies: boolean;
  readonly isPlainAllowed: boolean;
  /** Whether others than this machine reach it, themselves or through a proxy. */
  readonly isReachable: boolean;
  /** Where people find it, once the port of its first door on a network is known. */
  publicUrl(port: number): string | undefined;
  readonly stopMs: number;
}

/** Port of addresses with TLS where none is named: the service's own stays without, for this machine. */
const TLS_PORT = 8443;
const STOP_MS = 30_000;
const LOOPBACK: readonly string[] = ["127.0.0.1", "::1"];

/**
 * How to listen. Throws ListeningError with everything that stands against it.
 * @param home the port on loopback
 * @param anonymous whether callers without a key are admitted
 */
export function planListening(options: NetworkOptions, home: number, anonymous: boolean): ListeningPlan {
  const problems: string[] = [];
  const addresses = read(options.listen, parseListenAddress, problems, (text) => {
    return `--listen ${text} is no address of a machine. Give an IP address, with a port or without: 192.0.2.7, 0.0.0.0:8443, [::]. Names go to --host.`;
  });
  const hosts = read(options.hosts, parseHost, problems, (text) => {
    return `--host ${text} is no name of a host. Give it as it stands in addresses, without https:// and path: knowledge.example.com.`;
  });
  const networks = read(options.trustedProxies, parseNetwork, problems, (text) => {
    return `--trusted-proxy ${text} is no network. Give an address or a network of them: 10.0.0.7, 10.0.0.0/8, fd00::/8.`;
  });
  if (networks.some(({ bits }) => bits === 0)) {
    problems.push("--trusted-proxy with /0 would believe everybody. Name the network the proxy is in.");
  }
  const url = publicUrlIn(options, problems);
  const beyond = addresses.filter(({ host }) => !isLoopbackAddress(host));
  const literals = beyond.filter(({ host }) => !isEveryAddress(host));
  const named = [...hosts, ...(url === undefined ? [] : [url.host])];
  const isReachable = beyond.length > 0 || networks.length > 0;
  const isSecure = options.tls !== undefined;
  if (isReachable) {
    if (anonymous) {
      problems.push(
        "--anonymous admits callers without a key, and others than this machine reach this service. Leave it out.",
      );
    }
    // Through a proxy no address is a name.
    if (named.length === 0 && (networks.length > 0 || literals.length < beyond.length)) {
      problems.push(
        "Say by which names it is called, with --host knowledge.example.com: a request for any other is refused, so that no name somebody else points here opens it.",
      );
    }
    if (!isSecure && networks.length === 0 && options.plainHttp !== true) {
      problems.push(
        "Keys would travel in the clear. Give --tls-cert and --tls-key, or put a proxy with TLS before it and name it with --trusted-proxy; --plain-http goes on without either.",
      );
    }
  }
  const isAlone = [...(options.listen ?? []), ...(options.trustedProxies ?? [])].length === 0;
  if (isAlone && (named.length > 0 || isSecure)) {
    problems.push(
      "--host, --public-url, --tls-cert and --tls-key are for others than this machine, and none reach it: add --listen, such as --listen 0.0.0.0, or name a proxy on this machine with --trusted-proxy 127.0.0.1.",
    );
  }
  const doors = doorsOf(addresses, home, isSecure, problems);
  const [first, ...rest] = problems;
  if (first !== undefined) throw new ListeningError([first, ...rest]);
  return {
    doors,
    names: new HostNames(named),
    trusted: networksOf(networks),
    hasProxies: networks.length > 0,
    isPlainAllowed: isSecure || networks.length === 0 || options.plainHttp === true,
    isReachable,
    publicUrl: (port) => {
      const [host] = [...hosts, ...literals.map((one) => ({ name: inUrl(one.host), port: undefined }))];
      if (url !== undefined || host === undefined) return url?.origin;
      // Before a proxy's own port nobody here knows of another.
      if (networks.length > 0) return originOf("https", host, host.port);
      return originOf(isSecure ? "https" : "http", host, host.port ?? port);
    },
    stopMs: options.stopMs ?? (isReachable ? STOP_MS : 0),
  };
}

function originOf(scheme: string, { name }: HostName, port: number | undefined): string {
  return new URL(`${scheme}://${name}${port === undefined ? "" : `:${port}`}`).origin;
}

/** Each text as what it means; what means nothing is a problem. */
function read<Read>(
  texts: readonly string[] = [],
  parse: (text: string) => Read | undefined,
  problems: string[],
  problemOf: (text: string) => string,
): Read[] {
  return texts.flatMap((text) => {
    const parsed = parse(text);
    if (parsed === undefined) problems.push(problemOf(text));
    return parsed ?? [];
  });
}

function publicUrlIn(
  { publicUrl, tls, trustedProxies = [], plainHttp }: NetworkOptions,
  problems: string[],
): { origin: string; host: HostName } | undefined {
  if (publicUrl === undefined) return undefined;
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
  const host = url && parseHost(url.host);
  const isWhole = url !== undefined && ["", "/"].includes(url.pathname) && url.search + url.hash + url.username === "";
  if (host === undefined || !isWhole || !["http:", "https:"].includes(url.protocol)) {
    problems.push(
      `--public-url ${publicUrl} is not where a service can be. Give scheme, host and perhaps a port, without a path: https://knowledge.example.com.`,
    );
    return undefined;
  }
  if (url.protocol === "http:" && (tls !== undefined || trustedProxies.length > 0) && plainHttp !== true) {
    problems.push(
      `--public-url ${publicUrl} is without TLS. Write https://, or add --plain-http if keys may travel in the clear.`,
    );
  }
  return { origin: url.origin, host };
}

/** Loopback first, unless an address that stands for all has its port; then those that were named. */
function doorsOf(addresses: readonly ListenAddress[], home: number, isSecure: boolean, problems: string[]): Door[] {
  const named = addresses
    .map(({ host, port }) => {
      const isLoopback = isLoopbackAddress(host);
      // This machine's own commands find its own port without TLS.
      const isTls = isSecure && !(LOOPBACK.includes(host) && (port ?? home) === home);
      const own = port ?? (isTls ? TLS_PORT : undefined);
      return {
        host,
        port: own === home && home !== 0 ? undefined : own,
        isLoopback,
        isSecure: isTls,
        isOptional: false,
      };
    })
    .filter((door, index, all) => index === all.findIndex(({ host, port }) => host === door.host && port === door.port))
    .filter(({ host, port }) => port !== undefined || !LOOPBACK.includes(host));
  const covering = named.filter(({ host, port }) => isEveryAddress(host) && port === undefined);
  if (covering.some((door) => door.isSecure)) {
    problems.push(
      `Port ${home} on loopback is without TLS, for this machine. Give another to --listen, such as 0.0.0.0:${TLS_PORT}, or to --port.`,
    );
  }
  const covered = covering.flatMap(({ host }) => (host === "::" ? LOOPBACK : ["127.0.0.1"]));
  const loopback = LOOPBACK.filter((host) => !covered.includes(host)).map((host) => {
    return { host, port: undefined, isLoopback: true, isSecure: false, isOptional: host === "::1" };
  });
  const others = [...covering, ...named.filter((door) => !covering.includes(door))];
  // The first door's port is that of all who named none: it has to be one that is there.
  const all = covering.length === 0 ? [...loopback, ...others] : [...others, ...loopback];
  const hasFour = (port: number | undefined) => named.some((door) => door.host === "0.0.0.0" && door.port === port);
  return all.map((door, index) => ({
    ...door,
    port: index === 0 ? home : door.port,
    ipv6Only: door.host !== "::" || hasFour(door.port),
  }));
}
