/** Opens pages of the extension itself. */
import { browser } from "wxt/browser";

export function openSettings(): void {
  void browser.runtime.openOptionsPage();
}

/** Opens the page of the first run. */
export function openWelcome(): void {
  void browser.tabs.create({ url: browser.runtime.getURL("/welcome.html" as never) });
}
