import { InvalidRequestError } from "../errors/errors.ts";

/** Which base URLs are acceptable. */
export interface BaseUrlRules {
  /** Allows `http:` to other machines. The key then crosses the network readably. Default false. */
  allowPlainHttp?: boolean;
}

/**
 * Checks a base URL a person typed and brings it into one form: no trailing slash, no query. A path such as `/api` is
 * kept, none is added.
 *
 * Throws InvalidRequestError for anything but http and https, for a user name or password in the URL, for a query or
 * fragment, and for `http:` to another machine unless `allowPlainHttp` is set.
 */
export function normalizeBaseUrl(text: string, rules: BaseUrlRules = {}): string {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw refused("The base URL must begin with https:// (or http:// on this machine), such as https://host/api.");
  }
  if (url.username !== "" || url.password !== "") {
    throw refused("The base URL must not hold a user name or password. Remove what stands before the @.");
  }
  if (url.search !== "" || url.hash !== "") {
    throw refused("The base URL must end with its path. Remove everything from ? or # on.");
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname) && rules.allowPlainHttp !== true) {
    throw refused(
      `The base URL of ${url.host} begins with http://, which would send your key readably over the network. ` +
        "Use https://, or allow plain HTTP for this server if the network is your own.",
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

/** Base URLs to try for what a person typed: as it is, then with `/api` added or taken away (docs/wire.md, section 0). */
export function baseUrlCandidates(text: string, rules: BaseUrlRules = {}): string[] {
  const given = normalizeBaseUrl(text, rules);
  return [given, given.endsWith("/api") ? given.slice(0, -"/api".length) : `${given}/api`];
}

/** Whether a host name means this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

const refused = (message: string): InvalidRequestError => InvalidRequestError.at(["base_url"], message, "base_url");
