/** What the browser holds in memory for the panel of one window, and the worker forgets with it. */
import { browser } from "wxt/browser";
import { slot } from "./slots.ts";

/** The conversation that the window's panel shows, as the panel describes it. */
export const viewIn = <View>(windowId: number) => slot<View>("session", `view:${windowId}`);

/** The question that is written there and not sent. */
export const draftIn = (windowId: number) => slot<string>("session", `draft:${windowId}`);

/** What somebody has chosen in the browser's menu, or by a shortcut, for the panel of the window to do. */
export interface Wish {
  readonly what: "ask-selection" | "highlight" | "keep-tabs";
  readonly tabId: number | undefined;
  /** Address of its page then, where it is told. */
  readonly url: string | undefined;
  /** What was selected, as the browser itself tells it: it knows of places no script reaches. Nothing that is typed. */
  readonly text: string | undefined;
  /** Address of the frame it was selected in. */
  readonly frame: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The wish that the window's panel has not taken yet. */
export const wishIn = (windowId: number) => slot<Wish>("session", `wish:${windowId}`);

/** Forgets what was held for a window that was closed. */
export async function forgetWindow(windowId: number): Promise<void> {
  await browser.storage.session.remove([viewIn, draftIn, wishIn].map((place) => place(windowId).key));
}
