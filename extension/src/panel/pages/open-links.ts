/** Where the links of the panel open: a page that was asked about in the tab it is open in, at the passage. */
import type { ReadonlySignal } from "@preact/signals";
import { browser } from "wxt/browser";
import { isSamePage } from "../../capture/read-tab.ts";
import type { Turn } from "../ask/turn.ts";
import { toPassage } from "./to-passage.ts";

/** Whose links are opened. */
interface Opened {
  /** The window is a private one. */
  readonly isPrivate: ReadonlySignal<boolean>;
  readonly conversation: { readonly turns: ReadonlySignal<readonly Turn[]> };
}

/**
 * Opens links. One to a page that was asked about shows its tab, as long as that shows the page. The panel of a private
 * window belongs to the browser's ordinary profile, where its links would open, and be written into the history: they
 * open in its window.
 */
export function openLinks(windowId: number, { isPrivate, conversation }: Opened): void {
  const opened = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
    if (link === null || event.button > 1) return;
    const { href } = link;
    const isBehind = event.button === 1 || event.ctrlKey || event.metaKey;
    const tabId = isBehind || event.shiftKey ? undefined : tabAsked(conversation.turns.peek(), href);
    if (tabId === undefined && !isPrivate.peek()) return;
    event.preventDefault();
    void (async () => {
      if (tabId !== undefined && (await showInTab(tabId, href))) return;
      await browser.tabs.create({ url: href, windowId, active: !isBehind });
    })();
  };
  addEventListener("click", opened, true);
  addEventListener("auxclick", opened, true);
}

/** The tab a page was asked about in last. */
function tabAsked(turns: readonly Turn[], href: string): number | undefined {
  const pages = turns.flatMap((turn) => turn.pages.peek().asked);
  return pages.findLast(({ url, tabId }) => tabId !== undefined && isSamePage(url, href))?.tabId;
}

/** Shows a page in the tab it is open in. False: that is closed, or shows another page by now. */
async function showInTab(tabId: number, href: string): Promise<boolean> {
  const tab = await browser.tabs.get(tabId).catch(() => undefined);
  if (tab?.url === undefined || !isSamePage(tab.url, href)) return false;
  await Promise.all([
    browser.tabs.update(tabId, { active: true }),
    browser.windows.update(tab.windowId, { focused: true }),
  ]);
  if (/#page=\d+$/.test(href)) await browser.tabs.update(tabId, { url: href });
  else await toPassage(tabId, href);
  return true;
}
