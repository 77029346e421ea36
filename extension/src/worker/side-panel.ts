import { browser } from "wxt/browser";

/**
 * Opens the panel beside a tab. Browsers allow it only in the moment of a click: call it first, before any await.
 * Chromium's own "open on click" is not used, as it would give the extension no access to the page that was clicked on.
 */
export function openPanel(tab: { readonly windowId: number }): void {
  // Firefox's; Chromium's types do not know it.
  const sidebar = (browser as { sidebarAction?: { open(): Promise<void> } }).sidebarAction;
  const opened = sidebar === undefined ? browser.sidePanel.open({ windowId: tab.windowId }) : sidebar.open();
  // It is open already, or the click was none: the person sees either.
  opened.catch(() => {});
}
