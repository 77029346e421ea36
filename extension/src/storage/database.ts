/** The extension's own database: what waits to be sent, and what was sent. Survives worker, browser and update. */

import { databaseOpener } from "./open-database.ts";

/** Names of its stores. */
export type StoreName = "outbox" | "documents" | "ledger" | "texts";

const STORES: readonly StoreName[] = ["outbox", "documents", "ledger", "texts"];

/**
 * 2: documents have a store of their own, so that looking at what waits does not read all of them. 3: kept pages are
 * read in the order they were sent in, and the texts of the newest stay here.
 */
const VERSION = 3;

const open = databaseOpener("threadlore", VERSION, upgrade);

/** Runs `work` in one transaction over all stores: all of it is kept, or none. Rejects when the browser cannot. */
export async function transact<Result>(
  mode: IDBTransactionMode,
  work: (store: (name: StoreName) => IDBObjectStore) => Promise<Result>,
): Promise<Result> {
  const database = await open();
  const transaction = database.transaction(STORES, mode, { durability: "strict" });
  const done = new Promise<void>((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve());
    transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("The browser kept nothing.")));
  });
  try {
    const result = await work((name) => transaction.objectStore(name));
    await done;
    if (mode === "readwrite") announce();
    return result;
  } catch (error) {
    done.catch(() => {});
    try {
      if (transaction.error === null) transaction.abort();
    } catch {
      // It has ended already.
    }
    throw error;
  }
}

const CHANGED = "database-changed";

/** Calls `listener` when anything was written, by whichever page or worker, until what it returns is called. */
export function watchDatabase(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANGED);
  channel.addEventListener("message", listener);
  return () => channel.close();
}

function announce(): void {
  const channel = new BroadcastChannel(CHANGED);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin only
  channel.postMessage(CHANGED);
  channel.close();
}

/** Brings a database of any earlier version to this one, with everything that is in it, or leaves it as it was. */
function upgrade({ result: database, transaction }: IDBOpenDBRequest, from: number): void {
  if (from < 1) {
    database.createObjectStore("outbox", { keyPath: "key" });
    const ledger = database.createObjectStore("ledger", { keyPath: "key" });
    ledger.createIndex("addresses", "addresses", { multiEntry: true });
  }
  if (from < 3) {
    transaction?.objectStore("ledger").createIndex("sent", ["origin", "sentAt"]);
    database.createObjectStore("texts", { keyPath: "key" }).createIndex("keptAt", "keptAt");
  }
  if (from >= 2) return;
  const documents = database.createObjectStore("documents");
  const walk = transaction?.objectStore("outbox").openCursor();
  walk?.addEventListener("success", () => {
    const cursor = walk.result;
    if (cursor === null) return;
    const { document, ...entry } = cursor.value as { key: string; document: string };
    documents.put(document, entry.key);
    cursor.update({ ...entry, size: document.length });
    cursor.continue();
  });
}
