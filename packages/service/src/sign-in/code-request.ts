import { createHash } from "node:crypto";

/** A browser extension's request for a code (RFC 6749, section 4.1.1; RFC 7636, section 4.3). Nothing it says of itself is known to be true. */
export interface CodeRequest {
  /** What the extension is called, and what the key is for, in its own words. */
  readonly client: string;
  readonly purpose: string;
  /** Where the browser, and nobody but this extension, is told the code. */
  readonly redirect: string;
  /** What the browser tells this extension from all others by. */
  readonly extension: string;
  readonly challenge: string;
  readonly state: string;
}

/** Longest text an extension says of itself, characters. */
const MAX_WORDS = 100;

/**
 * Where browsers hand an extension its code. They do so for the one extension of this very name, ask no server for it, and let
 * nobody else have the name: `chrome.identity` and `browser.identity`, `getRedirectURL()`.
 */
const REDIRECT = /^https:\/\/(?:([a-p]{32})\.chromiumapp\.org|([0-9a-f]{40})\.extensions\.allizom\.org)\/$/;

/** The request that a query or a form carries; undefined where anything of it is missing, there twice, or not as it must be. */
export function codeRequestOf(fields: URLSearchParams): CodeRequest | undefined {
  const one = (name: string): string => (fields.getAll(name).length === 1 ? (fields.get(name) ?? "") : "");
  const redirect = one("redirect_uri");
  const [, ofChromium, ofFirefox] = REDIRECT.exec(redirect) ?? [];
  const extension = ofChromium ?? ofFirefox;
  const [client, purpose, challenge, state] = [
    one("client_id"),
    one("purpose"),
    one("code_challenge"),
    one("state"),
  ] as const;
  if (extension === undefined || !isSaid(client) || !isSaid(purpose)) return undefined;
  if (one("response_type") !== "code" || one("code_challenge_method") !== "S256") return undefined;
  if (!/^[\w-]{43}$/.test(challenge) || !/^[\w.~-]{16,200}$/.test(state)) return undefined;
  return { client, purpose, redirect, extension, challenge, state };
}

function isSaid(text: string): boolean {
  return text.trim() !== "" && text.length <= MAX_WORDS;
}

/** The same request as it stands in an address or a form, whole and in one order. */
export function fieldsOf({
  client,
  purpose,
  redirect,
  challenge,
  state,
}: CodeRequest): Readonly<Record<string, string>> {
  return {
    response_type: "code",
    client_id: client,
    purpose,
    redirect_uri: redirect,
    code_challenge: challenge,
    code_challenge_method: "S256",
    state,
  };
}

/** Whether this is what a challenge was made of (RFC 7636, section 4.6). */
export function isVerifier(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  return createHash("sha256").update(verifier).digest("base64url") === challenge;
}

/** Whether the page a request came from may use a code that was sent there. Programs that are no pages say nothing of it. */
export function isSameExtension(origin: string | null, redirect: string): boolean {
  const [, ofChromium] = /^chrome-extension:\/\/([a-p]{32})$/.exec(origin ?? "") ?? [];
  // Firefox has a name of its own for the pages of an extension, another in each browser.
  return ofChromium === undefined || redirect === `https://${ofChromium}.chromiumapp.org/`;
}
