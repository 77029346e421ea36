/** What is clicked outside of the panel and means it: the icon, the browser's menu, a shortcut. */
import { type Browser, browser } from "wxt/browser";
import { leaveReason } from "../../capture/policy.ts";
import { wakeBackground } from "../../outbox/wake.ts";
import { readSettings } from "../../settings/settings.ts";
import { watchPlace } from "../../storage/slots.ts";
import { type Wish, wishIn } from "../../storage/window-memory.ts";
import { focusComposer } from "../view/composer.tsx";
import type { FrontTab } from "./front-tab.ts";
import type { Selection } from "./selection.ts";

/** Oldest wish that is still fulfilled, milliseconds: nobody remembers what they clicked before. */
const MAX_WISH_MS = 60_000;

/** What clicks are about. */
interface Clicked {
  readonly front: Pick<FrontTab, "tab" | "refresh">;
  readonly selection: Selection;
  askPage(): void;
  keepTabs(): Promise<void>;
  highlight(chosen: { readonly tabId: number; readonly url: string | undefined; readonly text: string }): Promise<void>;
}

/**
 * Follows clicks in the panel's window. One on the icon, or its shortcut, closes the panel, unless the click has just
 * opened the page in front to it: that page could not be read before.
 */
export function followClicks(windowId: number, clicked: Clicked): void {
  browser.action.onClicked.addListener((tab) => {
    if (tab.windowId === windowId && !opensPage(tab, clicked)) void closeAfterWorker();
  });
  const place = wishIn(windowId);
  const look = async () => {
    const wish = await place.read();
    if (wish === undefined) return;
    await place.clear();
    if (Date.now() - wish.at < MAX_WISH_MS) await grant(wish, clicked);
  };
  watchPlace(place, () => void look());
  void look();
}

/** Whether a click was what it takes to read its page: before, not even its address was told. */
function opensPage({ id, url }: Browser.tabs.Tab, { front }: Clicked): boolean {
  const known = front.tab.peek();
  return known?.tabId !== id || (known?.closed === "not-allowed" && url !== undefined);
}

/** The worker hears of the click as well, and opens the panel: once it has answered it is past that. */
async function closeAfterWorker(): Promise<void> {
  await wakeBackground();
  close();
}

/** Does what was chosen in the browser's own menu, or by a shortcut. */
async function grant(wish: Wish, { front, selection, askPage, keepTabs, highlight }: Clicked): Promise<void> {
  const { what, tabId, url, frame } = wish;
  if (what === "keep-tabs") return keepTabs();
  const isDenied = leaveReason(frame, (await readSettings()).denyList) !== undefined;
  const text = isDenied ? "" : (wish.text ?? "");
  if (what === "highlight") {
    await front.refresh();
    return tabId === undefined ? undefined : highlight({ tabId, url, text });
  }
  if (tabId !== undefined) selection.choose({ tabId, text });
  askPage();
  // The click has opened its page to the panel, and browsers do not tell it so.
  await front.refresh();
  focusComposer();
}
