import { getPath } from "hono/utils/url";
import type { ServiceContext } from "../context.ts";
import { arrivalOf, isFromElsewhere, toldOrigin } from "./arrival.ts";
import { wasPaired } from "./keys.ts";
import { refusal } from "./problem.ts";

const LOOPBACK_NAMES = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Paths an extension may call before it is known: to find the service, to pair, and to get the key its person agreed to. */
const BEFORE_PAIRING = new Set(["/health", "/pairing", "/auth/type", "/sign-in/token"]);

/**
 * Refuses a request that does not name this machine and this port (docs/threats.md, T22). A page of another site whose
 * name was pointed at this machine still sends its own name, so this holds where the browser's rules do not. Whoever
 * listens has looked already, and knows more names.
 */
export function checkHost(request: Request, { settings }: ServiceContext): void {
  if (arrivalOf(request) !== undefined) return;
  if (namesThisService(request.headers.get("host") ?? new URL(request.url).host, settings.port)) return;
  throw refusal(403, "HOST_NOT_ALLOWED", "This service answers only to this machine: use 127.0.0.1 and its port.");
}

/** Whether a Host header is 127.0.0.1, localhost or [::1] with this port; undefined: with any port. */
export function namesThisService(host: string, port: number | undefined): boolean {
  const [, name, ownPort] = /^(\[::1\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(host.toLowerCase()) ?? [];
  if (name === undefined || !LOOPBACK_NAMES.has(name)) return false;
  return port === undefined || Number(ownPort ?? 80) === port;
}

/**
 * Refuses a request that a web page sent (docs/threats.md, T21). No Origin is fine: bots and the terminal send none.
 * An extension's origin is fine once it is paired, and before that for finding the service and pairing. Answers the origin
 * whose pages may read the answer; null: none.
 */
export async function checkOrigin(request: Request, context: ServiceContext): Promise<string | null> {
  const origin = request.headers.get("origin");
  const path = getPath(request);
  if (isPage(request)) {
    checkPage(request, origin);
    return null;
  }
  if (origin !== null) {
    // An extension must read these answers to pair at all; unlike a web page, it was installed by the person.
    const early = isExtensionOrigin(origin) && BEFORE_PAIRING.has(path);
    if (early || (await context.store.read(wasPaired(origin)))) return origin;
    // From elsewhere nothing is done without a key, and nobody pairs. A person gave this extension one, and access to here.
    if (isExtensionOrigin(origin) && isFromElsewhere(request) && request.headers.has("authorization")) return null;
    if (!isOwnOrigin(origin, context)) throw originRefused();
    return null;
  }
  const site = request.headers.get("sec-fetch-site");
  if (site === "cross-site" || site === "same-site") throw originRefused();
  return null;
}

/**
 * Whether a request is for a page of this service for people, or is what one sends. The rest of `/sign-in/` is for programs. The
 * path is the one routes are found by: `/%73ign-in` is the same page.
 */
export function isPage(request: Request): boolean {
  const path = getPath(request);
  return /^\/(?:sign-in|account)(?:\/|$)/.test(path) && !PROGRAM_PATHS.has(path);
}

const PROGRAM_PATHS = new Set(["/sign-in/token"]);

/**
 * What pages send is taken from this service's own pages alone, by the address people were told. They may be opened from
 * anywhere, such as a link in a chat, but only as a whole page that a person sees.
 */
function checkPage(request: Request, origin: string | null): void {
  const site = request.headers.get("sec-fetch-site");
  if (request.method === "GET" || request.method === "HEAD") {
    const isOpened = site === null || site === "none" || site === "same-origin" || isNavigation(request.headers);
    if (origin === null && isOpened) return;
    throw originRefused();
  }
  // Programs ask for a code by the path of the page where it is typed.
  if (origin === null && site === null && getPath(request) === "/sign-in/device") return;
  const told = toldOrigin(request);
  if (origin === told && (site === null || site === "same-origin")) return;
  throw refusal(
    403,
    "ORIGIN_NOT_ALLOWED",
    `This was not sent by a page of this service. Open ${told}/account in your browser, and go on from there.`,
  );
}

function isNavigation(headers: Headers): boolean {
  return headers.get("sec-fetch-mode") === "navigate" && headers.get("sec-fetch-dest") === "document";
}

/** Headers that let an extension's page read the answer; never a star. */
export function corsHeaders(reader: string | null): Record<string, string> {
  if (reader === null) return { Vary: "Origin" };
  return { Vary: "Origin", "Access-Control-Allow-Origin": reader, "Access-Control-Expose-Headers": "Retry-After" };
}

/** The answer to a browser that asks before it sends. */
export function preflight(reader: string | null): Response {
  if (reader === null) throw originRefused();
  return new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(reader),
      "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
      "Access-Control-Allow-Headers": "authorization, content-type, traceparent",
      "Access-Control-Allow-Private-Network": "true",
      "Access-Control-Max-Age": "600",
    },
  });
}

/** Whether an origin is a browser extension's. Only these can be paired. */
export function isExtensionOrigin(origin: string): boolean {
  return /^(?:chrome-extension:\/\/[a-p]{32}|(?:moz|safari-web)-extension:\/\/[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/.test(
    origin,
  );
}

function isOwnOrigin(origin: string, { settings }: ServiceContext): boolean {
  if (settings.port === undefined) return false;
  return [...LOOPBACK_NAMES].some((name) => origin === `http://${name}:${settings.port}`);
}

function originRefused(): Error {
  return refusal(
    403,
    "ORIGIN_NOT_ALLOWED",
    "Web pages may not call this service. An extension may once it is paired: run `threadlore serve` and type its code.",
  );
}
