import { lookup } from "node:dns/promises";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIP, isIPv4 } from "node:net";
import { Readable } from "node:stream";

/** A page fetched from the web. */
export interface FetchedPage {
  /** Address it was finally found at, after redirects. */
  readonly url: string;
  /** As the server said, without parameters; empty when it did not say. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly changedAt: Date | undefined;
}

export interface FetchRules {
  /** Addresses of this machine and of private networks are allowed. Default false. */
  readonly allowPrivate?: boolean;
  readonly signal?: AbortSignal;
  /** Whether a proxy is asked for this address, which then finds the way to it. Default: none is. */
  readonly isProxied?: (url: URL) => boolean;
  /** All addresses of a host name. Default: the system's resolver. */
  readonly resolve?: (host: string) => Promise<string[]>;
  /** Sends one GET to exactly this address. Default: node:http and node:https. */
  readonly send?: (url: URL, address: string, signal: AbortSignal, headers: RequestHeaders) => Promise<Reply>;
  /** Sent besides the usual ones, or in their place. */
  readonly headers?: RequestHeaders;
  /** Called before a redirect is followed; what it throws keeps it from being followed. */
  readonly onRedirect?: (to: URL, status: number) => void;
  /** Longest time until everything is read, milliseconds. Default 10,000. */
  readonly mostMs?: number;
  /** Largest body, bytes. Default 5,000,000. */
  readonly mostBytes?: number;
}

type RequestHeaders = Readonly<Record<string, string>>;

/** What a server answered in the end, whatever its status. */
export interface FetchedReply {
  /** Address it was finally found at, after redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: Readonly<IncomingHttpHeaders>;
  /** Empty unless the status is 200. */
  readonly bytes: Uint8Array;
}

/** One reply, not yet read. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly body: AsyncIterable<Uint8Array>;
}

const MAX_REDIRECTS = 3;
const MAX_BYTES = 5_000_000;
const MAX_MS = 10_000;

/** A page that is not fetched, and why, in plain words. */
export class FetchRefusedError extends Error {
  override readonly name = "FetchRefusedError";
}

/**
 * Fetches a page without letting it reach anything but the public web: only http and https, the name resolved once and
 * the connection pinned to that address, every private range refused on the resolved address, at most 3 redirects each
 * checked anew, 10 seconds, 5 MB (docs/threats.md, T24). Where a proxy is asked, it resolves the name as well: what this
 * machine knows as private is refused all the same, what only the proxy knows is the proxy's to refuse. Throws
 * FetchRefusedError.
 */
export async function fetchPublicPage(address: string, rules: FetchRules = {}): Promise<FetchedPage> {
  return pageOf(await fetchGuarded(address, rules));
}

/** Fetches under the rules of `fetchPublicPage` and answers with any status. Throws FetchRefusedError. */
export async function fetchGuarded(address: string, rules: FetchRules): Promise<FetchedReply> {
  const { mostMs = MAX_MS, mostBytes = MAX_BYTES } = rules;
  const limit = AbortSignal.timeout(mostMs);
  const signal = rules.signal === undefined ? limit : AbortSignal.any([rules.signal, limit]);
  let url = parsePublicUrl(address);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const pinned = rules.isProxied?.(url) === true ? await checkUnpinned(url, rules) : await pinAddress(url, rules);
    const reply = await send({ ...rules, mostMs }, url, pinned, signal, limit);
    const next = reply.headers["location"];
    if (reply.status >= 300 && reply.status < 400 && next !== undefined) {
      await discard(reply.body);
      url = parsePublicUrl(next, url);
      rules.onRedirect?.(url, reply.status);
      continue;
    }
    const { status, headers, body } = reply;
    if (status === 200) return { url, status, headers, bytes: await readCapped(body, limit, { mostMs, mostBytes }) };
    await discard(body);
    return { url, status, headers, bytes: new Uint8Array() };
  }
  throw new FetchRefusedError(`more than ${MAX_REDIRECTS} redirects`);
}

