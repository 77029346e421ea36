/** What the browser holds in memory for a window, and forgets with it. */
import { browser } from "wxt/browser";

/** Key of the conversation a window's panel shows. */
export const viewKey = (windowId: number): string => `view:${windowId}`;

/** Key of the question that is written there and not sent. */
export const draftKey = (windowId: number): string => `draft:${windowId}`;

/** Forgets what was held for a window that was closed. */
export async function forgetWindow(windowId: number): Promise<void> {
  await browser.storage.session.remove([viewKey(windowId), draftKey(windowId)]);
}
