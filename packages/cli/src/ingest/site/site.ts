import { UsageError } from "../../exit-codes.ts";
import type { Refusal } from "../file-walk.ts";
import { FetchRefusedError, type FetchRules } from "../guarded-fetch.ts";
import type { Candidate } from "../ingestion.ts";
import type { CompareScope, Vanishing } from "../sync/vanishing.ts";
import { USUAL_MOST_PAGES } from "./bounds.ts";
import { type ListedPages, listPages } from "./listing.ts";
import { type MemoryPlace, openPageMemory } from "./page-memory.ts";
import { comparable, parseRobots, type Robots } from "./robots.ts";
import { pageCandidate } from "./site-page.ts";
import { TakenPages } from "./taken-pages.ts";
import { type SiteState, vanishedPages } from "./vanished-pages.ts";
import { type Manners, PRODUCT, Visitor } from "./visitor.ts";

/** A site whose pages are to be taken. */
export interface SiteOptions {
  /** Its pages are those of this origin whose path is this one or lies beneath it. */
  readonly address: string;
  /** Default: 1,000. */
  readonly mostPages?: number | undefined;
  readonly allowPrivate: boolean;
  readonly isProxied?: FetchRules["isProxied"];
  readonly signal: AbortSignal;
  readonly memory: MemoryPlace;
  /** Default: the system's resolver and the network. */
  readonly network?: Pick<FetchRules, "resolve" | "send" | "mostMs"> | undefined;
  readonly wait?: Manners["wait"];
}

/** A site that was looked at: its pages, not yet fetched. */
export interface OpenSite {
  readonly candidates: readonly (Candidate | Refusal)[];
  /** What there is to say of it before anything is sent. */
  readonly said: readonly string[];
  /** Addresses of the sitemap that are not taken. */
  readonly leftOut: number;
  /** Finds what vanished of its pages. To be called when all of them were read. */
  compare(scope: CompareScope): Promise<Vanishing>;
}

/** What its pages belong to in the journal: a name no folder has. Of two sites on one host, each has those beneath it. */
const collectionOf = (base: URL): string => `site:${base.origin}`;

/** Between two requests where the site asks for no other pause, milliseconds; and the longest one it may ask for. */
const USUAL_PAUSE_MS = 500;
const MAX_PAUSE_MS = 120_000;

/**
 * Reads what a site says of itself: its robots.txt, which is obeyed, and its sitemaps. Throws UsageError where it says
 * nothing, or nothing can be taken.
 */
export async function openSite(options: SiteOptions): Promise<OpenSite> {
  const { mostPages = USUAL_MOST_PAGES, allowPrivate, isProxied, signal, network } = options;
  const base = parseBase(options.address);
  const manners: Manners = {
    pauseMs: USUAL_PAUSE_MS,
    signal,
    rules: { allowPrivate, isProxied, ...network },
    ...(options.wait !== undefined && { wait: options.wait }),
  };
  const visitor = new Visitor(manners);
  const robots = await robotsOf(visitor, base);
  const { pauseMs = USUAL_PAUSE_MS } = robots;
  if (pauseMs > MAX_PAUSE_MS) {
    throw new UsageError(
      `Nothing was sent: ${base.host} asks for ${pauseMs / 1_000} seconds between two pages, and no more than ${MAX_PAUSE_MS / 1_000} are waited. Name single pages with --allow-url.`,
    );
  }
  manners.pauseMs = pauseMs;
  const refuses = (url: URL): string | undefined => {
    if (!isBeneath(base, url)) return `outside of ${base.href}`;
    return robots.allows(url.pathname + url.search) ? undefined : "forbidden by its robots.txt";
  };
  const sitemaps = robots.sitemaps.length > 0 ? robots.sitemaps : [new URL("/sitemap.xml", base).href];
  const listed = await listPages({ visitor, base, sitemaps, refuses, mostPages });
  if (listed.pages.length === 0) throw nothingThere(base, listed, robots.sitemaps.length > 0);
  const memory = openPageMemory(options.memory, base.origin);
  const [collection, taken] = [collectionOf(base), new TakenPages()];
  const state: SiteState = {
    collection,
    ...listed,
    unread: listed.refused.length,
    isBeneath: (url) => isBeneath(base, url),
    refuses,
    visitor,
    taken,
    mostAsked: mostPages,
  };
  return {
    candidates: [
      ...listed.refused,
      ...listed.pages.map((page) => pageCandidate(page, { visitor, memory, refuses, signal, collection, taken })),
    ],
    said: [...saidOf(base, listed, pauseMs)],
    leftOut: [...listed.leftOut.values()].reduce((sum, { count }) => sum + count, 0),
    compare: (scope) => vanishedPages(state, scope),
  };
}

function parseBase(address: string): URL {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `--site takes the web address of a site, such as https://docs.example.com/, not "${address}".`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(
      "The address of --site carries a user name. Leave it out: only pages anybody may read are taken.",
    );
  }
  url.hash = "";
  url.search = "";
  return url;
}

/** `/guide` holds `/guide` and `/guide/a`, not `/guidebook`; `/guide/` holds what begins so. */
function isBeneath(base: URL, url: URL): boolean {
  if (url.origin !== base.origin || url.username !== "" || url.password !== "") return false;
  const [top, path] = [comparable(base.pathname), comparable(url.pathname)];
  return path === top || path.startsWith(top.endsWith("/") ? top : `${top}/`);
}

/** A site without one allows everything; of one whose robots.txt cannot be read nobody knows what it allows. */
async function robotsOf(visitor: Visitor, base: URL): Promise<Robots> {
  const address = new URL("/robots.txt", base).href;
  try {
    const { status, bytes } = await visitor.get(address, { headers: { accept: "text/plain, */*" } });
    if (status === 200) return parseRobots(new TextDecoder().decode(bytes), PRODUCT);
    if (status >= 400 && status < 500) return parseRobots("", PRODUCT);
    throw new FetchRefusedError(`${base.host} answered with status ${status}`);
  } catch (error) {
    if (!(error instanceof FetchRefusedError)) throw error;
    throw new UsageError(
      `Nothing was sent: ${address} cannot be read, so nobody knows what may be taken: ${error.message}. Check the address, or try again later.`,
    );
  }
}

function nothingThere(base: URL, { refused, leftOut }: ListedPages, isNamed: boolean): UsageError {
  const why = [
    ...refused.map(({ name, reason }) => `${name}: ${reason}.`),
    ...[...leftOut].map(
      ([reason, { count, first }]) =>
        `${count} of its addresses ${count === 1 ? "is" : "are"} ${reason}, such as ${first}.`,
    ),
  ];
  const where = isNamed
    ? "the sitemaps its robots.txt names list"
    : "its robots.txt names no sitemap, and /sitemap.xml lists";
  return new UsageError(
    `Nothing was sent: of ${base.href} ${where} no page that can be taken. Name the site as its sitemap does, or single pages with --allow-url.`,
    ...why,
  );
}

function* saidOf(base: URL, { pages, hasMore, leftOut }: ListedPages, pauseMs: number): Generator<string> {
  const { length } = pages;
  yield `${base.href}: ${length} ${length === 1 ? "page" : "pages"} in its sitemap, asked for one by one with ${pauseMs / 1_000} s between.`;
  for (const [reason, { count, first }] of leftOut) yield `left out ${count} ${reason}, such as ${first}`;
  if (hasMore) yield `It has more pages. --max-pages takes more than ${length}.`;
}
