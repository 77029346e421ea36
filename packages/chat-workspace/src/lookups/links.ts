import type { State } from "../state.ts";

/** An address in a text that belongs to a domain the app has registered. */
export interface SharedLink {
  readonly domain: string;
  readonly url: string;
}

const ADDRESS = /<(https?:\/\/[^<>|\s]+)(?:\|[^<>]*)?>|(?<![<|\w])(https?:\/\/[^<>\s|]+)/g;

/** Addresses of a message's text, each once, with the domain of `domains` each belongs to; others are left out. */
export function linksIn(text: string, domains: readonly string[]): SharedLink[] {
  const found = new Map<string, SharedLink>();
  for (const [, fenced, bare] of text.matchAll(ADDRESS)) {
    const url = (fenced ?? bare ?? "").replaceAll("&amp;", "&");
    const host = URL.parse(url)?.hostname ?? "";
    // Further subdomains count, the domain above one that is named does not.
    const domain = domains.find((one) => host === one || host.endsWith(`.${one}`));
    if (domain !== undefined) found.set(url, { domain, url });
  }
  return [...found.values()];
}

/** Domains whose links the app hears of. */
export function unfurlDomains(state: State): readonly string[] {
  return state.options.app?.unfurlDomains ?? [];
}
