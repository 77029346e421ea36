/** What a person changes of pages they kept: what they added to them, and whether they stay. For the panel alone. */
import { type KeptAdditions, NO_ADDITIONS } from "../keep/additions.ts";
import { transact } from "../storage/database.ts";
import { settled } from "../storage/open-database.ts";
import { findRecord, forgetLedger } from "./ledger.ts";
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
  return held !== undefined;
}

/** Lets a page that was held back go on: its ten seconds begin again. */
export async function goOn(key: string, now: number = Date.now()): Promise<void> {
  await changeEntry(key, (entry) => ({ ...entry, queuedAt: now, sendAfter: now + UNDO_MS }));
}

/**
 * Gives a page other additions: one that waits is sent with them, one that was sent goes out again under its own id.
 * "no-text": this browser has its text no more. Throws what `enqueue` throws.
 */
export async function revise(
  key: string,
  additions: KeptAdditions = NO_ADDITIONS,
  now: number = Date.now(),
): Promise<"done" | "no-text"> {
  // Of a private window nothing is written down, and Firefox opens no database there.
  const [record, document] = isPrivateKey(key) ? [] : await Promise.all([findRecord(key), readText(key)]);
  // Another revision: a copy that is on its way at this moment does not count for this one.
  const anew = { additions, revision: crypto.randomUUID(), ...(record && { newerThan: timeOf(record) }) };
  if ((await changeEntry(key, (entry) => ({ ...entry, ...anew }))) !== undefined) return "done";
  if (record === undefined || document === undefined) return "no-text";
  await enqueue({ ...pageOf(record), document, additions }, now);
  return "done";
}

/**
 * Removes a page: one that was sent at the service too, after ten seconds to take that back; one that was not is taken
 * back. Throws what `enqueue` throws.
 */
export async function removeKept(key: string, now: number = Date.now()): Promise<void> {
  const [record, waiting] = await Promise.all([findRecord(key), entryOf(key)]);
  // What was answered for may be there, though nobody has seen it.
  const sent = record ?? (waiting?.unconfirmed === undefined ? undefined : waiting);
  if (sent === undefined) return void (await takeBack(key));
  const removal = { serverDocumentId: record?.serverDocumentId ?? sent.documentId };
  await enqueue({ ...pageOf(sent), document: "", removal }, now);
}

/** Takes a page off this browser's list, whatever the service has. */
export async function takeOffList(key: string): Promise<void> {
  await Promise.all([takeBack(key), forgetLedger(key)]);
}

function entryOf(key: string): Promise<OutboxEntry | undefined> {
  return transact("readonly", (store) => settled<OutboxEntry | undefined>(store("outbox").get(key)));
}

/** Changes a page that waits; undefined where there is none, or `change` wants it as it is. */
async function changeEntry(
  key: string,
  change: <Entry extends OutboxEntry>(entry: Entry) => Entry | undefined,
): Promise<OutboxEntry | undefined> {
  if (isPrivateKey(key)) {
    const held = (await HELD.readAll()).find(({ entry }) => entry.key === key)?.entry;
    const changed = held && change(held);
    if (held && changed) await changePrivate(held.revision, () => changed);
    return changed;
  }
  return transact("readwrite", async (store) => {
    const entry = await settled<StoredEntry | undefined>(store("outbox").get(key));
    const changed = entry === undefined || entry.removal !== undefined ? undefined : change(entry);
    if (changed !== undefined) await settled(store("outbox").put(changed));
    return changed;
  });
}
