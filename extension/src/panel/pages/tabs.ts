/** The tabs a question can be about, as the panel knows them. Plain values; `read-tab` does the reading. */
import type { PdfRefusal } from "../../pdf/reading.ts";
import type { UnreadableReason } from "../../capture/read-tab.ts";

/** Why a tab's page cannot be asked about. The panel has words for each. */
export type Closed = Exclude<UnreadableReason, "pdf"> | PdfRefusal;

/** A tab as the chip shows it. */
export interface ShownTab {
  readonly tabId: number;
  /** "" where the browser does not say. */
  readonly title: string;
  /** "" where the browser does not say. */
  readonly url: string;
  readonly isPdf: boolean;
  /** Characters that are selected there, as last seen; 0: nothing, or nothing that can be seen. */
  readonly selected: number;
  /** What is selected is one word, as a double click marks: nobody need have meant it. */
  readonly isWord: boolean;
  /**
   * Whether its page may be read: because its site, or every site, is allowed for good; this once, by a click; or not.
   */
  readonly access: "all" | "site" | "once" | "none";
  /** Its site can be allowed for good and is not; never in a private window, as the browser writes that down. */
  readonly canAllow: boolean;
  /** Absent: its page can be asked about. */
  readonly closed?: Closed;
}

/** Whether a tab's site may be read for good, without a click each time. */
export const isAllowed = ({ access }: ShownTab): boolean => access === "site" || access === "all";
