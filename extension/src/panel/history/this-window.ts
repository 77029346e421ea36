/**
 * What belongs to the panel of one window: what it showed when it was closed, what was written there and not sent, and
 * where its links open. Held by the browser in memory under the window's number, never on the disk; the worker forgets
 * it with the window.
 */
import type { ConversationRef } from "@threadlore/ask";
import { browser } from "wxt/browser";
import { draftKey, viewKey } from "../../storage/window-memory.ts";
import { type HeldTurn, mayBeKept } from "../ask/turn.ts";

/** What keys begin with that name the service's sessions of private windows, which no list of this browser shows. */
export const PRIVATE_SESSION = "private-session:";

/** The conversation a panel shows. */
export interface LastView {
  /** Origin of the service it is held with. */
  readonly origin: string;
  /** Its id in the history. */
  readonly id: string;
  readonly conversation: ConversationRef;
  readonly turns: readonly HeldTurn[];
}

/** The conversation that this window's panel showed last; undefined: none since the window was opened. */
export async function readView(windowId: number): Promise<LastView | undefined> {
  return (await browser.storage.session.get(viewKey(windowId)))[viewKey(windowId)] as LastView | undefined;
}

/** What was written in this window's panel and not sent. */
export async function readDraft(windowId: number): Promise<string> {
  return ((await browser.storage.session.get(draftKey(windowId)))[draftKey(windowId)] as string | undefined) ?? "";
}

/** Holds what is shown. Where the browser has no room for it, the view is the only thing that has it. */
export async function holdView(windowId: number, view: LastView): Promise<void> {
  const { chatSessionId } = view.conversation;
  const isPrivate = chatSessionId !== undefined && !view.turns.every(mayBeKept);
  const hold = (held: Record<string, unknown>) => browser.storage.session.set(held).catch(() => {});
  // First, and by itself: a view there is no room for must not take the mark along.
  if (isPrivate) await hold({ [PRIVATE_SESSION + chatSessionId]: chatSessionId });
  await hold({ [viewKey(windowId)]: view });
}

/** Holds what is written and not sent. */
export async function holdDraft(windowId: number, draft: string): Promise<void> {
  await browser.storage.session.set({ [draftKey(windowId)]: draft }).catch(() => {});
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
