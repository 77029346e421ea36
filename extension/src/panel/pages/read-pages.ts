import type { PageSnapshot } from "@threadlore/documents";
import { inTime, readTab } from "../../capture/read-tab.ts";
import type { PagesRead } from "../ask/conversation-world.ts";
import type { Closed, ShownTab } from "./tabs.ts";
import type { UnreadPage } from "../ask/turn.ts";

/**
 * Reads tabs as they are on screen now, all at once, to go along with a question; of a selection, only that. A tab that
 * has not answered when `enough` is aborted does not go along.
 */
export async function readPages(tabs: readonly ShownTab[], question: string, enough: AbortSignal): Promise<PagesRead> {
  // Begun first, so that it is there once the pages are read.
  const made = import("./page-text.ts");
  const read = await Promise.all(tabs.map((tab) => inTime(readOne(tab), enough, notRead(tab, "slow"))));
  const { goingAlong } = await made;
  const pages = read.flatMap(({ page }) => page ?? []);
  return goingAlong(
    pages,
    question,
    read.flatMap(({ unread }) => unread ?? []),
  );
}

interface ReadTab {
  readonly page?: PageSnapshot;
  readonly unread?: UnreadPage;
}

async function readOne(tab: ShownTab): Promise<ReadTab> {
  const reading = await readTab(tab.tabId, { selection: tab.selected > 0 });
  if (reading.page !== undefined) return reading;
  // Some browsers let no extension into their PDF viewer, and tell no more than that.
  const isPdf = reading.why === "pdf" || (reading.why === "not-allowed" && tab.isPdf && tab.url !== "");
  if (!isPdf) return notRead(tab, reading.why);
  const { readPdfTab } = await import("../../pdf/pdf-tab.ts");
  const reply = await readPdfTab(tab.tabId, reading.url ?? tab.url);
  return reply.page === undefined ? notRead(tab, reply.refused) : { page: reply.page };
}

function notRead(tab: ShownTab, reason: Closed): ReadTab {
  return { unread: { title: tab.title || tab.url, reason } };
}
