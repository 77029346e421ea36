/** What happened outside of the panel, for the panel to say: the last thing kept from a menu or by a shortcut. */
import { browser } from "wxt/browser";
import { watchArea } from "../storage/watch-area.ts";
import type { KeepOutcome, KeepRefusal } from "./ingest-tab.ts";

/** What became of a page kept from the menu, the toolbar or by the shortcut. */
export interface Notice {
  readonly at: number;
  readonly tabId: number;
  readonly kind: KeepOutcome["kind"];
  /** Why it was not kept. */
  readonly why?: KeepRefusal | "link-not-allowed" | "link-failed";
  /** Key of the outbox entry, so that it can be taken back. */
  readonly key?: string;
}

const NOTICE = "notice";

/** The last notice; undefined: none since the browser began. */
export async function readNotice(): Promise<Notice | undefined> {
  return (await browser.storage.session.get(NOTICE))[NOTICE] as Notice | undefined;
}

/** Leaves a notice for the panel. */
export async function leaveNotice(notice: Omit<Notice, "at">): Promise<void> {
  await browser.storage.session.set({ [NOTICE]: { ...notice, at: Date.now() } });
}

/** Calls `listener` with every new notice. Returns how to stop that. */
export function watchNotices(listener: (notice: Notice) => void): () => void {
  return watchArea((changes, area) => {
    const notice = area === "session" ? changes[NOTICE]?.newValue : undefined;
    if (notice !== undefined) listener(notice as Notice);
  });
}
