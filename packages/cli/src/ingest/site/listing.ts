import { FetchRefusedError } from "../guarded-fetch.ts";
import type { Refusal } from "../file-walk.ts";
import { comparable } from "./robots.ts";
import { readSitemap, type Sitemap } from "./sitemap.ts";
import type { ListedPage } from "./site-page.ts";
import type { Visitor } from "./visitor.ts";

/** What is looked for in a site's sitemaps. */
export interface PageSearch {
  readonly visitor: Pick<Visitor, "get">;
  /** The address the pages lie beneath. */
  readonly base: URL;
  /** Addresses of sitemaps, the first ones to be read. */
  readonly sitemaps: readonly string[];
  /** Why a page is not to be taken. */
  readonly refuses: (url: URL) => string | undefined;
  /** Pages after which no more are looked for. */
  readonly mostPages: number;
}

/** What was found in them. */
export interface ListedPages {
  readonly pages: readonly ListedPage[];
  /** There are more pages. */
  readonly hasMore: boolean;
  /** Sitemaps that could not be read. */
  readonly refused: readonly Refusal[];
  /** How many addresses were not to be taken, by the reason; and one of them. */
  readonly leftOut: ReadonlyMap<string, { readonly count: number; readonly first: string }>;
}

/** Sitemaps that are read, in all and inside each other. sitemaps.org knows an index of sitemaps and nothing deeper. */
const MAX_SITEMAPS = 100;
const MAX_DEPTH = 3;
/** What is fetched of one, bytes, and how long that may take. */
const LIMITS = { mostBytes: 50_000_000, mostMs: 30_000 };
/** Pages that are passed over. */
const MAX_LEFT_OUT = 500_000;

/** Reads a site's sitemaps, and those they name, until there are enough pages. What cannot be read is told and passed over. */
export async function listPages({ visitor, base, sitemaps, refuses, mostPages }: PageSearch): Promise<ListedPages> {
  const pages = new Map<string, ListedPage>();
  const refused: Refusal[] = [];
  const leftOut = new Map<string, { count: number; first: string }>();
  const waiting = sitemaps.map((address) => ({ address, depth: 1 }));
  const read = new Set<string>();
  let passed = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { address, depth } = next;
    const url = URL.parse(address, base.href);
    if (url !== null && read.has(url.href)) continue;
    try {
      if (read.size === MAX_SITEMAPS)
        throw new FetchRefusedError(`the site has more than ${MAX_SITEMAPS} sitemaps; name a path of it`);
      if (depth > MAX_DEPTH) throw new FetchRefusedError(`sitemaps name each other more than ${MAX_DEPTH} deep`);
      if (url?.origin !== base.origin) throw new FetchRefusedError(`it is not on ${base.host}`);
      read.add(url.href);
      const sitemap = await fetchSitemap(visitor, url);
      if (sitemap.isIndex) {
        const named = sitemap.entries.map(({ loc }) => ({ address: loc, depth: depth + 1 }));
        waiting.push(...named.slice(0, MAX_SITEMAPS + 1));
        continue;
      }
      for (const { loc, lastmod } of sitemap.entries) {
        const page = URL.parse(loc, url.href);
        if (page !== null) page.hash = "";
        const reason = page === null ? "no web address" : refuses(page);
        if (page === null || reason !== undefined) {
          const same = leftOut.get(reason ?? "") ?? { count: 0, first: loc };
          leftOut.set(reason ?? "", { ...same, count: same.count + 1 });
          if ((passed += 1) > MAX_LEFT_OUT) return { pages: [...pages.values()], hasMore: true, refused, leftOut };
          continue;
        }
        const key = comparable(page.href);
        if (pages.has(key)) continue;
        if (pages.size === mostPages) return { pages: [...pages.values()], hasMore: true, refused, leftOut };
        pages.set(key, { url: page, lastmod });
      }
    } catch (error) {
      if (!(error instanceof FetchRefusedError)) throw error;
      refused.push({ name: address, reason: `this sitemap was not read: ${error.message}` });
      // The others would meet the same, and nobody reads a list without an end.
      if (read.size === MAX_SITEMAPS) break;
    }
  }
  return { pages: [...pages.values()], hasMore: false, refused, leftOut };
}

async function fetchSitemap(visitor: Pick<Visitor, "get">, url: URL): Promise<Sitemap> {
  const onRedirect = (to: URL): void => {
    if (to.origin !== url.origin) throw new FetchRefusedError(`it leads to ${to.host}, another site`);
  };
  const { status, bytes } = await visitor.get(url.href, { headers: { accept: "*/*" }, onRedirect, ...LIMITS });
  if (status !== 200) throw new FetchRefusedError(`${url.host} answered with status ${status}`);
  return await readSitemap(bytes);
}
