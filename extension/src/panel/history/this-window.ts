/**
 * What belongs to the panel of one window: what it showed when it was closed, and what was written there and not sent. Held by the browser in memory under the window's number, never on the disk; the worker forgets
 * it with the window.
 */
import type { ConversationRef } from "@threadlore/ask";
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
