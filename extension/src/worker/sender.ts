import { type Browser, browser } from "wxt/browser";

/** Whether a message comes from a page of the extension; scripts in web pages have its id, and their page's address. */
export function isOwnPage({ id, url = "", origin }: Browser.runtime.MessageSender): boolean {
  const own = browser.runtime.getURL("/" as never);
  return id === browser.runtime.id && url.startsWith(own) && (origin === undefined || `${origin}/` === own);
}
