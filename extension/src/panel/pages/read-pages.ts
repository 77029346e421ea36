import { inTime, readTab } from "../../capture/read-tab.ts";
import type { PagesRead } from "../ask/conversation-world.ts";
import type { TabPage } from "./page-text.ts";
import type { Closed, ShownTab } from "./tabs.ts";
import type { UnreadPage } from "../ask/turn.ts";

/** What pages are read for. */
interface Asked {
  readonly question: string;
  /** The tab of which only what is selected is meant. `said`: what that is, as the browser's menu told it, or "". */
  readonly marked: { readonly tabId: number | undefined; readonly said: string } | undefined;
  /** Aborted when whoever has not answered is to be left out. */
  readonly enough: AbortSignal;
}

/**
 * Reads tabs as they are on screen now, all at once, to go along with a question. A tab that has not answered when
 * `enough` is aborted does not go along, nor one that keeps others waiting. Where nothing is selected any more, all of
 * its page goes.
 */
export async function readPages(tabs: readonly ShownTab[], { question, marked, enough }: Asked): Promise<PagesRead> {
  // Begun first, so that it is there once the pages are read.
  const made = import("./page-text.ts");
  const others = othersRead(tabs.length, enough);
  const read = await Promise.all(
    tabs.map(async (tab) => {
      const one = readOne(tab, tab.tabId === marked?.tabId ? marked.said : undefined);
      return inTime(one.then(others.note), others.enough, notRead(tab, "slow"));
    }),
  );
  const { goingAlong } = await made;
  return goingAlong(
    read.flatMap(({ page }, at) => (page === undefined ? [] : [{ ...page, tabId: tabs[at]?.tabId }])),
    question,
    read.flatMap(({ unread }) => unread ?? []),
  );
}

interface ReadTab {
  readonly page?: Omit<TabPage, "tabId">;
  readonly unread?: UnreadPage;
}

/** How long is waited for each tab that is left after one of them was read, milliseconds: tabs of a site share a process. */
const TOGETHER_MS = 5_000;

/** Ends the wait for tabs that hang, once others have been read and no more come. */
function othersRead(count: number, enough: AbortSignal) {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let left = count;
  return {
    enough: AbortSignal.any([enough, late.signal]),
    note(read: ReadTab): ReadTab {
      left -= 1;
      if (left === 0 || read.page !== undefined) clearTimeout(timer);
      if (left > 0 && read.page !== undefined) timer = setTimeout(() => late.abort(), TOGETHER_MS * left);
      return read;
    },
  };
}

/** @param said only what is selected is meant, which the browser's menu perhaps told */
async function readOne(tab: ShownTab, said: string | undefined): Promise<ReadTab> {
  const reading = await readTab(tab.tabId, { selection: said !== undefined });
  if (reading.page?.extent === "selection") return reading;
  // In a frame of another site no script sees what is selected.
  if (reading.page !== undefined) return said ? { page: selectionOf(tab, said) } : reading;
  // Some browsers let no extension into their PDF viewer, and tell no more than that.
  const isPdf = reading.why === "pdf" || (reading.why === "not-allowed" && tab.isPdf && tab.url !== "");
  if (!isPdf) return notRead(tab, reading.why);
  // Nor in the PDF viewer.
  if (said) return { page: selectionOf(tab, said) };
  const { readPdfTab } = await import("../../pdf/pdf-tab.ts");
  const reply = await readPdfTab(tab.tabId, reading.url ?? tab.url);
  return reply.page === undefined ? notRead(tab, reply.refused) : { page: reply.page };
}

function selectionOf({ title, url }: ShownTab, text: string): ReadTab["page"] {
  const parts = [{ level: 1, heading: "", text }];
  return { title: title.trim() || url, url, parts, extent: "selection", cut: false, unreadFrames: 0 };
}

function notRead(tab: ShownTab, reason: Closed): ReadTab {
  return { unread: { title: tab.title || tab.url, reason } };
}
