/**
 * What a person has clicked to keep and what is not in the outbox yet. The worker can be ended between click and
 * reading; every start of it takes up what is left here. Held in memory by the browser, not by the worker.
 */
import { shelf } from "../storage/slots.ts";

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

/** What is noted. An intent is safe when it was put there, and almost always once that was called. */
export const INTENTS = shelf<Intent>("intent:");

/** Everything clicked and not dealt with, oldest first. */
export async function readIntents(): Promise<Intent[]> {
  return (await INTENTS.readAll()).toSorted((one, other) => one.at - other.at);
}
