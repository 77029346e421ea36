import type { Page, Worker } from "playwright-core";
import type { StoreName } from "../storage/database.ts";
import type { LedgerRecord } from "../outbox/ledger.ts";
import type { OutboxEntry } from "../outbox/outbox-entry.ts";
import type { ExtensionBrowser } from "./chromium.ts";

interface Tab {
  readonly id: number;
  readonly url?: string;
  readonly windowId: number;
}

/** What tests use of the browser's own extension API, from within the worker. */
interface WorkerScope {
  chrome: {
    tabs: { query(filter: object): Promise<Tab[]> };
    contextMenus: { onClicked: { dispatch(clicked: object, tab: object): void } };
    commands: { onCommand: { dispatch(command: string, tab: object): void } };
    storage: Record<
      "local" | "session" | "sync",
      { get(keys: null): Promise<Record<string, unknown>>; set(values: object): Promise<void> }
    >;
    scripting: { executeScript(injection: object): Promise<{ result: unknown }[]> };
    action: { getBadgeText(of: object): Promise<string> };
    alarms: { onAlarm: { dispatch(alarm: object): void } };
    runtime: {
      getContexts(filter: object): Promise<object[]>;
      sendMessage(message: unknown): Promise<unknown>;
    };
  };
}

/** What else is known of a click on the menu. */
export interface MenuClick {
  /** Address the tab had when it was clicked. Default: the one it has. */
  readonly clickedUrl?: string;
  /** Address of the link that was clicked on. */
  readonly linkUrl?: string;
  /** What was selected there, as the browser tells it. */
  readonly selectionText?: string;
  /** Somebody can type there. Default: false. */
  readonly editable?: boolean;
  /** Address of the frame it was clicked in. */
  readonly frameUrl?: string;
}

/**
 * What a click on an entry of the context menu does, on the page in front; gives the tab's id. Browsers without a window
 * have no menu to click on, so the listener is called; the access a real click gives comes from `clickAction` beforehand.
 */
export async function clickMenu(
  browser: ExtensionBrowser,
  page: Page,
  menuItemId: string,
  { clickedUrl, ...told }: MenuClick = {},
): Promise<number> {
  const tab = await tabInFront(browser, page);
  const clicked = { menuItemId, pageUrl: page.url(), editable: false, ...told };
  const was = { ...tab, ...(clickedUrl !== undefined && { url: clickedUrl }) };
  const worker = await browser.worker();
  await worker.evaluate(
    ([entry, on]) => (globalThis as unknown as WorkerScope).chrome.contextMenus.onClicked.dispatch(entry, on),
    [clicked, was] as const,
  );
  return tab.id;
}

/** What a shortcut does on the page in front; as with the menu, the listener is called. Gives the tab's id. */
export async function pressShortcut(browser: ExtensionBrowser, page: Page, command: string): Promise<number> {
  const tab = await tabInFront(browser, page);
  const worker = await browser.worker();
  await worker.evaluate(
    ([pressed, on]) => (globalThis as unknown as WorkerScope).chrome.commands.onCommand.dispatch(pressed, on),
    [command, tab] as const,
  );
  return tab.id;
}

/** Brings a page to the front, and gives its tab as the extension sees it. */
async function tabInFront(browser: ExtensionBrowser, page: Page): Promise<Tab> {
  await page.bringToFront();
  const worker = await browser.worker();
  return worker.evaluate(async (address) => {
    const { tabs } = (globalThis as unknown as WorkerScope).chrome;
    const inFront = async () => (await tabs.query({ active: true, lastFocusedWindow: true }))[0];
    let tab = await inFront();
    // A busy browser takes its time to bring a page to the front, and to give the access that a click brings, which the
    // address is told with; that of its own pages it tells nobody.
    const looks = /^(?:https?|file):/.test(address) ? 60 : 20;
    for (let look = 0; tab?.url !== address && look < looks; look++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      tab = await inFront();
    }
    if (tab === undefined) throw new Error("No tab is in front.");
    return tab;
  }, page.url());
}

/** Changes stored settings, as the settings page would. */
export async function changeStored(
  browser: ExtensionBrowser,
  name: "settings" | "keys",
  change: Record<string, unknown>,
): Promise<void> {
  const worker = await browser.worker();
  await worker.evaluate(
    async ([key, changed]) => {
      const { local } = (globalThis as unknown as WorkerScope).chrome.storage;
      const stored = (await local.get(null))[key] as object | undefined;
      await local.set({ [key]: { ...stored, ...changed } });
    },
    [name, change] as const,
  );
}

/** The side panels that are open, as the browser itself lists them. */
export async function panelsOf(browser: ExtensionBrowser): Promise<object[]> {
  const worker = await browser.worker();
  return worker.evaluate(() =>
    (globalThis as unknown as WorkerScope).chrome.runtime.getContexts({ contextTypes: ["SIDE_PANEL"] }),
  );
}

