/** The extension API in memory, in place before anything asks for it: import this first. */
import { IDBKeyRange, indexedDB } from "fake-indexeddb";
import { fakeBrowser } from "wxt/testing/fake-browser";
import { transact } from "../storage/database.ts";
import { settled } from "../storage/open-database.ts";

Object.assign(globalThis, { chrome: fakeBrowser, indexedDB, IDBKeyRange });

/** Everything forgotten, as in a browser never used. */
export async function freshBrowser(): Promise<void> {
  fakeBrowser.reset();
  await transact("readwrite", async (store) => {
    await Promise.all([
      settled(store("outbox").clear()),
      settled(store("documents").clear()),
      settled(store("ledger").clear()),
    ]);
  });
}
