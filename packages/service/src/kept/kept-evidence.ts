/** Documents' own passages, as questions are compared with them. */
import type { Evidence, Source } from "../answer/source.ts";
import { passagesOf } from "../search/cutting.ts";
import type { StoredDocument } from "../store/documents.ts";

/** Passages of one document that are looked at. */
const MAX_PASSAGES = 20;

/** The passages of a document, from its beginning on. */
export function evidenceOf(document: StoredDocument): Evidence[] {
  const source = sourceOf(document);
  const evidence: Evidence[] = [];
  for (const { heading, text } of passagesOf(document, () => undefined)) {
    if (evidence.length === MAX_PASSAGES) break;
    evidence.push({ source, heading, text, score: 1 });
  }
  return evidence;
}

/** @returns what names it within a comparison; nobody is told of it */
function sourceOf({ number, title, source, updatedAt, metadata }: StoredDocument): Source {
  const documentId = String(number);
  return {
    documentId,
    title,
    link: null,
    number,
    passing: false,
    document: {
      document_id: documentId,
      chunk_ind: 0,
      semantic_identifier: title,
      link: null,
      blurb: "",
      source_type: source,
      boost: 0,
      hidden: false,
      metadata,
      score: null,
      match_highlights: [],
      updated_at: new Date(updatedAt).toISOString(),
      primary_owners: null,
      secondary_owners: null,
      is_internet: false,
    },
  };
}
