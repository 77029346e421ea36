import { pageContext, type PageSnapshot } from "@threadlore/documents";
import { readTab } from "../read-tab.ts";
import type { PagesRead } from "./conversation.ts";
import type { Closed, ShownTab } from "./tabs.ts";
import type { UnreadPage } from "./turn.ts";

/** Reads tabs as they are on screen now, all at once, to go along with a question; of a selection, only that. */
export async function readPages(tabs: readonly ShownTab[], question: string): Promise<PagesRead> {
  const read = await Promise.all(tabs.map(readOne));
  const pages = read.flatMap(({ page }) => page ?? []);
  const { text, leftOut, passages } = pageContext(pages, question);
  const asked = pages.map(({ title, url, extent }, index) => ({
    title,
    url,
    ...(extent === "selection" ? { isSelection: true } : {}),
    passages: passages[index] ?? [],
  }));
  return { context: text, pages: { asked, leftOut, unread: read.flatMap(({ unread }) => unread ?? []) } };
}

async function readOne(tab: ShownTab): Promise<{ page?: PageSnapshot; unread?: UnreadPage }> {
  const reading = await readTab(tab.tabId, { selection: tab.selected > 0 });
  if (reading.page !== undefined) return reading;
  // Some browsers let no extension into their PDF viewer, and tell no more than that.
  const isPdf = reading.why === "pdf" || (reading.why === "not-allowed" && tab.isPdf && tab.url !== "");
  if (!isPdf) return notRead(tab, reading.why);
  const { readPdfTab } = await import("../pdf/pdf-tab.ts");
  const reply = await readPdfTab(tab.tabId, reading.url ?? tab.url);
  return reply.page === undefined ? notRead(tab, reply.refused) : { page: reply.page };
}

function notRead(tab: ShownTab, reason: Closed): { unread: UnreadPage } {
  return { unread: { title: tab.title || tab.url, reason } };
}
