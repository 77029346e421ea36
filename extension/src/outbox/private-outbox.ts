/**
 * Pages of private windows that wait to be sent. The browser holds them in memory: they outlive the worker and not the
 * browser, and leave nothing on the disk.
 */
import type { OutboxEntry } from "./outbox-entry.ts";
import { shelf } from "../storage/slots.ts";

/** An entry of a private window, with its document as JSON. */
export interface PrivateEntry {
  readonly entry: OutboxEntry & { readonly isPrivate: true };
  readonly document: string;
}

/** What keys of private entries begin with. */
export const PRIVATE = "private-page:";

/** Whether a key is that of a private entry, which no database holds. */
export const isPrivateKey = (key: string): boolean => key.startsWith(PRIVATE);

/** All of them, each under its own key. */
export const HELD = shelf<PrivateEntry>(PRIVATE);

/**
 * Changes the one of this revision, where it is still there; undefined lets it go. One change at a time in all of the
 * extension, so that what was taken back stays so.
 */
export async function changePrivate(
  revision: string,
  change: (entry: PrivateEntry["entry"]) => PrivateEntry["entry"] | undefined,
): Promise<void> {
  await navigator.locks.request(PRIVATE, async () => {
    const held = (await HELD.readAll()).find(({ entry }) => entry.revision === revision);
    if (held === undefined) return;
    const entry = change(held.entry);
    if (entry === undefined) await HELD.remove(held.entry.key);
    else await HELD.put(entry.key, { ...held, entry });
  });
}
