/** The extension API in memory, in place before anything asks for it: import this first. */
import { IDBKeyRange, indexedDB } from "fake-indexeddb";
import { fakeBrowser } from "wxt/testing/fake-browser";
import { transact } from "../storage/database.ts";
import { settled } from "../storage/open-database.ts";

// It has no texts: a text is its key.
Object.assign(fakeBrowser.i18n, { getMessage: (key: string) => key });
Object.assign(globalThis, { chrome: fakeBrowser, indexedDB, IDBKeyRange });

/** Everything forgotten, as in a browser never used. */
export async function freshBrowser(): Promise<void> {
  fakeBrowser.reset();
  await transact("readwrite", async (store) => {
    const stores = (["outbox", "documents", "ledger", "texts"] as const).map(store);
    await Promise.all(stores.map((one) => settled(one.clear())));
  });
}
