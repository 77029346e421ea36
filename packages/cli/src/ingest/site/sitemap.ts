import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { Parser } from "htmlparser2";
import { FetchRefusedError } from "../guarded-fetch.ts";

/** What a sitemap lists: pages, or other sitemaps. */
export interface Sitemap {
  readonly isIndex: boolean;
  readonly entries: readonly SitemapEntry[];
}

/** One entry, as it is written. */
export interface SitemapEntry {
  readonly loc: string;
  /** A date or a time (W3C): when it changed last. */
  readonly lastmod?: string;
}

/** Bytes of a sitemap once it is unpacked, and entries in it, at most: what sitemaps.org allows. */
const MAX_BYTES = 50_000_000;
const MAX_ENTRIES = 50_000;
/** Characters of an address or a date. sitemaps.org allows 2,048. */
const MAX_TEXT = 4_096;

/** Elements inside each other: the parser takes ever longer for each one more. */
const MAX_DEPTH = 64;

const unpack = promisify(gunzip);

/**
 * Reads a sitemap: XML or one address a line, packed by gzip or not. Entities it declares itself are never expanded, and
 * nothing outside of it is opened. Throws FetchRefusedError for what is none, or unpacks to more than 50 MB.
 */
export async function readSitemap(bytes: Uint8Array): Promise<Sitemap> {
  const text = new TextDecoder().decode(await unpacked(bytes));
  if (!text.trimStart().startsWith("<")) {
    const lines = text
      .split(/\r?\n/, MAX_ENTRIES)
      .flatMap((line) => (/^https?:\/\//i.test(line.trim()) ? [line.trim()] : []));
    if (lines.length === 0) throw new FetchRefusedError("it is no sitemap");
    return { isIndex: false, entries: lines.map((loc) => ({ loc })) };
  }
  const entries: SitemapEntry[] = [];
  let prefix = "";
  let [root, field, item]: [string, string, Partial<Record<string, string>>] = ["", "", {}];
  // An image or a video of a page has addresses of its own: deeper, and in elements of another prefix.
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name) => {
        depth += 1;
        if (depth > MAX_DEPTH) throw new FetchRefusedError("its elements lie too deep inside each other");
        if (depth === 1) [prefix, root] = [name.slice(0, name.indexOf(":") + 1), local(name)];
        if (depth === 2) item = {};
        field = depth === 3 && name === prefix + local(name) ? local(name) : "";
      },
      ontext: (piece) => {
        if (field !== "loc" && field !== "lastmod") return;
        const said = (item[field] ?? "") + piece;
        if (said.length <= MAX_TEXT) item[field] = said;
      },
      onclosetag: () => {
        depth -= 1;
        field = "";
        if (depth !== 1) return;
        const loc = item["loc"]?.trim();
        if (loc !== undefined && loc !== "" && entries.length < MAX_ENTRIES) {
          entries.push({ loc, lastmod: item["lastmod"]?.trim() });
        }
      },
    },
    { xmlMode: true },
  );
  parser.write(text);
  parser.end();
  if (root !== "urlset" && root !== "sitemapindex") throw new FetchRefusedError("it is no sitemap");
  return { isIndex: root === "sitemapindex", entries };
}

async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await unpack(bytes, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    const isLarge = error instanceof RangeError;
    throw new FetchRefusedError(isLarge ? "it unpacks to more than 50 MB" : "its gzip is damaged", { cause: error });
  }
}

const local = (name: string): string => name.slice(name.indexOf(":") + 1);
