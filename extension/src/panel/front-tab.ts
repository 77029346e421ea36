/** The tab in front, followed as the person moves from one to another. */
import { signal, type ReadonlySignal } from "@preact/signals";
import { browser } from "wxt/browser";
import { patternOf } from "../permissions.ts";
import { leaveReason } from "../policy.ts";
import { readSettings } from "../settings.ts";
import type { ShownTab } from "./tabs.ts";

/** The tab in front, and how to stop following it. */
export interface FrontTab {
  /** Undefined while it is not known, or while the panel itself is the tab in front. */
  readonly tab: ReadonlySignal<ShownTab | undefined>;
  /** Counts what may have changed the page without changing the tab: it was loaded anew. */
  readonly loads: ReadonlySignal<number>;
  /** Looks again now. */
  refresh(): Promise<void>;
  stop(): void;
}

/** Follows the tab in front of the panel's own window. */
export function followFrontTab(): FrontTab {
  const tab = signal<ShownTab | undefined>(undefined);
  let asked = 0;
  const refresh = async () => {
    const turn = (asked += 1);
    const found = await frontTab();
    // A later look has begun meanwhile; it knows better.
    if (turn === asked && JSON.stringify(found) !== JSON.stringify(tab.peek())) tab.value = found;
  };
  const look = () => void refresh();
  const loads = signal(0);
  const updated = (tabId: number, { status }: { status?: string }) => {
    if (tabId !== tab.peek()?.tabId && tab.peek() !== undefined) return;
    if (status === "complete") void refresh().then(() => (loads.value += 1));
    else look();
  };
  const { onActivated, onUpdated } = browser.tabs;
  const { onAdded, onRemoved } = browser.permissions;
  onActivated.addListener(look);
  onUpdated.addListener(updated);
  // A click on the icon, or a site that was allowed, opens the page to the panel.
  browser.action.onClicked.addListener(look);
  onAdded.addListener(look);
  onRemoved.addListener(look);
  addEventListener("focus", look);
  look();
  return {
    tab,
    loads,
    refresh,
    stop() {
      onActivated.removeListener(look);
      onUpdated.removeListener(updated);
      browser.action.onClicked.removeListener(look);
      onAdded.removeListener(look);
      onRemoved.removeListener(look);
      removeEventListener("focus", look);
    },
  };
}

/** A tab as the panel may know it now; undefined when it is gone. */
export async function showTab(tabId: number): Promise<ShownTab | undefined> {
  const found = await browser.tabs.get(tabId).catch(() => undefined);
  return found === undefined ? undefined : shown(found);
}

async function frontTab(): Promise<ShownTab | undefined> {
  const [found] = await browser.tabs.query({ active: true, currentWindow: true });
  // The panel's page can be opened as a tab of its own; that is no page to ask about.
  if (found === undefined || found.url?.startsWith(browser.runtime.getURL("/" as never)) === true) return undefined;
  return shown(found);
}

async function shown({ id, url, title }: { id?: number; url?: string; title?: string }): Promise<ShownTab | undefined> {
  if (id === undefined) return undefined;
  const { denyList } = await readSettings();
  // Without access to a tab its address is not told.
  const closed = url === undefined || url === "" ? ("not-allowed" as const) : leaveReason(url, denyList);
  const seen = closed === undefined ? await lookInside(id) : undefined;
  const isPdf = seen?.isPdf ?? /\.pdf$/i.test(URL.parse(url ?? "")?.pathname ?? "");
  // Some browsers let no extension into their PDF viewer; the file can be had where its site is allowed.
  const why = isPdf && seen === undefined && !(await canReach(url ?? "")) ? ("pdf-site" as const) : undefined;
  const shut = closed ?? why;
  return {
    tabId: id,
    url: url ?? "",
    title: title ?? "",
    isPdf,
    selected: isPdf ? 0 : (seen?.selected ?? 0),
    ...(shut === undefined ? {} : { closed: shut }),
  };
}

async function canReach(url: string): Promise<boolean> {
  const pattern = patternOf(url);
  return pattern !== undefined && browser.permissions.contains({ origins: [pattern] });
}

interface Seen {
  readonly isPdf: boolean;
  /** Characters that are selected. */
  readonly selected: number;
}

/** What kind of page a tab shows and how much of it is selected; undefined where that cannot be seen. */
async function lookInside(tabId: number): Promise<Seen | undefined> {
  try {
    const func = (): Seen => ({
      isPdf: document.contentType === "application/pdf",
      selected: getSelection()?.toString().trim().length ?? 0,
    });
    const [result] = await browser.scripting.executeScript({ target: { tabId }, func });
    return result?.result ?? undefined;
  } catch {
    return undefined;
  }
}
