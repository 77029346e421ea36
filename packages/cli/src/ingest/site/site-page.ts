import { isReadable, pageDocument } from "../candidates.ts";
import { pageOf } from "../guarded-fetch.ts";
import { type Candidate, type NotSent, type ReadDocument, sentHash } from "../ingestion.ts";
import { headerForbids, pageForbids } from "./noindex.ts";
import type { KnownPage, PageMemory } from "./page-memory.ts";
import { LEADS_ON, type TakenPages } from "./taken-pages.ts";
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
  /** What its pages belong to in the journal. */
  readonly collection: string;
  /** Takes note of what was found. */
  readonly taken: TakenPages;
}

class LeftOutError extends Error {
  override readonly name = "LeftOutError";
}

/** A page of a site: fetched when its turn comes, and only where it may have changed. */
export function pageCandidate(page: ListedPage, taking: PageTaking): Candidate {
  return {
    name: page.url.href,
    read: async (_signal, isKept) => {
      const known = taking.memory.of(page.url.href);
      try {
        const read = await readPage(page, taking, known, isKept);
        const id = "fate" in read ? (read.fate === "unchanged" ? read.id : known?.id) : read.document.id;
        if (id != null) taking.taken.holds(id);
        return read;
      } catch (error) {
        // What cannot be read today is no less there.
        if (known !== undefined) taking.taken.holds(known.id);
        if (error instanceof LeftOutError) return leftOut(error.message);
        throw error;
      }
    },
  };
}

async function readPage(
  { url, lastmod }: ListedPage,
  { visitor, memory, refuses, signal, collection, taken }: PageTaking,
  known: KnownPage | undefined,
  isKept: Parameters<Candidate["read"]>[1],
): Promise<ReadDocument | NotSent> {
  const held = known !== undefined && isKept?.(known.id, known.hash) === true ? known : undefined;
  const unchanged = ({ id, foundAt = url.href }: KnownPage): NotSent => ({
    fate: "unchanged",
    id,
    noted: { collection, file: foundAt },
  });
  if (held !== undefined && isSettled(held, lastmod)) return unchanged(held);
  const at = new Date().toISOString();
  const statuses: number[] = [];
  const onRedirect = (to: URL, status: number): void => {
    statuses.push(status);
    const reason = refuses(to);
    if (reason !== undefined) throw new LeftOutError(`it leads to ${to.href}, which is ${reason}`);
  };
  const reply = await visitor.get(url.href, { headers: conditions(held), onRedirect });
  if (reply.status === 304 && held !== undefined) {
    memory.keep({ ...held, lastmod, at });
    return unchanged(held);
  }
  const page = pageOf(reply);
  if (headerForbids(reply.headers["x-robots-tag"], PRODUCT)) return leftOut(NOINDEX);
  if (!isReadable(page)) return leftOut(`its type, ${page.contentType}, is none that can be read`);
  const isHtml = page.contentType.endsWith("html") || page.contentType.endsWith("xml");
  if (isHtml && pageForbids(page.bytes, PRODUCT)) return leftOut(NOINDEX);
  const read = { ...(await pageDocument(page, signal)), noted: { collection, file: page.url } };
  const { id } = read.document;
  const { etag, "last-modified": changed } = reply.headers;
  // What was made of it is noted with it: it is kept on a server only where the journal says that this was.
  if (id != null) {
    const foundAt = page.url === url.href ? undefined : page.url;
    memory.keep({ url: url.href, foundAt, id, hash: sentHash(read.document), etag, changed, lastmod, at });
  }
  if (statuses.length > 0 && statuses.every((status) => LEADS_ON.has(status))) await taken.leadsOn(url);
  return read;
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
