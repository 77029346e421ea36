/**
 * What a person has clicked to keep and what is not in the outbox yet. The worker can be ended between click and
 * reading; every start of it takes up what is left here. Held in memory by the browser, not by the worker.
 */
import { browser } from "wxt/browser";
import { heldUnder, watchHeld } from "../storage/session-memory.ts";

/** One click. */
export interface Intent {
  readonly id: string;
  readonly tabId: number;
  /** Address of the page that was clicked on, where it is known: no other page is kept in its place. */
  readonly url?: string;
  /** Only what was marked. */
  readonly selection: boolean;
  /** The tab was opened for this alone, behind a link: it is waited for, and closed afterwards. */
  readonly own: boolean;
  /** Tab to tell the outcome on: for a link, the one it was clicked in. */
  readonly tellTabId: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** It turned out to be a PDF, which the panel reads: only pages of the extension have what that takes. */
  readonly pdf?: true;
}

const PREFIX = "intent:";

/** Notes an intent. It is safe when this resolves, and almost always once it was called. */
export async function noteIntent(intent: Intent): Promise<void> {
  await browser.storage.session.set({ [PREFIX + intent.id]: intent });
}

/** Calls `listener` whenever the intents have changed. Returns how to stop that. */
export function watchIntents(listener: () => void): () => void {
  return watchHeld(PREFIX, listener);
}

/** Everything clicked and not dealt with, oldest first. */
export async function readIntents(): Promise<Intent[]> {
  const intents = await heldUnder<Intent>(PREFIX);
  return intents.toSorted((one, other) => one.at - other.at);
}

/** It was dealt with, one way or another. */
export async function forgetIntent({ id }: Intent): Promise<void> {
  await browser.storage.session.remove(PREFIX + id);
}
