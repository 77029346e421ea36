import { isReadable, pageDocument } from "../candidates.ts";
import { pageOf } from "../guarded-fetch.ts";
import { type Candidate, type NotSent, sentHash } from "../ingestion.ts";
import { headerForbids, pageForbids } from "./noindex.ts";
import type { KnownPage, PageMemory } from "./page-memory.ts";
import { PRODUCT, type Visitor } from "./visitor.ts";

/** One page a sitemap lists. */
export interface ListedPage {
  readonly url: URL;
  readonly lastmod?: string | undefined;
}

/** How pages are taken. */
export interface PageTaking {
  readonly visitor: Pick<Visitor, "get">;
  readonly memory: PageMemory;
  /** Why an address is not to be taken, in plain words; undefined: it is. */
  readonly refuses: (url: URL) => string | undefined;
  readonly signal: AbortSignal;
}

class LeftOutError extends Error {
  override readonly name = "LeftOutError";
}

/** A page of a site: fetched when its turn comes, and only where it may have changed. */
export function pageCandidate({ url, lastmod }: ListedPage, taking: PageTaking): Candidate {
  const { visitor, memory, refuses, signal } = taking;
  return {
    name: url.href,
    read: async (_signal, isKept) => {
      const known = memory.of(url.href);
      const held = known !== undefined && isKept?.(known.id, known.hash) === true ? known : undefined;
      if (held !== undefined && isSettled(held, lastmod)) return { fate: "unchanged", id: held.id };
      const at = new Date().toISOString();
      const onRedirect = (to: URL): void => {
        const reason = refuses(to);
        if (reason !== undefined) throw new LeftOutError(`it leads to ${to.href}, which is ${reason}`);
      };
      try {
        const reply = await visitor.get(url.href, { headers: conditions(held), onRedirect });
        if (reply.status === 304 && held !== undefined) {
          memory.keep({ ...held, lastmod, at });
          return { fate: "unchanged", id: held.id };
        }
        const page = pageOf(reply);
        if (headerForbids(reply.headers["x-robots-tag"], PRODUCT)) return leftOut(NOINDEX);
        if (!isReadable(page)) return leftOut(`its type, ${page.contentType}, is none that can be read`);
        const isHtml = page.contentType.endsWith("html") || page.contentType.endsWith("xml");
        if (isHtml && pageForbids(page.bytes, PRODUCT)) return leftOut(NOINDEX);
        const read = await pageDocument(page, signal);
        const { id } = read.document;
        const { etag, "last-modified": changed } = reply.headers;
        // What was made of it is noted with it: it is kept on a server only where the journal says that this was.
        if (id != null) memory.keep({ url: url.href, id, hash: sentHash(read.document), etag, changed, lastmod, at });
        return read;
      } catch (error) {
        if (error instanceof LeftOutError) return leftOut(error.message);
        throw error;
      }
    },
  };
}

const NOINDEX = "it asks not to be taken (noindex)";

const leftOut = (reason: string): NotSent => ({ fate: "left_out", reason });

/** What a site is asked with about a page that is held. */
function conditions(held: KnownPage | undefined): Record<string, string> {
  return {
    ...(held?.etag !== undefined && { "if-none-match": held.etag }),
    ...(held?.changed !== undefined && { "if-modified-since": held.changed }),
  };
}

/** A date without a time may mean any hour of it, anywhere on earth. */
const DAY_MS = 48 * 3_600_000;

/** Whether the sitemap says that a page is what it was when it was taken: the change it names was over by then. */
function isSettled(held: KnownPage, lastmod: string | undefined): boolean {
  if (lastmod === undefined || lastmod !== held.lastmod) return false;
  const changed = Date.parse(lastmod) + (lastmod.includes("T") ? 0 : DAY_MS);
  return changed <= Date.parse(held.at);
}
