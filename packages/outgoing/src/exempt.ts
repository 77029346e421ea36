import { BlockList, isIP, isIPv4 } from "node:net";

/** Whether an address is called without a proxy. */
export type IsExempt = (host: string, port: number) => boolean;

interface Entry {
  /** Absent: every port. */
  readonly port: number | undefined;
  readonly matches: (host: string) => boolean;
}

/**
 * Reads NO_PROXY: entries between commas or blanks, small and capital letters alike. `*`: everything. A name: itself
 * and what ends with it behind a dot, with or without a dot or `*.` before it. An address: itself. `10.0.0.0/8`: the
 * addresses in it, where an address is called; names are not looked up for it, as curl does not. `:8080` behind a name or
 * an address: at that port alone. What is none of this matches nothing.
 */
export function readExempt(text: string): IsExempt {
  const entries = text.split(/[,\s]+/).flatMap((word) => (word === "" ? [] : [entryOf(word.toLowerCase())]));
  return (host, port) => {
    const name = plainHost(host);
    return entries.some((entry) => (entry.port === undefined || entry.port === port) && entry.matches(name));
  };
}

function entryOf(word: string): Entry {
  // An address of version 6 has a port only behind brackets.
  const [, named, port] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(word) ?? [];
  return { port: port === undefined ? undefined : Number(port), matches: matcherOf(plainHost(named ?? word)) };
}

function matcherOf(pattern: string): Entry["matches"] {
  if (pattern === "*") return () => true;
  const slash = pattern.indexOf("/");
  if (slash > 0) return networkMatcher(plainHost(pattern.slice(0, slash)), pattern.slice(slash + 1));
  if (isIP(pattern) !== 0) return networkMatcher(pattern, isIPv4(pattern) ? "32" : "128");
  const name = pattern.replace(/^\*?\./, "");
  return (host) => name !== "" && (host === name || host.endsWith(`.${name}`));
}

function networkMatcher(address: string, bits: string): Entry["matches"] {
  const family = isIPv4(address) ? "ipv4" : "ipv6";
  if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === "ipv4" ? 32 : 128))
    return () => false;
  const network = new BlockList();
  network.addSubnet(address, Number(bits), family);
  return (host) => isIP(host) !== 0 && network.check(host, isIPv4(host) ? "ipv4" : "ipv6");
}

/** A host as it is compared: without brackets, without the dot that ends a whole name, in small letters. */
function plainHost(host: string): string {
  return host
    .replace(/^\[|\]$/g, "")
    .replace(/(?<=.)\.$/, "")
    .toLowerCase();
}
