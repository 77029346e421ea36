/** What the browser holds in memory for the extension, by the beginning of its keys: it outlives the worker only. */
import { browser } from "wxt/browser";
import { watchArea } from "./watch-area.ts";

/** Everything whose key begins with `prefix`. */
export async function heldUnder<Held>(prefix: string): Promise<Held[]> {
  const all = Object.entries(await browser.storage.session.get(null));
  return all.filter(([key]) => key.startsWith(prefix)).map(([, held]) => held as Held);
}

/** Calls `listener` whenever something of it has changed. Returns how to stop that. */
export function watchHeld(prefix: string, listener: () => void): () => void {
  return watchArea((changes, area) => {
    if (area === "session" && Object.keys(changes).some((key) => key.startsWith(prefix))) listener();
  });
}
