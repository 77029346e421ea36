import { parseMoment, type SearchDoc } from "@threadlore/client/models";
import { isObject, textOf } from "./fields.ts";

/** A document the server found or cited, merged from every passage of it that was sent. */
export interface Source {
  readonly documentId: string;
  /** Never empty: the document's title, else its link, else its id. */
  readonly title: string;
  /** Where the document lies, as the server says; absent for uploaded files. Open it only through `Links`. */
  readonly link?: string;
  /** ISO 8601; the newest the passages tell. Absent where it is not known when the document was changed. */
  readonly updatedAt?: string;
  /** Origin system (`web`, `file`, …); `not_applicable` when it was not told. */
  readonly sourceType: string;
  /** Who wrote it, the first the server names; absent where it names nobody. */
  readonly author?: string;
  /** The channel a message stands in, without `#`; absent for what is no message, and for messages between few people. */
  readonly channel?: string;
  /** The title was chosen for it; that of another message is its first line. Absent: not told. */
  readonly hasOwnTitle?: true;
  /** Somebody's answer to what is its title, kept for whoever asks next. Absent: not told. */
  readonly isKeptAnswer?: true;
  /** Distinct excerpts, in the order they came; may be empty. */
  readonly passages: readonly string[];
}

/** The documents of one answer: what was found, and which citation numbers the server tied to which. */
export interface Found {
  readonly sources: readonly Source[];
  readonly byId: ReadonlyMap<string, Source>;
  /** The server's citation number -> document id. */
  readonly cited: ReadonlyMap<number, string>;
}

export const nothingFound: Found = { sources: [], byId: new Map(), cited: new Map() };

/** `found` with more documents; the same object when they tell nothing new. Anything that is no document is ignored. */
export function withDocuments(found: Found, documents: unknown): Found {
  if (!Array.isArray(documents)) return found;
  const byId = new Map(found.byId);
  let changed = false;
  for (const document of documents as readonly unknown[]) {
    if (!isDocument(document)) continue;
    const before = byId.get(document.document_id);
    const after = mergeSource(before, document);
    if (after === before) continue;
    byId.set(document.document_id, after);
    changed = true;
  }
  return changed ? { ...found, byId, sources: [...byId.values()] } : found;
}

/** `found` with a citation number tied to a document. The document may be told later, or never. */
export function withCitation(found: Found, number: unknown, documentId: unknown): Found {
  if (typeof number !== "number" || typeof documentId !== "string" || found.cited.get(number) === documentId) {
    return found;
  }
  const cited = new Map(found.cited).set(number, documentId);
  if (found.byId.has(documentId)) return { ...found, cited };
  // Cited and never described: the id is all a reader can be shown.
  const source: Source = { documentId, title: documentId, sourceType: "not_applicable", passages: [] };
  const byId = new Map(found.byId).set(documentId, source);
  return { cited, byId, sources: [...byId.values()] };
}

function isDocument(value: unknown): value is SearchDoc {
  return isObject(value) && typeof value["document_id"] === "string";
}

function mergeSource(before: Source | undefined, document: SearchDoc): Source {
  const link = textOf(document.link) ?? before?.link;
  const isNamed = before !== undefined && ![before.documentId, before.link].includes(before.title);
  // Whatever a server sends there.
  const metadata = Object(document.metadata) as Readonly<Record<string, unknown>>;
  const after: Source = {
    documentId: document.document_id,
    title: (isNamed ? before.title : textOf(document.semantic_identifier)) ?? link ?? document.document_id,
    link,
    updatedAt: newest(document.date_is_arrival === true ? undefined : textOf(document.updated_at), before?.updatedAt),
    sourceType: textOf(document.source_type) ?? before?.sourceType ?? "not_applicable",
    author: before?.author ?? textOf([document.primary_owners].flat()[0]),
    channel: before?.channel ?? channelOf(metadata),
    hasOwnTitle: before?.hasOwnTitle ?? (metadata["titled"] === "by hand" || undefined),
    isKeptAnswer: before?.isKeptAnswer ?? (metadata["kept"] === "answer" || undefined),
    passages: withPassage(before?.passages ?? [], textOf(document.blurb)),
  };
  const fields = Object.keys(after) as (keyof Source)[];
  return before !== undefined && fields.every((field) => after[field] === before[field]) ? before : after;
}

/** As the metadata of kept messages has it, and that of deployed servers' own connectors. */
function channelOf({ channel, Channel, visibility }: Readonly<Record<string, unknown>>): string | undefined {
  // Of a direct conversation, or a group's.
  return textOf(visibility)?.endsWith(" conversation") ? undefined : textOf(channel ?? Channel);
}

function withPassage(passages: readonly string[], passage: string | undefined): readonly string[] {
  return passage === undefined || passages.includes(passage) ? passages : [...passages, passage];
}

/** Compared as moments: one document comes as `…+00:00` and as `…Z`. */
function newest(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return (parseMoment(a) ?? 0) > (parseMoment(b) ?? 0) ? a : b;
}
