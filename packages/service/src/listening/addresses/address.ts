import { BlockList, isIP, isIPv4 } from "node:net";

/** An address and a port, as `--listen` names them. */
export interface ListenAddress {
  /** Canonical, without brackets, such as `192.0.2.7` or `::`. */
  readonly host: string;
  /** Undefined: nobody named one. */
  readonly port: number | undefined;
}

/** Reads `ADDRESS[:PORT]`, an IPv6 address with a port in brackets; undefined where it is none. Names are none. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  // Without brackets and a port, more than one colon is an IPv6 address.
  const written = bracketed ?? plain ?? text;
  const host = canonicalAddress(written);
  const port = digits === undefined ? undefined : Number(digits);
  if (host === undefined || (bracketed !== undefined && isIPv4(written)) || (port ?? 0) > 65_535) return undefined;
  return { host, port };
}

/**
 * One way to write each address: IPv6 compressed and in small letters, an IPv4 address that stands in IPv6
 * (`::ffff:192.0.2.7`) as IPv4, no zone. Undefined where it is no address.
 */
export function canonicalAddress(text: string): string | undefined {
  const [bare = ""] = text.split("%", 1);
  const version = isIP(bare);
  if (version === 4) return bare;
  if (version !== 6) return undefined;
  // The platform's own reader of addresses writes them in the one form.
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  return [high, low].flatMap((pair) => [Number.parseInt(pair, 16) >> 8, Number.parseInt(pair, 16) & 255]).join(".");
}

/** Whether nobody but this machine reaches it. */
export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}

/** Whether it stands for every address of the machine. */
export function isEveryAddress(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}

/** An address as it stands in a URL. */
export function inUrl(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

/**
 * Who counts as one: an IPv4 address, or the 64 bits of an IPv6 address that a network gives to one customer, since who has
 * one of these has all of them.
 */
export function counterOf(address: string): string {
  if (!address.includes(":")) return address;
  const [front = "", back] = address.split("::");
  const first = front === "" ? [] : front.split(":");
  const last = back === undefined || back === "" ? [] : back.split(":");
  const zeros = back === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: zeros }, () => "0"), ...last];
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/** Networks by their addresses. */
export interface Networks {
  /** Whether a canonical address lies in one of them. */
  has(address: string): boolean;
}

/** One network such as `10.0.0.0/8`, `fd00::/8` or an address alone; undefined where it is none. */
export function parseNetwork(text: string): { address: string; bits: number } | undefined {
  const [, written = "", digits] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = canonicalAddress(written);
  if (address === undefined || written.includes("%")) return undefined;
  const most = isIPv4(address) ? 32 : 128;
  // Of IPv4 that is written in IPv6, the first 96 bits say only that.
  const shift = isIPv4(address) && !isIPv4(written) ? 96 : 0;
  const bits = digits === undefined ? most : Number(digits) - shift;
  return bits < 0 || bits > most ? undefined : { address, bits };
}

/** These networks together. */
export function networksOf(networks: readonly { readonly address: string; readonly bits: number }[]): Networks {
  // One list for each kind: a list that has both finds IPv4 addresses in networks of IPv6.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  const family = (address: string) => (isIPv4(address) ? "ipv4" : "ipv6");
  for (const { address, bits } of networks) lists[family(address)].addSubnet(address, bits, family(address));
  return { has: (address) => lists[family(address)].check(address, family(address)) };
}
