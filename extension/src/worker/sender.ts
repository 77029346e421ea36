import { browser } from "wxt/browser";

/** Who sent a message, as the browser says. */
export interface Sender {
  readonly id?: string | undefined;
  readonly url?: string | undefined;
  readonly origin?: string | undefined;
}

/** Whether a message comes from a page of the extension; scripts in web pages have its id, and their page's address. */
export function isOwnPage({ id, url = "", origin }: Sender): boolean {
  const own = browser.runtime.getURL("/" as never);
  return id === browser.runtime.id && url.startsWith(own) && (origin === undefined || `${origin}/` === own);
}
