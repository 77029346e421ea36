import { freshBrowser } from "../testing/fake-browser.ts";
import { expect, it } from "vitest";
import { readLedger } from "../outbox/ledger.ts";
import { readDocument, readOutbox } from "../outbox/outbox.ts";

/** A database as version 1 left it: an entry held its document. */
function openVersion1(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("threadlore", 1);
    opening.addEventListener("upgradeneeded", () => {
      opening.result.createObjectStore("outbox", { keyPath: "key" });
      const ledger = opening.result.createObjectStore("ledger", { keyPath: "key" });
      ledger.createIndex("addresses", "addresses", { multiEntry: true });
    });
    opening.addEventListener("success", () => resolve(opening.result));
    opening.addEventListener("error", () => reject(opening.error));
  });
}

it("schema migration: what an older version queued and sent is there after an update", async () => {
  await freshBrowser();
  await new Promise((resolve) => indexedDB.deleteDatabase("threadlore").addEventListener("success", resolve));
  const old = await openVersion1();
  const writing = old.transaction(["outbox", "ledger"], "readwrite");
  for (let index = 0; index < 200; index++) {
    const entry = { key: `k${index}`, title: `Page ${index}`, queuedAt: index, revision: "r", state: "waiting" };
    writing.objectStore("outbox").put({ ...entry, document: `{"id":"web_${index}"}` });
  }
  writing.objectStore("ledger").put({ key: "sent", title: "Sent", addresses: [], sentAt: 1 });
  await new Promise((resolve) => writing.addEventListener("complete", resolve));
  // An older page is still open: it gives way.
  old.addEventListener("versionchange", () => old.close());

  const entries = await readOutbox();
  expect(entries.map(({ title }) => title)).toEqual(Array.from({ length: 200 }, (_, index) => `Page ${index}`));
  expect(entries[7]).not.toHaveProperty("document");
  expect(entries[7]?.size).toBe('{"id":"web_7"}'.length);
  const [, second] = entries;
  expect(second === undefined ? undefined : await readDocument(second)).toBe('{"id":"web_1"}');
  expect((await readLedger()).map(({ title }) => title)).toEqual(["Sent"]);
});
