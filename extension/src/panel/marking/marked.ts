/** What highlighting is asked for, and what came of it, for whoever shows it. */
import type { KeepRefusal } from "../../keep/ingest-tab.ts";
import type { PdfRefusal } from "../../pdf/reading.ts";

/** A text to be highlighted. */
export interface Marking {
  readonly tabId: number;
  /** Address of the page it was selected on, where that is known. */
  readonly url: string | undefined;
  readonly isPdf: boolean;
  /** What is selected, as the browser's menu told it; "" where it said nothing. */
  readonly text: string;
}

/** Why nothing was highlighted. */
export type MarkRefusal = KeepRefusal | PdfRefusal;

/** What became of it, and on which tab and page that is told. */
export type Marked = { readonly tabId: number; readonly url: string } & (
  | MarkAdded
  /** It is a highlight already, or there are as many as there may be. */
  | { readonly became: "known" | "full" }
  /** It was to be taken back, and this browser has the text of its page no more. */
  | { readonly became: "stuck" }
  | { readonly became: "refused"; readonly why: MarkRefusal }
);

/** A highlight that was added. */
export interface MarkAdded {
  readonly became: "added";
  /** Key of its page, in the outbox, in what was sent, or asked about. */
  readonly key: string;
  /** As it is kept. */
  readonly text: string;
  /** Only its beginning was taken. */
  readonly isCut: boolean;
  /** The page was not kept before: it waits to be sent, or its person is asked. */
  readonly isNew: boolean;
}
