import type { IngestionDocumentInput, Metadata, Owner, Section } from "@threadlore/client/models";
import type { Database } from "../sqlite/database.ts";
import { all, type Row, type Steps, withJson } from "../steps.ts";

/** A document as another server takes it, and what of it stays behind. */
export interface SendableDocument {
  readonly document: IngestionDocumentInput & { readonly id: string };
  /** Pictures its sections show: they were uploaded here, and are not there. */
  readonly pictures: number;
}

/** How many documents of a pair there are to be sent, of those that are shown. */
export function* documentsToSend(): Steps<{ pair: number; name: string; documents: number }[]> {
  return yield* all(
    `SELECT pairs.id AS pair, pairs.name, count(*) AS documents FROM documents JOIN pairs ON pairs.id = pair_id
     WHERE status <> 'failed' GROUP BY pairs.id, pairs.name ORDER BY pairs.id`,
  );
}

const AT_ONCE = 50;

/** The documents of a pair, the first that came first: one after the other, so that memory holds few. */
export function* sendableDocuments(db: Database, pair: number): Generator<SendableDocument> {
  for (let last = 0; ;) {
    const rows = db.perform(next(pair, last));
    for (const row of rows) yield sendable(row);
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.number;
  }
}

interface StoredRow {
  readonly number: number;
  readonly id: string;
  readonly semantic_identifier: string;
  readonly title: string;
  readonly source: string;
  readonly sections: readonly Section[];
  readonly metadata: Metadata;
  readonly primary_owners: readonly Owner[] | null;
  readonly secondary_owners: readonly Owner[] | null;
  readonly updated_at: number;
  readonly dated: 0 | 1;
}

function* next(pair: number, after: number): Steps<StoredRow[]> {
  const rows = yield* all<Row>(
    `SELECT number, id, semantic_identifier, title, source, sections, metadata, primary_owners, secondary_owners, updated_at,
            dated
     FROM documents WHERE pair_id = ? AND number > ? AND status <> 'failed' ORDER BY number LIMIT ${AT_ONCE}`,
    pair,
    after,
  );
  return rows.map((row) => withJson<StoredRow>(row, "sections", "metadata", "primary_owners", "secondary_owners"));
}

function sendable(row: StoredRow): SendableDocument {
  const { id, semantic_identifier, title, source, metadata, sections } = row;
  const shown = sections.map(({ image_file_id: picture, ...words }) => ({ picture, words }));
  return {
    document: {
      id,
      semantic_identifier,
      title,
      source,
      metadata,
      sections: shown.map(({ words }) => words).filter(({ text }) => text != null && text !== ""),
      primary_owners: row.primary_owners && [...row.primary_owners],
      secondary_owners: row.secondary_owners && [...row.secondary_owners],
      ...(row.dated === 1 && { doc_updated_at: new Date(row.updated_at).toISOString() }),
    },
    pictures: shown.filter(({ picture }) => picture != null).length,
  };
}
