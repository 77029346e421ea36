import { wordsOf, type IndexedDocument } from "./documents.ts";

/** A document as a search shows it in the stream. */
export interface SearchDocument {
  document_id: string;
  chunk_ind: number;
  semantic_identifier: string;
  link: string | null;
  blurb: string;
  source_type: string;
  boost: number;
  hidden: boolean;
  metadata: Record<string, string | string[]>;
  score: number | null;
  is_relevant: boolean | null;
  relevance_explanation: string | null;
  match_highlights: string[];
  updated_at: string | null;
  primary_owners: string[] | null;
  secondary_owners: string[] | null;
  is_internet: boolean;
  file_id: string | null;
}

/** What must be known of a document that a search shows; the rest has its usual value. */
export type ShownDocument = Pick<SearchDocument, "document_id"> & Partial<SearchDocument>;

/** A document with all its fields. */
export function searchDocument(document: ShownDocument): SearchDocument {
  return {
    chunk_ind: 0,
    semantic_identifier: document.document_id,
    link: null,
    blurb: "",
    source_type: "ingestion_api",
    boost: 0,
    hidden: false,
    metadata: {},
    score: 0.9,
    is_relevant: null,
    relevance_explanation: null,
    match_highlights: [],
    updated_at: null,
    primary_owners: null,
    secondary_owners: null,
    is_internet: false,
    file_id: null,
    ...document,
  };
}

/** A found document, with the words that were looked for marked. */
export function foundDocument(document: IndexedDocument, query: string): SearchDocument {
  const words = wordsOf(query);
  const sentence = bestSentence(document.content, words);
  const marked = sentence.replace(/[\p{L}\p{N}]+/gu, (word) =>
    words.includes(word.toLowerCase()) ? `<hi>${word}</hi>` : word,
  );
  return searchDocument({
    document_id: document.documentId,
    semantic_identifier: document.semanticIdentifier,
    link: document.link,
    blurb: document.content.slice(0, 80),
    source_type: document.source,
    metadata: document.metadata,
    match_highlights: marked === sentence ? [] : [marked],
    updated_at: offsetTime(document.updatedAt ?? document.indexedAt),
    primary_owners: document.primaryOwners,
    secondary_owners: document.secondaryOwners,
  });
}

/** The sentence that has most of these words. */
export function bestSentence(text: string, words: readonly string[]): string {
  const sentences = text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.trim() !== "");
  const scored = sentences.map((sentence) => {
    const there = new Set(wordsOf(sentence));
    return { sentence, score: words.filter((word) => there.has(word)).length };
  });
  return scored.toSorted((one, other) => other.score - one.score)[0]?.sentence.trim() ?? "";
}

/** A time with its offset written out, as in streams and lists. */
export function offsetTime(time: Date): string {
  return time.toISOString().replace(/\.000Z$|Z$/, "+00:00");
}

/** The same documents, as replies that are no stream write them: with `Z` instead of an offset. */
export function inFullReply(document: SearchDocument): SearchDocument {
  return { ...document, updated_at: document.updated_at?.replace("+00:00", "Z") ?? null };
}
