/**
 * Pages of private windows that wait to be sent. The browser holds them in memory: they outlive the worker and not the
 * browser, and leave nothing on the disk.
 */
import { browser } from "wxt/browser";
import type { OutboxEntry } from "./outbox-entry.ts";
import { heldUnder, watchHeld } from "../storage/session-memory.ts";

/** An entry of a private window, with its document as JSON. */
export interface PrivateEntry {
  readonly entry: OutboxEntry & { readonly isPrivate: true };
  readonly document: string;
}

/** What keys of private entries begin with. */
export const PRIVATE = "private-page:";

/** All of them. */
export function readPrivate(): Promise<PrivateEntry[]> {
  return heldUnder(PRIVATE);
}

/** Holds one, in place of an older copy. Throws where the browser has no room for it. */
export async function holdPrivate(held: PrivateEntry): Promise<void> {
  await browser.storage.session.set({ [held.entry.key]: held });
}

/**
 * Changes the one of this revision, where it is still there; undefined lets it go. One change at a time in all of the
 * extension, so that what was taken back stays so.
 */
export async function changePrivate(
  revision: string,
  change: (entry: PrivateEntry["entry"]) => PrivateEntry["entry"] | undefined,
): Promise<void> {
  await navigator.locks.request(PRIVATE, async () => {
    const held = (await readPrivate()).find(({ entry }) => entry.revision === revision);
    if (held === undefined) return;
    const entry = change(held.entry);
    if (entry === undefined) await browser.storage.session.remove(held.entry.key);
    else await holdPrivate({ ...held, entry });
  });
}

/** Calls `listener` whenever something of a private window was queued, changed or let go. Returns how to stop that. */
export function watchPrivate(listener: () => void): () => void {
  return watchHeld(PRIVATE, listener);
}
