import { wordsOf, type IndexedDocument } from "./documents.ts";

/** What a search shows of a document that has nothing of its own. */
const USUAL = {
  chunk_ind: 0,
  semantic_identifier: "",
  link: null as string | null,
  blurb: "",
  source_type: "ingestion_api",
  boost: 0,
  hidden: false,
  metadata: {} as Record<string, string | string[]>,
  score: 0.9 as number | null,
  is_relevant: null as boolean | null,
  relevance_explanation: null as string | null,
  match_highlights: [] as string[],
  updated_at: null as string | null,
  primary_owners: null as string[] | null,
  secondary_owners: null as string[] | null,
  is_internet: false,
  file_id: null as string | null,
};

/** A document as a search shows it in the stream. */
export type SearchDocument = typeof USUAL & { document_id: string };

/** What must be known of a document that a search shows; the rest has its usual value. */
export type ShownDocument = Pick<SearchDocument, "document_id"> & Partial<SearchDocument>;

/** A document with all its fields. */
export function searchDocument(document: ShownDocument): SearchDocument {
  return { ...USUAL, semantic_identifier: document.document_id, ...document };
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
