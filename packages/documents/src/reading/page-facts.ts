import type { PageSnapshot } from "../page/page-snapshot.ts";
import { moment } from "../document/moment.ts";
import { fileNameOf } from "../page/file-name.ts";
import { type Declared } from "./json-ld.ts";
import { shownLine } from "../text.ts";

/** What a page says about itself. */
export interface PageFacts extends Pick<
  PageSnapshot,
  "title" | "site" | "authors" | "published" | "modified" | "language" | "description"
> {
  /** `@type`s and `og:type`, in lower case. */
  readonly types: readonly string[];
}

const ABOUT_AUTHOR =
  "author article:author dc.creator dcterms.creator parsely-author sailthru.author byl citation_author".split(" ");
const ABOUT_PUBLISHED = `article:published_time datepublished og:published_time publish-date publishdate pubdate
  parsely-pub-date dc.date.issued dcterms.created dc.date citation_publication_date sailthru.date date`.split(/\s+/);
const ABOUT_MODIFIED =
  "article:modified_time og:updated_time datemodified last-modified dcterms.modified revised lastmod".split(" ");

/** Reads meta elements, JSON-LD and the page's own marks, the more exact before the more common. */
export function factsOf(page: Document, declared: Declared): PageFacts {
  const meta = metaOf(page);
  const first = (names: readonly string[]) => names.map((name) => meta.get(name)).find((value) => value !== undefined);
  const main = declared.nodes.find((node) => ABOUT_PAGE.test(typeOf(node)));
  const said = (key: string) => text(main?.[key]);
  const host = page.location?.hostname ?? hostOf(page.baseURI);
  const site =
    meta.get("og:site_name") ?? nameOf(main?.["publisher"]) ?? siteNode(declared) ?? meta.get("application-name");
  const published =
    time(said("datePublished")) ?? time(first(ABOUT_PUBLISHED)) ?? time(timeElement(page, "datePublished"));
  const modified = time(said("dateModified")) ?? time(first(ABOUT_MODIFIED)) ?? time(timeElement(page, "dateModified"));
  return {
    title: titleOf(page, [said("headline"), meta.get("og:title")], site) || nameless(page, host) || "Untitled",
    site,
    authors: authorsOf(main, first(ABOUT_AUTHOR), page),
    published,
    modified,
    language: languageOf(page, meta),
    description: meta.get("description") ?? meta.get("og:description"),
    types: [...declared.types, meta.get("og:type")?.toLowerCase() ?? ""].filter((type) => type !== ""),
  };
}

/** A text, a list of data and the like have no title: they are called as their files are. */
function nameless(page: Document, host: string): string {
  return /html/.test(page.contentType) ? host : fileNameOf(page.location?.href ?? page.baseURI);
}

const ABOUT_PAGE = /article|posting|report|product|recipe|howto|qapage|question|course|event|webpage|book|software/;

function metaOf(page: Document): Map<string, string> {
  const found = new Map<string, string>();
  for (const element of page.querySelectorAll("meta")) {
    const name = element.getAttribute("name") ?? element.getAttribute("property") ?? element.getAttribute("itemprop");
    const content = shown(element.getAttribute("content") ?? "");
    if (name !== null && content !== "" && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), content);
  }
  return found;
}

const shown = (written: string): string => shownLine(written, 300);

function text(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return typeof one === "string" && shown(one) !== "" ? shown(one) : undefined;
}

function nameOf(value: unknown): string | undefined {
  if (typeof value === "string") return text(value);
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return typeof one === "object" && one !== null && "name" in one ? text(one.name) : undefined;
}

const typeOf = (node: Readonly<Record<string, unknown>>): string => [node["@type"]].flat().join(" ").toLowerCase();

const siteNode = ({ nodes }: Declared): string | undefined =>
  nodes
    .filter((node) => typeOf(node) === "website")
    .map((node) => text(node["name"]))
    .find((name) => name !== undefined);

/** A page's title without the site's name, which most pages put before or behind it. */
function titleOf(page: Document, candidates: readonly (string | undefined)[], site: string | undefined): string {
  const whole = shown(page.title);
  const heading = shown(page.querySelector("h1")?.textContent ?? "");
  const named = [...candidates, heading].find(
    (one) => one !== undefined && one.length > 3 && whole.toLowerCase().includes(one.toLowerCase()),
  );
  if (named !== undefined) return named;
  const parts = whole.split(/\s+[|–—·»•-]\s+/);
  const own = parts.filter((part) => part.toLowerCase() !== site?.toLowerCase());
  if (own.length > 0 && own.length < parts.length) return own.join(" - ");
  return whole || candidates.find((one) => one !== undefined) || heading;
}

function authorsOf(
  main: Readonly<Record<string, unknown>> | undefined,
  said: string | undefined,
  page: Document,
): string[] {
  const listed = [main?.["author"] ?? main?.["creator"]]
    .flat()
    .map(nameOf)
    .filter((name) => name !== undefined);
  const marked = [...page.querySelectorAll("[itemprop=author] [itemprop=name], a[rel~=author], [itemprop=author]")].map(
    (element) => shown(element.textContent ?? element.getAttribute("content") ?? ""),
  );
  const names = listed.length > 0 ? listed : said === undefined ? marked.slice(0, 1) : [said];
  const clean = names.map((name) => name.replace(/^by\s+/i, "").trim());
  return [...new Set(clean)]
    .filter((name) => name !== "" && name.length < 100 && !/^https?:|^@?\s*$/.test(name))
    .slice(0, 10);
}

function timeElement(page: Document, property: string): string | undefined {
  const element = page.querySelector(`[itemprop~=${property}]`);
  const own = element?.getAttribute("datetime") ?? element?.getAttribute("content");
  if (own != null) return own;
  const near = property === "datePublished" ? page.querySelector("article time[datetime], main time[datetime]") : null;
  return near?.getAttribute("datetime") ?? undefined;
}

/** Years a page can sensibly have been written in. */
const plausible = (iso: string): boolean => /^(?:19[89]|20)\d/.test(iso);

function time(written: string | undefined): string | undefined {
  if (written === undefined) return undefined;
  const exact = moment(written);
  if (exact !== undefined) return plausible(exact) ? exact : undefined;
  // Words and day names, as in mail; a date without an offset is taken for UTC rather than for where the reader sits.
  if (!/[A-Za-z]{3}/.test(written) || !/\d{4}/.test(written)) return undefined;
  const zoned = /(?:GMT|UTC|Z|[+-]\d{2}:?\d{2})\s*$/.test(written) ? written : `${written} UTC`;
  const at = Date.parse(zoned);
  if (Number.isNaN(at)) return undefined;
  const iso = new Date(at).toISOString().replace(".000Z", "Z");
  return plausible(iso) ? iso : undefined;
}

function languageOf(page: Document, meta: ReadonlyMap<string, string>): string | undefined {
  const declared = page.documentElement.getAttribute("lang") || meta.get("content-language") || meta.get("og:locale");
  const tag = declared?.trim().replaceAll("_", "-");
  return tag !== undefined && /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/.test(tag) ? tag : undefined;
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");