/** Everything in one of the extension's storage areas. */
export async function storageOf(
  browser: ExtensionBrowser,
  area: "local" | "session" | "sync",
): Promise<Record<string, unknown>> {
  const worker = await browser.worker();
  return worker.evaluate((name) => (globalThis as unknown as WorkerScope).chrome.storage[name].get(null), area);
}

/** A worker or a page of the extension: whatever sees its database. */
type OwnScope = Pick<Worker, "evaluate">;

/** Everything that waits to be sent. */
export async function outboxOf(browser: ExtensionBrowser): Promise<OutboxEntry[]> {
  return storeIn(await browser.worker(), "outbox") as Promise<OutboxEntry[]>;
}

/** How many wait to be sent: far less work than all of them, for whoever asks over and over. */
export async function waitingIn(browser: ExtensionBrowser): Promise<number> {
  const worker = await browser.worker();
  return worker.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open("threadlore");
        opening.addEventListener("error", () => reject(opening.error));
        opening.addEventListener("success", () => {
          const counting = opening.result.transaction("outbox").objectStore("outbox").count();
          counting.addEventListener("success", () => {
            resolve(counting.result);
            opening.result.close();
          });
          counting.addEventListener("error", () => reject(counting.error));
        });
      }),
  );
}

/** Everything in one store of the extension's database. */
export async function storeOf(browser: ExtensionBrowser, name: StoreName): Promise<unknown[]> {
  return storeIn(await browser.worker(), name);
}

/** The conversations that are kept on the disk, seen from a page of the extension. */
export async function conversationsIn(panel: OwnScope): Promise<unknown[]> {
  return storeIn(panel, "conversations", "threadlore-conversations");
}

/** Everything in one store, seen from a worker or a page of the extension. */
export async function storeIn(
  scope: OwnScope,
  name: StoreName | "conversations",
  databaseName = "threadlore",
): Promise<unknown[]> {
  return (await storesIn(scope, [name], databaseName)).flatMap((rows) => rows.map(([, value]) => value));
}

/** The keys and values of several stores as they were at one moment. */
function storesIn(scope: OwnScope, names: readonly string[], databaseName: string): Promise<[unknown, unknown][][]> {
  return scope.evaluate(
    ([stores, where]) =>
      new Promise<[unknown, unknown][][]>((resolve, reject) => {
        const opening = indexedDB.open(where);
        opening.addEventListener("error", () => reject(opening.error));
        opening.addEventListener("success", () => {
          const reading = opening.result.transaction(stores);
          const asked = stores.map((store) => {
            const all = reading.objectStore(store);
            return [all.getAllKeys(), all.getAll()] as const;
          });
          reading.addEventListener("complete", () => {
            resolve(asked.map(([keys, values]) => keys.result.map((key, index) => [key, values.result[index]])));
            opening.result.close();
          });
          reading.addEventListener("abort", () => reject(reading.error));
        });
      }),
    [names, databaseName] as const,
  );
}

/** An entry with its document, as the database has them. */
export interface EntryOnDisk {
  readonly entry: OutboxEntry;
  readonly document: string;
}

/** Every entry that waits, with its document. */
export async function readEntries(browser: ExtensionBrowser): Promise<EntryOnDisk[]> {
  const worker = await browser.worker();
  // At one moment: entries that waited longer may be sent between two looks.
  const [entries = [], documents = []] = await storesIn(worker, ["outbox", "documents"], "threadlore");
  const documentOf = new Map(documents);
  return entries.map(([key, entry]) => ({ entry: entry as OutboxEntry, document: documentOf.get(key) as string }));
}

/** As many copies of an entry as are asked for, each a document of its own, all due. */
export function copiesOf({ entry, document }: EntryOnDisk, count: number, name: string): EntryOnDisk[] {
  return Array.from({ length: count }, (_, index) => {
    const documentId = `${entry.documentId}_${name}_${index}`;
    const key = `${entry.origin} ${documentId}`;
    const copied = JSON.stringify({ ...(JSON.parse(document) as object), id: documentId });
    return { entry: { ...entry, key, documentId, sendAfter: 0, size: copied.length }, document: copied };
  });
}

/** Puts entries into the outbox as if each had been queued. */
export function putEntries(scope: OwnScope, entries: readonly EntryOnDisk[]): Promise<void> {
  return put(scope, [
    { store: "outbox", rows: entries.map(({ entry }) => ({ value: entry })) },
    { store: "documents", rows: entries.map(({ entry, document }) => ({ value: document, key: entry.key })) },
  ]);
}

/** Writes records into the ledger as if each page had been sent. */
export function putRecords(scope: OwnScope, records: readonly LedgerRecord[]): Promise<void> {
  return put(scope, [{ store: "ledger", rows: records.map((value) => ({ value })) }]);
}

interface Rows {
  readonly store: string;
  /** `key` for a store whose values do not hold theirs. */
  readonly rows: readonly { readonly value: unknown; readonly key?: string }[];
}

