/** What the browser holds in memory for the panel of one window, and the worker forgets with it. */
import { slot } from "./slots.ts";

/** The conversation that the window's panel shows, as the panel describes it. */
export const viewIn = <View>(windowId: number) => slot<View>("session", `view:${windowId}`);

/** The question that is written there and not sent. */
export const draftIn = (windowId: number) => slot<string>("session", `draft:${windowId}`);

/** Forgets what was held for a window that was closed. */
export async function forgetWindow(windowId: number): Promise<void> {
  await Promise.all([viewIn(windowId).clear(), draftIn(windowId).clear()]);
}
