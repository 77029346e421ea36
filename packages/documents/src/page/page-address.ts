import { canonicalUrl } from "../document/identity.ts";
import type { PrivacySign } from "./page-snapshot.ts";

/** Names of parameters that carry keys, sessions and one-time codes. */
const TOKEN_NAME =
  /^(?:.*[_.-])?(?:token|auth|authkey|authuser|apikey|api_key|key|sig|signature|secret|password|passwd|pwd|jwt|sid|session|sessionid|jsessionid|phpsessid|ticket|otp|nonce|code|state|invite|share_?key|hmac|assertion|samlresponse|x-amz-[a-z-]+|x-goog-[a-z-]+)$/i;

/** Long values of letters and digits mixed, as keys are: a JSON web token, 32 or more hex digits or base64 signs. */
function looksLikeKey(value: string): boolean {
  if (/^eyJ[\w-]{10,2000}\.[\w-]{5,4000}/.test(value)) return true;
  return (
    /^[\w+/=~-]{32,}$/.test(value) &&
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !/^[a-z]+(?:-[a-z0-9]+)+$/.test(value)
  );
}

function isToken(name: string, value: string): boolean {
  if (value === "") return false;
  // A short plain word, as in `code=de` or `key=name`, opens nothing.
  if (TOKEN_NAME.test(name))
    return value.length >= 6 && /[\d%]/.test(value) ? true : /token|secret|passw|pwd|jwt|sess|sig/i.test(name);
  return looksLikeKey(value);
}

function carriesToken(pair: string): boolean {
  const [name = "", ...value] = pair.split("=");
  return isToken(decoded(name), decoded(value.join("=")));
}

/** Whether a web address carries what looks like a key or a session, in its query or its fragment. */
export function hasTokens(url: string): boolean {
  return URL.canParse(url) && withoutTokens(url) !== new URL(withoutCredentials(url)).href;
}

/** The address without user, password, and parameters that look like keys (docs/threats.md, T12). Others stay as they are. */
export function withoutTokens(url: string): string {
  const parsed = new URL(withoutCredentials(url));
  const kept = (parameters: string) =>
    parameters
      .split("&")
      .filter((pair) => !carriesToken(pair))
      .join("&");
  // Some servers write the session behind a name in the path: `/plots;jsessionid=…`.
  const path = parsed.pathname.replace(/;([^;/]+)/g, (written, pair: string) => (carriesToken(pair) ? "" : written));
  if (path !== parsed.pathname) parsed.pathname = path;
  const search = parsed.search.slice(1);
  if (search !== "") parsed.search = kept(search);
  const fragment = parsed.hash.slice(1);
  const question = fragment.indexOf("?");
  // Sign-in replies put their tokens behind `#`, single-page applications theirs behind `#/path?`.
  if (question !== -1) {
    const query = kept(fragment.slice(question + 1));
    parsed.hash = query === "" ? fragment.slice(0, question) : `${fragment.slice(0, question)}?${query}`;
  } else if (fragment.includes("=")) parsed.hash = kept(fragment);
  return parsed.href;
}

/** The address without user and password; as it was given where it has neither, or is none. */
export function withoutCredentials(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.username === "" && parsed.password === "")) return url;
  parsed.username = "";
  parsed.password = "";
  return parsed.href;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether two addresses are of one site: the same host and port, whatever `www.`, mobile or AMP name it goes by. */
export function sameSite(one: string, other: string): boolean {
  try {
    const host = (url: string) => new URL(canonicalUrl(url)).host.replace(/^www\./, "");
    return host(one) === host(other);
  } catch {
    return false;
  }
}

const PRIVATE_NAME = /(?:^|\.)(?:local|localhost|internal|intranet|intra|corp|lan|home|private|test|home\.arpa)$/;
const PRIVATE_ADDRESS =
  /^(?:10\.|127\.|0\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|\[(?:::1\]|f[cd]|fe[89ab]|::ffff:))/;

/** What about an address suggests that its page is not for everyone (docs/threats.md, T12). */
export function addressSigns(url: string): PrivacySign[] {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return ["not-web"];
  const intranet = isIntranet(new URL(url).hostname);
  return [
    ...(intranet ? (["intranet-host"] as const) : []),
    ...(hasTokens(url) ? (["token-in-address"] as const) : []),
  ];
}

function isIntranet(host: string): boolean {
  const bare = host.replace(/\.$/, "").toLowerCase();
  return PRIVATE_NAME.test(bare) || PRIVATE_ADDRESS.test(bare) || !/[.:]/.test(bare);
}