function parsePublicUrl(address: string, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (url === null) throw new FetchRefusedError("this is not a web address");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new FetchRefusedError(`only http and https are fetched, not ${url.protocol}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new FetchRefusedError("the address carries a user name; leave it out");
  }
  return url;
}

/** The one address the connection will go to. */
async function pinAddress(url: URL, rules: FetchRules): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) === 0 ? await resolveName(host, rules) : [host];
  const address = addresses[0];
  if (address === undefined) throw new FetchRefusedError(`${url.hostname} has no address`);
  if (rules.allowPrivate !== true && !addresses.every(isPublicAddress)) {
    throw new FetchRefusedError(`${url.hostname} leads to a private address; --allow-private lets it`);
  }
  return address;
}

/** Answers undefined: where the connection goes is the proxy's to say, and it may know names that nobody here does. */
async function checkUnpinned(url: URL, rules: FetchRules): Promise<undefined> {
  const isKnown = await pinAddress(url, { ...rules, allowPrivate: true }).then(
    () => true,
    () => false,
  );
  if (isKnown) await pinAddress(url, rules);
}

async function resolveName(host: string, rules: FetchRules): Promise<string[]> {
  const resolve = rules.resolve ?? (async (name) => (await lookup(name, { all: true })).map((found) => found.address));
  try {
    return await resolve(host);
  } catch {
    throw new FetchRefusedError(`${host} cannot be found`);
  }
}

const PRIVATE_V4 = networks(
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 " +
    "192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
);
const PUBLIC_V6 = networks("2000::/3");
/** Inside that, but not the public internet: special use, documentation, addresses that hide IPv4. */
const SPECIAL_V6 = networks("2001::/23 2001:db8::/32 2002::/16 3fff::/20");

function networks(list: string): BlockList {
  const found = new BlockList();
  for (const network of list.split(" ")) {
    const [address = "", bits] = network.split("/");
    found.addSubnet(address, Number(bits), isIPv4(address) ? "ipv4" : "ipv6");
  }
  return found;
}

/** True for an address on the public internet; false for everything that is not surely so. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !PRIVATE_V4.check(address, "ipv4");
  if (isIP(address) !== 6) return false;
  return PUBLIC_V6.check(address, "ipv6") && !SPECIAL_V6.check(address, "ipv6");
}

async function send(
  rules: FetchRules & { readonly mostMs: number },
  url: URL,
  address: string | undefined,
  signal: AbortSignal,
  limit: AbortSignal,
): Promise<Reply> {
  const headers = { ...USUAL_HEADERS, ...rules.headers };
  try {
    if (address === undefined) return await sendByProxy(url, signal, headers);
    return await (rules.send ?? sendPinned)(url, address, signal, headers);
  } catch (error) {
    if (limit.aborted) throw new FetchRefusedError(`${url.host} took longer than ${rules.mostMs / 1000} seconds`);
    if (signal.aborted) throw error;
    throw new FetchRefusedError(`${url.host} cannot be reached`, { cause: error });
  }
}

const USUAL_HEADERS = {
  accept: "text/html, text/markdown, text/plain, application/pdf",
  "accept-encoding": "identity",
};

/** The name stays in the request (Host, TLS server name); only where the connection goes is fixed. */
function sendPinned(url: URL, address: string, signal: AbortSignal, headers: RequestHeaders): Promise<Reply> {
  const family = isIPv4(address) ? 4 : 6;
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent: false,
      signal,
      headers,
      lookup: (_host, options, answer) => {
        if (options.all === true) answer(null, [{ address, family }]);
        else answer(null, address, family);
      },
    });
    sent.once("error", reject);
    sent.once("response", (body) => resolve({ status: body.statusCode ?? 0, headers: body.headers, body }));
    sent.end();
  });
}

/** The process's own `fetch` knows the proxy. */
async function sendByProxy(url: URL, signal: AbortSignal, headers: RequestHeaders): Promise<Reply> {
  const reply = await fetch(url, { redirect: "manual", signal, headers });
  return { status: reply.status, headers: Object.fromEntries(reply.headers), body: reply.body ?? Readable.from([]) };
}

/** Ends a body nobody reads, so that its socket closes. */
async function discard(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

async function readCapped(
  body: AsyncIterable<Uint8Array>,
  limit: AbortSignal,
  { mostMs, mostBytes }: Readonly<Record<"mostMs" | "mostBytes", number>>,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of body) {
      size += part.length;
      if (size > mostBytes) throw new FetchRefusedError(`the page is larger than ${mostBytes / 1_000_000} MB`);
      parts.push(part);
    }
  } catch (error) {
    if (limit.aborted) throw new FetchRefusedError(`the page took longer than ${mostMs / 1000} seconds`);
    throw error;
  }
  return Buffer.concat(parts);
}

/** The page of a reply. Throws FetchRefusedError for any status but 200. */
export function pageOf({ url, status, headers, bytes }: FetchedReply): FetchedPage {
  if (status !== 200) throw new FetchRefusedError(`${url.host} answered with status ${status}`);
  const type = headers["content-type"] ?? "";
  const changed = Date.parse(headers["last-modified"] ?? "");
  return {
    url: url.href,
    contentType: (type.split(";")[0] ?? "").trim().toLowerCase(),
    bytes,
    changedAt: Number.isNaN(changed) ? undefined : new Date(changed),
  };
}
