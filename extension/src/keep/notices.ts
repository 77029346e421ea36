/** What happened outside of the panel, for the panel to say: the last thing kept from a menu or by a shortcut. */
import { slot } from "../storage/slots.ts";
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

/** The last notice; none since the browser began. */
export const NOTICE = slot<Notice>("session", "notice");

/** Leaves a notice for the panel. */
export async function leaveNotice(notice: Omit<Notice, "at">): Promise<void> {
  await NOTICE.write({ ...notice, at: Date.now() });
}
