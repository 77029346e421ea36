/**
 * How an answer stands to its question, where the server says so to programs: the embedded service does. The answer's
 * text says all of it in words, so that nobody needs to show this beside it (`asides.ts` finds where it is said).
 */
import type { AnswerStatus } from "./status.ts";

/** A document that a finding names. */
export interface NamedDocument {
  readonly documentId: string;
  /** Never empty: the document's title, else its link, else its id. */
  readonly title: string;
  /** Where it lies, as the server says. Open it only through `Links`. */
  readonly link?: string;
}

/** A document that comes close to a question nobody answered. It is not cited. */
export interface ClosestDocument extends NamedDocument {
  readonly sentence: string;
}

/** One of several sources that say different things about what was asked. */
export interface DifferingSource extends NamedDocument {
  /** ISO 8601. */
  readonly updatedAt?: string;
  readonly says: string;
}

/** How an answer stands to its question. */
export interface Finding {
  /** `quote`: documents answer it; `closest`: none does, some come close; `nothing`: none comes close; or a later word. */
  readonly state: string;
  /** Why nothing answers, in the question's language. */
  readonly reason?: string;
  /** The closest first. */
  readonly closest: readonly ClosestDocument[];
  /** Newest first; empty where the sources agree. */
  readonly conflict: readonly DifferingSource[];
  /** Words of the question that were read as other ones. */
  readonly corrected: readonly { readonly written: string; readonly read: string }[];
}

/** Whether a text may hold asides, so that a block of it may turn out to be one as long as it grows. */
export function hasAsides(finding: Finding | undefined): boolean {
  return finding !== undefined && finding.closest.length + finding.conflict.length + finding.corrected.length > 0;
}

/** What of an answer tells whether it is one. */
export interface SaidAnswer {
  readonly status: AnswerStatus;
  readonly text: string;
  readonly finding?: Finding | undefined;
}

/** How the embedded service began such an answer before it sent findings. */
const NOTHING_FOUND = /^\s*I found nothing about this\b/;

/**
 * Whether a whole answer says that there is none in the documents: there is nothing in it to check or to vote on. As
 * the server's finding says; of servers that send none, the embedded service's sentence is known.
 */
export function saysNothingFound({ status, text, finding }: SaidAnswer): boolean {
  if (status !== "done") return false;
  if (finding !== undefined) return finding.state === "closest" || finding.state === "nothing";
  return NOTHING_FOUND.test(text);
}
