import { browser } from "wxt/browser";

/** What has changed in an area of the browser's storage, by key. */
export type Changes = Readonly<Record<string, { readonly newValue?: unknown }>>;

/** Calls `changed` whenever anything in the browser's storage has changed. Returns how to stop that. */
export function watchArea(changed: (changes: Changes, area: string) => void): () => void {
  browser.storage.onChanged.addListener(changed);
  return () => browser.storage.onChanged.removeListener(changed);
}
