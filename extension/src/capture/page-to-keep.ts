import { canonicalUrl, contentHash, documentFromPage, type PageSnapshot } from "@threadlore/documents";
import { shortened } from "../ui/wording.ts";
import type { PageToKeep } from "./capture.ts";

/** Characters of a page that are shown before it is kept. */
const SEEN = 300;

/** What was read, made ready to be kept. `privacy`: what is known beyond the page's own signs. */
export async function pageToKeep(page: PageSnapshot, privacy: PageSnapshot["privacy"]): Promise<PageToKeep> {
  const { url, contentType, title, extent, characters } = page;
  return {
    url,
    contentType,
    title,
    extent,
    characters,
    privacy,
    beginning: shortened(page.parts.map(({ heading, text }) => `${heading} ${text}`.trim()).join(" "), SEEN),
    addresses: extent === "selection" ? [] : await addressKeys(page),
    made: await madeOf(page),
  };
}

async function madeOf(page: PageSnapshot): Promise<PageToKeep["made"]> {
  if (page.parts.length === 0 || !/^https?:/.test(page.url)) return undefined;
  const { document, hash, notes } = await documentFromPage(page);
  const link = document.sections[0]?.link ?? page.url;
  return { documentId: document.id ?? "", link, document: JSON.stringify(document), hash, notes };
}

/** One for the address that is open and one for what the page calls its own. */
async function addressKeys({ url, canonicalUrl: own = url }: PageSnapshot): Promise<string[]> {
  if (!/^https?:/.test(url)) return [];
  const keys = await Promise.all([url, own].map((address) => contentHash(canonicalUrl(address))));
  return [...new Set(keys)];
}
