import type { Browser } from "wxt/browser";
import { type Wish, wishIn } from "../storage/window-memory.ts";

/** Where a wish was made. */
type Clicked = Partial<Pick<Browser.contextMenus.OnClickData, "editable" | "frameUrl" | "selectionText">>;

/** Leaves a wish for the panel of a tab's window, which is open or opens: it has what it takes to fulfil it. */
export async function wish(
  what: Wish["what"],
  { id: tabId, windowId, url }: Browser.tabs.Tab,
  { selectionText, frameUrl: frame, editable }: Clicked = {},
): Promise<void> {
  // What is typed into a field is nobody's to take, whatever of it is selected.
  const text = editable ? undefined : selectionText;
  await wishIn(windowId).write({ what, tabId, url, text, frame, at: Date.now() });
}
