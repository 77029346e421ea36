import { webId } from "@threadlore/documents";
import { FetchRefusedError } from "../guarded-fetch.ts";
import {
  type CompareScope,
  type KeptDocument,
  keptForOthers,
  type VanishedDocument,
  type Vanishing,
} from "../sync/vanishing.ts";
import type { ListedPage } from "./site-page.ts";
import { LEADS_ON, type TakenPages } from "./taken-pages.ts";
import type { Visitor } from "./visitor.ts";

/** A site as this run found it. */
export interface SiteState {
  /** What its pages belong to in the journal. */
  readonly collection: string;
  readonly pages: readonly ListedPage[];
  /** Its sitemaps list more than were taken. */
  readonly hasMore: boolean;
  /** Sitemaps that were not read. */
  readonly unread: number;
  /** Whether an address lies beneath the one that was named. */
  readonly isBeneath: (url: URL) => boolean;
  /** Why an address is not to be asked for. */
  readonly refuses: (url: URL) => string | undefined;
  readonly visitor: Pick<Visitor, "get">;
  readonly taken: TakenPages;
  /** Pages that are asked for whether they are still there, at most. */
  readonly mostAsked: number;
}

/**
 * Finds the pages that vanished from a site: no sitemap lists them any more, and the site itself says that they are gone
 * (404, 410) or lead to another page of it for good. A sitemap may leave out what is there, and a site that is half dead
 * may not answer: what only one of both says has not vanished. To be called when all listed pages were read.
 */
export async function vanishedPages(site: SiteState, scope: CompareScope): Promise<Vanishing> {
  const { journal, shelf, instance = "" } = scope;
  const { collection, taken } = site;
  const listed = new Set(await Promise.all(site.pages.map(({ url }) => webId(url.href))));
  const [vanished, kept]: [VanishedDocument[], KeptDocument[]] = [[], []];
  let [known, asked] = [0, 0];
  const partial = partialOf(site);
  for (const [id, { file = "", instance: of }] of journal.documentsOf(shelf, collection)) {
    const url = URL.parse(file);
    if (of !== instance || url === null || !site.isBeneath(url)) continue;
    known += 1;
    const isListed = listed.has(id) && !taken.hasMovedOn(id);
    if (partial !== undefined || taken.isHeld(id) || isListed) continue;
    let stays = keptForOthers(scope, id);
    if (stays === undefined && !taken.hasMovedOn(id)) {
      stays = asked < site.mostAsked ? await whyItStays(site, url) : MANY;
      asked += 1;
    }
    if (stays === undefined) vanished.push({ id, name: file, collection, file });
    else kept.push({ id, name: file, reason: stays });
  }
  return { of: "pages", known, vanished, kept, unplaced: [], said: [], partial };
}

const MANY =
  "its sitemap does not list it any more, and more such pages than --max-pages are not asked for. The next run does that, or a larger --max-pages";

function partialOf({ unread, hasMore }: SiteState): string | undefined {
  if (unread > 0) {
    const which = unread === 1 ? "a sitemap of the site was" : `${unread} sitemaps of the site were`;
    return `${which} not read, so nobody knows which pages it has. Run the same command again when it can be.`;
  }
  return hasMore
    ? "the site has more pages than were taken, so nobody knows which of them are gone. Take all, with a larger --max-pages."
    : undefined;
}

/** What the site itself says of a page it does not list any more; undefined: it is gone. */
async function whyItStays({ visitor, refuses, taken }: SiteState, url: URL): Promise<string | undefined> {
  const forbidden = refuses(url);
  if (forbidden !== undefined) return `it is ${forbidden} now, so nobody looked whether it is there`;
  let leadsOnForGood = true;
  const onRedirect = (to: URL, status: number): void => {
    leadsOnForGood &&= LEADS_ON.has(status);
    const reason = refuses(to);
    if (reason !== undefined) throw new FetchRefusedError(`it leads to ${to.href}, which is ${reason}`);
  };
  try {
    const reply = await visitor.get(url.href, { onRedirect });
    if (reply.status === 404 || reply.status === 410) return undefined;
    if (reply.status !== 200)
      return `the site answered with status ${reply.status}, so nobody knows whether it is there`;
    if (!taken.isHeld(await webId(reply.url.href)) || reply.url.href === url.href) return STILL_THERE;
    return leadsOnForGood ? undefined : `it leads to ${reply.url.href} for now`;
  } catch (error) {
    if (error instanceof FetchRefusedError) return `nobody knows whether it is there: ${error.message}`;
    throw error;
  }
}

const STILL_THERE =
  "its sitemap does not list it any more, and the site still answers with it. `threadlore documents delete` deletes it";
