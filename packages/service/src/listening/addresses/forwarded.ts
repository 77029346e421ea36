import type { IncomingMessage } from "node:http";
import { canonicalAddress, type Networks } from "./address.ts";

/** Who asks, and what for, past the proxies that are trusted. */
export interface Forwarded {
  /** The nearest address that is no trusted proxy. */
  readonly address: string;
  /** What the nearest proxy says it was asked by; undefined: it does not say, or nothing that can be read. */
  readonly protocol?: "http" | "https" | undefined;
  /** The host it was asked for; undefined: the Host header says. */
  readonly host?: string | undefined;
  /** Whether it came past a trusted proxy at all. */
  readonly isForwarded: boolean;
}

/** Lines of each header, as Node keeps them apart. */
type Lines = IncomingMessage["headersDistinct"];

/** Hops that are looked at: no chain of proxies is that long. */
const MAX_HOPS = 32;

/**
 * Who asks. Headers are believed of trusted proxies alone, and of each list the end: every proxy adds behind what it was
 * sent, so the nearest address that is not trusted is the last that anybody vouches for. Undefined where `Forwarded` and
 * `X-Forwarded-For` name two different people: which of them the proxy wrote cannot be known, and one of them was sent.
 */
export function forwardedBy(peer: string, lines: Lines, trusted: Networks): Forwarded | undefined {
  if (!trusted.has(peer)) return { address: peer, isForwarded: false };
  const elements = elementsOf(lines["forwarded"] ?? []);
  const said = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"].some((name) => lines[name] !== undefined);
  if (!said && elements.length === 0) return { address: peer, isForwarded: false };
  const listed = clientOf(peer, lastOf(lines["x-forwarded-for"] ?? []), trusted);
  const standard = clientOf(
    peer,
    elements.map(({ for: who = "" }) => who),
    trusted,
  );
  if (said && elements.length > 0 && listed !== standard) return undefined;
  const nearest = elements.at(-1);
  return {
    address: said ? listed : standard,
    protocol: protocolOf(lastOf(lines["x-forwarded-proto"] ?? []).at(-1) ?? nearest?.proto),
    host: lastOf(lines["x-forwarded-host"] ?? []).at(-1) ?? nearest?.host,
    isForwarded: true,
  };
}

/** Walks from the nearest hop outwards. What cannot be read ends the walk: of what lies behind nobody says anything. */
function clientOf(peer: string, hops: readonly string[], trusted: Networks): string {
  let client = peer;
  for (const hop of hops.toReversed()) {
    const address = addressIn(hop);
    if (address === undefined) return client;
    client = address;
    if (!trusted.has(address)) return client;
  }
  return client;
}

/** The address of a hop, which may have a port: `192.0.2.7`, `192.0.2.7:4711`, `[2001:db8::1]:4711`, `2001:db8::1`. */
function addressIn(hop: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\w+)?|([\d.]+)(?::\w+)?)$/.exec(hop) ?? [];
  return canonicalAddress(bracketed ?? plain ?? hop);
}

function protocolOf(text: string | undefined): Forwarded["protocol"] {
  const small = text?.toLowerCase();
  return small === "http" || small === "https" ? small : undefined;
}

/** The last entries of a list that stands in one line or several. */
function lastOf(lines: readonly string[]): string[] {
  return lines
    .join(",")
    .split(",")
    .slice(-MAX_HOPS)
    .map((entry) => entry.trim())
    .filter((entry, _, all) => all.length > 1 || entry !== "");
}

type Element = Partial<Record<"for" | "proto" | "host", string>>;

/** The last elements of `Forwarded` (RFC 7239, section 4). */
function elementsOf(lines: readonly string[]): Element[] {
  if (lines.length === 0) return [];
  return outsideQuotes(lines.join(","), ",").slice(-MAX_HOPS).map(elementOf);
}

function elementOf(text: string): Element {
  const element: Element = {};
  for (const pair of outsideQuotes(text, ";")) {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, at)).trim().toLowerCase();
    const value = pair.slice(at + 1).trim();
    if (name !== "for" && name !== "proto" && name !== "host") continue;
    element[name] = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value;
  }
  return element;
}

/** Cuts at a mark, but not where it is quoted. One look at each character: a regular expression would look back. */
function outsideQuotes(text: string, mark: string): string[] {
  const pieces: string[] = [];
  let begin = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (isQuoted && text[at] === "\\") at++;
    else if (!isQuoted && text[at] === mark) {
      pieces.push(text.slice(begin, at));
      begin = at + 1;
    }
  }
  pieces.push(text.slice(begin));
  return pieces;
}
