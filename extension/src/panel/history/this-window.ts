/**
 * What belongs to the panel of one window: what it showed when it was closed, what was written there and not sent, and
 * where its links open. Held by the browser in memory under the window's number, never on the disk; the worker forgets
 * it with the window.
 */
import type { ConversationRef } from "@threadlore/ask";
import { browser } from "wxt/browser";
import { shelf } from "../../storage/slots.ts";
import { viewIn } from "../../storage/window-memory.ts";
import { type HeldTurn, mayBeKept, type Waiting } from "../ask/turn.ts";

/** The service's sessions of private windows, which no list of this browser shows. */
export const PRIVATE_SESSIONS = shelf<string>("private-session:");

/** The conversation a panel shows. */
export interface LastView {
  /** Origin of the service it is held with. */
  readonly origin: string;
  /** Its id in the history. */
  readonly id: string;
  readonly conversation: ConversationRef;
  readonly turns: readonly HeldTurn[];
  /** Questions that wait for its last answer. */
  readonly waiting?: readonly Waiting[];
}

/** Holds what is shown. Where the browser has no room for it, the view is the only thing that has it. */
export async function holdView(windowId: number, view: LastView): Promise<void> {
  const { chatSessionId } = view.conversation;
  const isPrivate = chatSessionId !== undefined && !view.turns.every(mayBeKept);
  // First, and by itself: a view there is no room for must not take the mark along.
  if (isPrivate) await PRIVATE_SESSIONS.put(chatSessionId, chatSessionId).catch(() => {});
  await viewIn<LastView>(windowId)
    .write(view)
    .catch(() => {});
}

/**
 * Opens links in this window. The panel of a private window belongs to the browser's ordinary profile, where its links
 * would open too, and be written into the history.
 */
export function openLinksIn(windowId: number): void {
  const opened = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
    if (link === null || event.button > 1) return;
    event.preventDefault();
    const isBehind = event.button === 1 || event.ctrlKey || event.metaKey;
    void browser.tabs.create({ url: link.href, windowId, active: !isBehind });
  };
  addEventListener("click", opened, true);
  addEventListener("auxclick", opened, true);
}
