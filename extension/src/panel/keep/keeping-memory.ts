/** What only this panel knows of keeping: nothing of it is written anywhere. */
import type { ReadonlySignal } from "@preact/signals";
import { findRecord, type LedgerRecord } from "../../outbox/ledger.ts";
import { keyOf, readOutbox } from "../../outbox/outbox.ts";
import type { NewEntry, OutboxEntry } from "../../outbox/outbox-entry.ts";
import { HELD, isPrivateKey } from "../../outbox/private-outbox.ts";
import type { ShownTab } from "../pages/tabs.ts";
import { refusalText } from "./keep-text.ts";

/** What waits, oldest first; in a private window what is held in memory, as Firefox opens no database there. */
export async function readWaiting(isPrivate: boolean | undefined): Promise<OutboxEntry[]> {
  if (!isPrivate) return readOutbox();
  const held = (await HELD.readAll()).map(({ entry }): OutboxEntry => entry);
  return held.toSorted((one, other) => one.queuedAt - other.queuedAt);
}

/** What an ordinary window kept, where this one may know: in a private one of Firefox there is nothing to ask. */
export function ifKnown<Found>(found: Promise<Found>, isPrivate: boolean | undefined): Promise<Found | undefined> {
  return isPrivate ? found.catch(() => undefined) : found;
}

/** The record of a page, where this window may know it. */
export const recordOf = (key: string): Promise<LedgerRecord | undefined> => ifKnown(findRecord(key), isPrivateKey(key));

/** What waited here from private windows, and what of it was sent: nothing else knows afterwards. */
export function followPrivate() {
  const waited = new Map<string, OutboxEntry>();
  const takenBack = new Set<string>();
  const sent: OutboxEntry[] = [];
  return {
    sent: sent as readonly OutboxEntry[],
    /** An entry of a private window that is gone and was not taken back was sent. */
    note(waiting: readonly OutboxEntry[]) {
      for (const [revision, entry] of waited) {
        if (waiting.some((one) => one.revision === revision)) continue;
        waited.delete(revision);
        if (!takenBack.has(revision)) sent.push(entry);
      }
      for (const entry of waiting) if (entry.isPrivate === true) waited.set(entry.revision, entry);
    },
    /**
     * A page of a private window with what was added to it before, there or where it was kept in an ordinary one: what
     * waits in memory takes that along from neither. Any other page as it is.
     */
    async withBefore<Page extends NewEntry>(page: Page): Promise<Page> {
      if (page.isPrivate !== true || page.additions !== undefined) return page;
      const key = keyOf(page);
      const here = [...sent, ...waited.values()].findLast((entry) => entry.key === key);
      const before = here ?? (await ifKnown(findRecord(keyOf({ ...page, isPrivate: undefined })), true));
      return before?.additions === undefined ? page : { ...page, additions: before.additions };
    },
    takeBack(key: string) {
      for (const entry of waited.values()) if (entry.key === key) takenBack.add(entry.revision);
    },
  };
}

/** The last refusal, shown on its tab until something else happens or the tab goes elsewhere. */
export function createRefusals() {
  let refusal: { tabId: number; message: string; url?: string } | undefined;
  return {
    set(tabId: number, why: Parameters<typeof refusalText>[0] | undefined) {
      refusal = why === undefined ? undefined : { tabId, message: refusalText(why) };
    },
    /** What is said on a tab. */
    on(tab: ShownTab | undefined): string | undefined {
      if (refusal === undefined || refusal.tabId !== tab?.tabId) return undefined;
      refusal.url ??= tab.url;
      if (refusal.url !== tab.url) refusal = undefined;
      return refusal?.message;
    },
  };
}

/** Hashes of the PDF in front, read once for each time it is loaded. */
export function pdfHashes(loads: ReadonlySignal<number>): (tab: ShownTab) => Promise<string | undefined> {
  let shown: { of: string; hash: Promise<string | undefined> } | undefined;
  return ({ tabId, url }) => {
    const of = `${tabId} ${loads.peek()} ${url}`;
    if (shown?.of !== of) {
      shown = { of, hash: import("../../pdf/keep-pdf.ts").then(({ hashOfPdf }) => hashOfPdf(tabId, url)) };
    }
    return shown.hash;
  };
}
