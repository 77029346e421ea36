/**
 * How an answer stands to its question, where the server says so to programs: the embedded service does. The answer's
 * text says all of it in words, so that nobody needs to show this beside it (`asides.ts` finds where it is said).
 */
import { isObject, string, textOf } from "./fields.ts";
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

/** More of a kind than anybody would read are left out, whatever a server sends. */
const MAX = { closest: 3, conflict: 10, corrected: 10 } as const;

/** The finding a server sent, however little of it is what it should be; undefined where there is none. */
export function findingOf(value: unknown): Finding | undefined {
  if (!isObject(value) || typeof value["state"] !== "string") return undefined;
  const { state } = value;
  const reason = textOf(value["reason"]);
  return {
    state,
    ...(reason === undefined ? {} : { reason }),
    closest: objectsOf(value["closest"], MAX.closest).map((one) => ({
      ...namedDocument(one),
      sentence: string(one["sentence"]),
    })),
    conflict: objectsOf(value["conflict"], MAX.conflict).map((one) => {
      const updatedAt = textOf(one["updated_at"]);
      return { ...namedDocument(one), ...(updatedAt === undefined ? {} : { updatedAt }), says: string(one["says"]) };
    }),
    corrected: objectsOf(value["corrected"], MAX.corrected).map((one) => ({
      written: string(one["written"]),
      read: string(one["read"]),
    })),
  };
}

function objectsOf(value: unknown, most: number) {
  return Array.isArray(value) ? (value as readonly unknown[]).filter(isObject).slice(0, most) : [];
}

function namedDocument(fields: Readonly<Record<string, unknown>>): NamedDocument {
  const documentId = string(fields["document_id"]);
  const link = textOf(fields["link"]);
  const title = textOf(fields["title"]) ?? link ?? documentId;
  return { documentId, title, ...(link === undefined ? {} : { link }) };
}

/** The documents a finding names, cited or not. */
export function namedDocuments(finding: Finding | undefined): readonly NamedDocument[] {
  return finding === undefined ? [] : [...finding.closest, ...finding.conflict];
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
