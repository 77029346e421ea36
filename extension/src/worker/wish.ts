import type { Browser } from "wxt/browser";
import { type Wish, wishIn } from "../storage/window-memory.ts";

/** Where a wish was made. */
type Clicked = Partial<Pick<Browser.contextMenus.OnClickData, "frameUrl" | "selectionText">>;

/** Leaves a wish for the panel of a tab's window, which is open or opens: it has what it takes to fulfil it. */
export async function wish(
  what: Wish["what"],
  { id: tabId, windowId }: Browser.tabs.Tab,
  { selectionText: text, frameUrl: frame }: Clicked = {},
): Promise<void> {
  await wishIn(windowId).write({ what, tabId, text, frame, at: Date.now() });
}
