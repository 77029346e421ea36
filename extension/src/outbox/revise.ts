/** What a person changes of pages they kept: what they added to them, and whether they stay. For the panel alone. */
import { type KeptAdditions, NO_ADDITIONS } from "../keep/additions.ts";
import { transact } from "../storage/database.ts";
import { settled } from "../storage/open-database.ts";
import { type Clash, mergedAdditions } from "../keep/merged.ts";
import { findRecord, forgetLedger, type LedgerRecord } from "./ledger.ts";
import { enqueue, pageOf, takeBack, timeOf, UNDO_MS } from "./outbox.ts";
import type { OutboxEntry, StoredEntry } from "./outbox-entry.ts";
import { changePrivate, HELD, isPrivateKey } from "./private-outbox.ts";
import { readText } from "./texts.ts";

/** How long a page stays held back after the last call of `holdBack`, milliseconds: a panel that is closed holds nothing. */
export const HOLD_MS = 60_000;

/** Holds a page back while a person writes. False: its ten seconds are over, it is on its way. */
export async function holdBack(key: string, now: number = Date.now()): Promise<boolean> {
  const held = await changeEntry(key, (entry) =>
    entry.sendAfter > now ? { ...entry, queuedAt: now + HOLD_MS - UNDO_MS, sendAfter: now + HOLD_MS } : undefined,
  );
  return held === "changed";
}

/** Lets a page that was held back go on: its ten seconds begin again. */
export async function goOn(key: string, now: number = Date.now()): Promise<void> {
  await changeEntry(key, (entry) => ({ ...entry, queuedAt: now, sendAfter: now + UNDO_MS }));
}

/** What came of giving a page other additions; all but "done" have changed nothing. */
export type Revised =
  | "done"
  /** This browser has its text no more. */
  | "noText"
  /** It is to be removed, which can be taken back. */
  | "beingRemoved"
  /** It was removed meanwhile. */
  | "gone"
  | Clash;

/**
 * Gives a page other additions: one that waits is sent with them, one that was sent goes out again under its own id. What
 * another window has added meanwhile stays. Throws what `enqueue` throws.
 * @param since what the additions were made from
 */
export function revise(
  key: string,
  additions: KeptAdditions = NO_ADDITIONS,
  since: KeptAdditions = NO_ADDITIONS,
  now: number = Date.now(),
): Promise<Revised> {
  return alone(async () => {
    let became: Revised = "done";
    const merged = (before: KeptAdditions | undefined) => {
      const both = mergedAdditions(since, additions, before);
      if ("field" in both) became = both;
      return "field" in both ? undefined : both;
    };
    const changed = await changeEntry(key, (entry, record) => {
      const both = merged(entry.additions);
      if (both === undefined) return undefined;
      // Another revision: a copy that is on its way at this moment does not count for this one.
      return { ...entry, additions: both, revision: crypto.randomUUID(), ...(record && { newerThan: timeOf(record) }) };
    });
    if (changed !== "none") return changed === "beingRemoved" ? changed : became;
    // Of a private window nothing is written down, and Firefox opens no database there.
    if (isPrivateKey(key)) return "noText";
    const [record, document] = await Promise.all([findRecord(key), readText(key)]);
    if (record === undefined) return "gone";
    const both = merged(record.additions);
    if (both === undefined) return became;
    if (document === undefined) return "noText";
    await enqueue({ ...pageOf(record), document, additions: both }, now);
    return became;
  });
}

/**
 * Removes a page: one that was sent at the service too, after ten seconds to take that back; one that was not is taken
 * back. Throws what `enqueue` throws.
 */
export function removeKept(key: string, now: number = Date.now()): Promise<void> {
  return alone(async () => {
    const [record, waiting] = await Promise.all([findRecord(key), entryOf(key)]);
    // What was answered for may be there, though nobody has seen it.
    const sent = record ?? (waiting?.unconfirmed === undefined ? undefined : waiting);
    if (sent === undefined) return void (await takeBack(key));
    const removal = { serverDocumentId: record?.serverDocumentId ?? sent.documentId };
    await enqueue({ ...pageOf(sent), document: "", removal }, now);
  });
}

/** Takes a page off this browser's list, whatever the service has. */
export async function takeOffList(key: string): Promise<void> {
  await Promise.all([takeBack(key), forgetLedger(key)]);
}

function entryOf(key: string): Promise<OutboxEntry | undefined> {
  return transact("readonly", (store) => settled<OutboxEntry | undefined>(store("outbox").get(key)));
}

/** One change at a time in all of the extension: what one window adds is added to what another did. */
function alone<Result>(work: () => Promise<Result>): Promise<Result> {
  return navigator.locks.request("additions", work) as Promise<Result>;
}

/**
 * Changes a page that waits. "none": it does not wait; "beingRemoved": it waits to be removed; "as-it-was": `change` wants it
 * so.
 */
async function changeEntry(
  key: string,
  change: <Entry extends OutboxEntry>(entry: Entry, record?: LedgerRecord) => Entry | undefined,
): Promise<"changed" | "as-it-was" | "beingRemoved" | "none"> {
  if (isPrivateKey(key)) {
    const held = (await HELD.readAll()).find(({ entry }) => entry.key === key)?.entry;
    if (held === undefined) return "none";
    // Where it is sent in this moment, nothing is changed.
    let became: "changed" | "as-it-was" | "none" = "none";
    await changePrivate(held.revision, (entry) => {
      const changed = change(entry);
      became = changed === undefined ? "as-it-was" : "changed";
      return changed ?? entry;
    });
    return became;
  }
  return transact("readwrite", async (store) => {
    const [entry, record] = await Promise.all([
      settled<StoredEntry | undefined>(store("outbox").get(key)),
      settled<LedgerRecord | undefined>(store("ledger").get(key)),
    ]);
    if (entry === undefined) return "none";
    if (entry.removal !== undefined) return "beingRemoved";
    const changed = change(entry, record);
    if (changed === undefined) return "as-it-was";
    await settled(store("outbox").put(changed));
    return "changed";
  });
}