/** Writes rows into the extension's database, in one transaction. */
async function put(scope: OwnScope, all: readonly Rows[]): Promise<void> {
  await scope.evaluate(
    (given) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open("threadlore");
        opening.addEventListener("error", () => reject(opening.error));
        opening.addEventListener("success", () => {
          const stores = given.map(({ store }) => store);
          const writing = opening.result.transaction(stores, "readwrite", { durability: "strict" });
          for (const { store, rows } of given)
            for (const { value, key } of rows) writing.objectStore(store).put(value, key);
          writing.addEventListener("complete", () => {
            opening.result.close();
            resolve();
          });
          writing.addEventListener("abort", () => reject(writing.error));
        });
      }),
    all,
  );
}

/** Takes back everything that waits. */
export async function takeAllBack(browser: ExtensionBrowser): Promise<void> {
  const worker = await browser.worker();
  await worker.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open("threadlore");
        opening.addEventListener("error", () => reject(opening.error));
        opening.addEventListener("success", () => {
          const writing = opening.result.transaction(["outbox", "documents"], "readwrite");
          writing.objectStore("outbox").clear();
          writing.objectStore("documents").clear();
          writing.addEventListener("complete", () => {
            opening.result.close();
            resolve();
          });
          writing.addEventListener("abort", () => reject(writing.error));
        });
      }),
  );
}

/** Lets the time pass in which pages can be taken back, and every pause after a failure: what waits is due now. */
export async function letTimePass(browser: ExtensionBrowser): Promise<void> {
  const worker = await browser.worker();
  await makeDue(worker);
  await worker.evaluate(() =>
    (globalThis as unknown as WorkerScope).chrome.alarms.onAlarm.dispatch({ name: "outbox" }),
  );
}

/** Makes everything that waits due, and tells nobody. */
export async function makeDue(scope: OwnScope): Promise<void> {
  await sendAfter(scope, 0);
}

/** Lets everything that waits go on waiting, however long the test takes: none of it is due for a day. */
export async function holdBack(browser: ExtensionBrowser): Promise<void> {
  await sendAfter(await browser.worker(), Date.now() + 86_400_000);
}

async function sendAfter(scope: OwnScope, time: number): Promise<void> {
  await scope.evaluate(
    (at) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open("threadlore");
        opening.addEventListener("error", () => reject(opening.error));
        opening.addEventListener("success", () => {
          const writing = opening.result.transaction("outbox", "readwrite", { durability: "strict" });
          const walk = writing.objectStore("outbox").openCursor();
          walk.addEventListener("success", () => {
            if (walk.result === null) return;
            walk.result.update({ ...walk.result.value, sendAfter: at });
            walk.result.continue();
          });
          writing.addEventListener("complete", () => {
            opening.result.close();
            resolve();
          });
          writing.addEventListener("abort", () => reject(writing.error));
        });
      }),
    time,
  );
}

/** What stands on the icon while this page is in front; without one, where no tab says something else. */
export async function badgeOf(browser: ExtensionBrowser, page?: Page): Promise<string> {
  await page?.bringToFront();
  const worker = await browser.worker();
  return worker.evaluate(async (front) => {
    const { chrome } = globalThis as unknown as WorkerScope;
    const [tab] = front ? await chrome.tabs.query({ active: true, lastFocusedWindow: true }) : [];
    return chrome.action.getBadgeText(tab === undefined ? {} : { tabId: tab.id });
  }, page !== undefined);
}

/** The questions a person has not answered yet. */
export async function questionsOf(browser: ExtensionBrowser): Promise<unknown[]> {
  const kept = Object.entries(await storageOf(browser, "session"));
  return kept.filter(([key]) => key.startsWith("consent:")).map(([, question]) => question);
}

/** Lets a script of the extension, from within the page in front, say things to the extension, one after the other. */
export async function sayFromPage(browser: ExtensionBrowser, messages: readonly unknown[]): Promise<void> {
  const worker = await browser.worker();
  await worker.evaluate(async (all) => {
    const { chrome } = globalThis as unknown as WorkerScope;
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    await chrome.scripting.executeScript({
      target: { tabId: tab?.id },
      args: [all],
      func: async (said: readonly unknown[]) => {
        const { runtime } = (globalThis as unknown as WorkerScope).chrome;
        for (const message of said) await runtime.sendMessage(message).catch(() => {});
      },
    });
  }, messages);
}

/** What a script of the extension gets of its storage areas from within the page in front: each area's words. */
export async function readStorageFromPage(browser: ExtensionBrowser): Promise<Record<string, string>> {
  const worker = await browser.worker();
  return worker.evaluate(async () => {
    const { chrome } = globalThis as unknown as WorkerScope;
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    const [read] = await chrome.scripting.executeScript({
      target: { tabId: tab?.id },
      func: async () => {
        const areas = (globalThis as unknown as WorkerScope).chrome.storage as Record<
          string,
          { get(keys: null): Promise<object> }
        >;
        const told: Record<string, string> = {};
        for (const name of ["local", "session", "sync", "managed"]) {
          told[name] = await (areas[name]?.get(null) ?? Promise.reject(new Error("not allowed: no such area"))).then(
            (all) => JSON.stringify(all),
            (error: unknown) => String(error),
          );
        }
        return told;
      },
    });
    return read?.result as Record<string, string>;
  });
}
