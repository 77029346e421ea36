/** Stable ids. Servers percent-encode whatever else stands in an id, so ours hold letters, digits and `_.-` only. */

/**
 * Id of a file, from its path relative to the folder it belongs to: the same on every machine and every run.
 *
 * `namespace` keeps equal paths of different folders apart; name it after the folder's purpose, not its place. Either
 * kind of slash will do, `.` and `..` are resolved, and the two Unicode spellings of one name count as one.
 */
export async function fileId(path: string, namespace: string = ""): Promise<string> {
  const clean = resolvedPath(path);
  return `file_${slug(`${namespace} ${clean}`)}_${(await contentHash(`${namespace.normalize()}\0${clean}`)).slice(0, 24)}`;
}

/**
 * Id of a web page: the same for every address that `canonicalUrl` makes one, and with or without TLS or `www.`.
 * Throws TypeError when `url` is no http(s) address.
 */
export async function webId(url: string): Promise<string> {
  const { host, pathname, search, hash } = new URL(canonicalUrl(url));
  const page = `${host.replace(/^www\./, "")}${pathname === "/" ? "" : pathname}`;
  return `web_${slug(page)}_${(await contentHash(page + search + hash)).slice(0, 24)}`;
}

/** SHA-256 of a text (as UTF-8) or of bytes, as 64 hex digits. Equal hashes: nothing has changed. */
export async function contentHash(content: string | Uint8Array): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * One address for the many under which a page is passed around: without tracking parameters, fragment, credentials,
 * default port and trailing slash, and on the ordinary host instead of the mobile or AMP one. Fragments that name a
 * page of an application (`#/…`, `#!…`) stay. The result can be opened.
 *
 * Throws TypeError when `url` is no http(s) address.
 */
export function canonicalUrl(url: string): string {
  const parsed = unwrapAmpCache(parseWeb(url));
  const query = parsed.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && !isNoise(pair));
  const path = parsed.pathname.replace(/\/amp\/?$/i, "/").replace(/\.amp(\.html?)?$/i, "$1");
  const fragment = /^#[/!]/.test(parsed.hash) ? parsed.hash : "";
  return [
    `${parsed.protocol}//${ordinaryHost(parsed.hostname)}${parsed.port === "" ? "" : `:${parsed.port}`}`,
    withoutTrailingSlashes(path) || "/",
    query.length === 0 ? "" : `?${query.join("&")}`,
    fragment,
  ].join("");
}

function parseWeb(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return parsed;
  throw new TypeError(`Not a web address: ${url.slice(0, 200)}. It should begin with https:// or http://.`);
}

/**
 * `https://www.google.com/amp/s/host/path` and `https://x.cdn.ampproject.org/c/s/host/path` name another page. Only
 * there: on any other host, whoever owns it could pass their page off as somebody else's.
 */
function unwrapAmpCache(url: URL): URL {
  const google = /^(?:www\.)?google\.com$/.test(url.hostname);
  if (!google && !url.hostname.endsWith(".cdn.ampproject.org")) return url;
  const inner = /^\/(?:amp|[a-z])\/(s\/)?([^/]+\.[^/]+(?:\/.*)?)$/.exec(url.pathname);
  const unwrapped = inner === null ? "" : `${inner[1] === undefined ? "http" : "https"}://${inner[2]}${url.search}`;
  return URL.canParse(unwrapped) ? new URL(unwrapped) : url;
}

/** Parameters that say where a reader came from, never what the page shows. */
const TRACKING = new Set(
  `gclid gclsrc dclid wbraid gbraid gad_source gad_campaignid fbclid msclkid yclid ysclid twclid ttclid li_fat_id
  igshid igsh mc_cid mc_eid mkt_tok vero_id vero_conv oly_anon_id oly_enc_id rb_clickid s_cid wickedid _hsenc _hsmi
  hsctatracking _ga _gl _openstat epik srsltid ref_src ref_url cmpid ncid trk trkcampaign guccounter amp outputtype`
    .split(/\s+/)
    .filter((name) => name !== ""),
);
const TRACKING_PREFIX = /^(?:utm|hsa|mtm|pk|piwik|matomo|itm|stm)_/;

function isNoise(pair: string): boolean {
  const [name = "", value = ""] = pair.split("=", 2);
  const lower = name.toLowerCase();
  if (lower === "outputtype" || lower === "amp") return /^(?:amp|1|true|)$/i.test(value);
  return TRACKING.has(lower) || TRACKING_PREFIX.test(lower);
}

/** `m.`, `mobile.` and `amp.` before a name, and `en.m.` as encyclopaedias have it. */
function ordinaryHost(host: string): string {
  const labels = host.split(".");
  if (labels.length > 2 && /^(?:m|mobile|amp)$/.test(labels[0] ?? "")) return labels.slice(1).join(".");
  if (labels.length > 3 && labels[1] === "m") return [labels[0], ...labels.slice(2)].join(".");
  return host;
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
}

function resolvedPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.normalize().replaceAll("\\", "/").split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === ".." && segments.length > 0 && segments.at(-1) !== "..") segments.pop();
    else segments.push(segment);
  }
  return segments.join("/");
}

/** The readable half of an id. Its end tells more than its start: it is nearest to the file's or page's own name. */
function slug(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^A-Za-z0-9.]+/g, "-")
    .slice(-60);
  return plain.replace(/^[-.]+/, "").replace(/[-.]$/, "") || "untitled";
}
