/** Documents' own passages, as questions are compared with them. */
import type { Evidence, Source } from "../answer/source.ts";
import { passagesOf } from "../search/cutting.ts";
import type { StoredDocument } from "../store/documents.ts";
import { isKept } from "./kept-store.ts";
import { keptText } from "./kept-text.ts";

/** Passages of one document that are looked at. */
const MAX_PASSAGES = 20;

/** The passages of a document, from its beginning on; of a kept answer without the questions it is found by. */
export function evidenceOf(given: StoredDocument): Evidence[] {
  const document = isKept(given.metadata) ? { ...given, sections: keptText(given.sections).sections } : given;
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
