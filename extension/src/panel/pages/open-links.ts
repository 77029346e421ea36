/** Where the links of the panel open: a page that was asked about in the tab it is open in, at the passage. */
import type { ReadonlySignal } from "@preact/signals";
import { browser } from "wxt/browser";
import { isSamePage } from "../../capture/read-tab.ts";
import type { Turn, TurnPage } from "../ask/turn.ts";

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
    const page = isBehind || event.shiftKey ? undefined : pageAsked(conversation.turns.peek(), href);
    if (page === undefined && !isPrivate.peek()) return;
    event.preventDefault();
    void (async () => {
      if (page !== undefined && (await showInTab(page, href))) return;
      await browser.tabs.create({ url: href, windowId, active: !isBehind });
    })();
  };
  addEventListener("click", opened, true);
  addEventListener("auxclick", opened, true);
}

/** The page a link leads to, as it was asked about last and had a tab: by its own address, or by the one it was told by. */
function pageAsked(turns: readonly Turn[], href: string): TurnPage | undefined {
  const pages = turns.flatMap((turn) => turn.pages.peek().asked).filter(({ tabId }) => tabId !== undefined);
  return (
    pages.findLast(({ url }) => isSamePage(url, href)) ??
    pages.findLast(({ told }) => told !== undefined && isSamePage(told, href))
  );
}

/** Shows a page in the tab it is open in. False: that is closed, or shows another page by now. */
async function showInTab({ tabId = -1, url }: TurnPage, href: string): Promise<boolean> {
  const tab = await browser.tabs.get(tabId).catch(() => undefined);
  if (tab?.url === undefined || !isSamePage(tab.url, url)) return false;
  await Promise.all([
    browser.tabs.update(tabId, { active: true }),
    browser.windows.update(tab.windowId, { focused: true }),
  ]);
  const sheet = /#page=\d+$/.exec(href)?.[0];
  if (sheet === undefined) {
    const { toAsk } = await import("../to-ask.ts");
    await toAsk.toPassage(tabId, href);
  } else await browser.tabs.update(tabId, { url: `${tab.url.split("#", 1)[0] ?? ""}${sheet}` });
  return true;
}
