import type { IngestionDocument, Metadata, Owner, Section } from "@threadlore/client/models";
import type { Database, Row } from "./database.ts";

/** Whether a document can be found: not yet, yes, or no and `failure` says why. */
export type DocumentStatus = "pending" | "indexed" | "failed";

/** A document as it is kept. */
export interface StoredDocument {
  readonly id: string;
  /** Order of the last write. */
  readonly sequence: number;
  readonly semanticIdentifier: string;
  /** What search weighs as the title; may be "". */
  readonly title: string;
  readonly source: string;
  readonly sections: readonly Section[];
  readonly metadata: Metadata;
  readonly primaryOwners: readonly Owner[] | null;
  readonly secondaryOwners: readonly Owner[] | null;
  readonly chunkCount: number | null;
  readonly fromIngestionApi: boolean | null;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  readonly status: DocumentStatus;
  readonly failure: string | null;
}

/** One line of a listing, in the names deployed servers use (facts: wire section 3), with its status besides. */
export interface DocumentListing {
  readonly document_id: string;
  readonly semantic_id: string;
  /** Of the first section that has one, else "". */
  readonly link: string;
  readonly status: DocumentStatus;
  readonly failure: string | null;
}

/** A piece of a document, ready for the index. */
export interface NewPassage {
  readonly heading: string;
  readonly text: string;
  /** Further words it is found by, which are not part of its text. */
  readonly about: string;
  readonly link: string | null;
}

/**
 * Stores a document under its id, joins it to the pair, and queues it for the index: all three or nothing. What was
 * there under this id is replaced; the pairs it already belonged to are kept. Answers whether it existed.
 * @param updatedAt milliseconds since 1970
 */
export function upsertDocument(
  db: Database,
  document: IngestionDocument & { id: string },
  pairId: number,
  updatedAt: number,
): boolean {
  return db.transaction(() => {
    const existed = db.get("SELECT 1 FROM documents WHERE id = ?", document.id) !== undefined;
    const sequence = Number(db.get("SELECT coalesce(max(sequence), 0) + 1 AS next FROM documents")?.["next"]);
    writeDocument(db, document, sequence, updatedAt);
    db.run("INSERT INTO document_pairs VALUES (?, ?) ON CONFLICT DO NOTHING", document.id, pairId);
    writeTags(db, document.id, document.metadata);
    db.run(
      `INSERT INTO queue (document_id, sequence) VALUES (?, ?)
       ON CONFLICT (document_id) DO UPDATE SET sequence = excluded.sequence, attempts = 0`,
      document.id,
      sequence,
    );
    return existed;
  });
}

function writeDocument(db: Database, document: IngestionDocument & { id: string }, sequence: number, at: number): void {
  db.run(
    `INSERT INTO documents (id, sequence, semantic_identifier, title, source, sections, metadata, primary_owners,
                            secondary_owners, chunk_count, from_ingestion_api, updated_at, status, failure)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', NULL)
     ON CONFLICT (id) DO UPDATE SET
       sequence = excluded.sequence, semantic_identifier = excluded.semantic_identifier, title = excluded.title,
       source = excluded.source, sections = excluded.sections, metadata = excluded.metadata,
       primary_owners = excluded.primary_owners, secondary_owners = excluded.secondary_owners,
       chunk_count = excluded.chunk_count, from_ingestion_api = excluded.from_ingestion_api,
       updated_at = excluded.updated_at, status = excluded.status, failure = excluded.failure`,
    document.id,
    sequence,
    document.semantic_identifier,
    document.title ?? document.semantic_identifier,
    document.source,
    JSON.stringify(document.sections),
    JSON.stringify(document.metadata),
    orNull(document.primary_owners),
    orNull(document.secondary_owners),
    document.chunk_count ?? null,
    document.from_ingestion_api == null ? null : Number(document.from_ingestion_api),
    at,
  );
}

function writeTags(db: Database, documentId: string, metadata: Metadata): void {
  db.run("DELETE FROM tags WHERE document_id = ?", documentId);
  for (const [key, value] of Object.entries(metadata)) {
    for (const one of new Set(typeof value === "string" ? [value] : value)) {
      db.run("INSERT INTO tags (document_id, tag_key, tag_value) VALUES (?, ?, ?)", documentId, key, one);
    }
  }
}

/** Removes a document with its passages, wherever it was listed. Answers whether there was one. */
export function deleteDocument(db: Database, id: string): boolean {
  return db.makingRoom(() =>
    db.transaction(() => {
      removePassages(db, id);
      return db.run("DELETE FROM documents WHERE id = ?", id).changes > 0;
    }),
  );
}

export function findDocument(db: Database, id: string): StoredDocument | undefined {
  const row = db.get("SELECT * FROM documents WHERE id = ?", id);
  return row === undefined ? undefined : documentOfRow(row);
}

/** The pairs a document belongs to. */
export function pairsOfDocument(db: Database, id: string): number[] {
  const rows = db.all("SELECT pair_id FROM document_pairs WHERE document_id = ? ORDER BY pair_id", id);
  return rows.map((row) => Number(row["pair_id"]));
}

/** Every document of these pairs (null: of all), the newest write first. */
export function listDocuments(db: Database, pairs: readonly number[] | null): DocumentListing[] {
  const rows = db.all(
    `SELECT id, semantic_identifier, status, failure,
            (SELECT json_extract(value, '$.link') FROM json_each(sections)
             WHERE json_extract(value, '$.link') IS NOT NULL LIMIT 1) AS link
     FROM documents
     WHERE ?1 IS NULL OR EXISTS (SELECT 1 FROM document_pairs WHERE document_id = documents.id
                                 AND pair_id IN (SELECT value FROM json_each(?1)))
     ORDER BY sequence DESC`,
    pairs === null ? null : JSON.stringify(pairs),
  );
  return rows.map((row) => ({
    document_id: String(row["id"]),
    semantic_id: String(row["semantic_identifier"]),
    link: String(row["link"] ?? ""),
    status: row["status"] as DocumentStatus,
    failure: row["failure"] === null ? null : String(row["failure"]),
  }));
}

// ── The queue of what is still to be indexed ────────────────────────────────────────────────────────────────────

/** Ids of the oldest queued documents, in the order they were written. */
export function queuedIds(db: Database, limit: number): string[] {
  const rows = db.all("SELECT document_id FROM queue ORDER BY sequence LIMIT ?", limit);
  return rows.map((row) => String(row["document_id"]));
}

/** Whether this version of a document still waits to be indexed: not when it was replaced or deleted meanwhile. */
export function isQueued(db: Database, { id, sequence }: StoredDocument): boolean {
  return db.get("SELECT 1 FROM queue WHERE document_id = ? AND sequence = ?", id, sequence) !== undefined;
}

/** Removes up to `limit` passages of a document; answers how many there were to remove. */
export function removePassages(db: Database, id: string, limit: number = Number.MAX_SAFE_INTEGER): number {
  // The statement below makes the index write out what it gathered, even where it finds nothing.
  if (db.get("SELECT 1 FROM passages WHERE document_id = ? LIMIT 1", id) === undefined) return 0;
  return db.run("DELETE FROM passages WHERE id IN (SELECT id FROM passages WHERE document_id = ? LIMIT ?)", id, limit)
    .changes;
}

/** Characters of a document's title that each of its passages is found by. */
const LONGEST_TITLE = 300;

/** Adds passages to a document, the first of them as number `from`. */
export function addPassages(
  db: Database,
  document: StoredDocument,
  passages: readonly NewPassage[],
  from: number = 0,
): void {
  const title = document.title.slice(0, LONGEST_TITLE).toWellFormed();
  for (const [index, { heading, text, about, link }] of passages.entries()) {
    const { lastId } = db.run(
      `INSERT INTO passages (document_id, ordinal, title, heading, text, about, link) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      document.id,
      from + index,
      title,
      heading,
      text,
      about,
      link,
    );
    db.run(
      "INSERT INTO passages_index (rowid, title, heading, text, about) VALUES (?, ?, ?, ?, ?)",
      lastId,
      title,
      heading,
      text,
      about,
    );
  }
}

/** Takes a document off the queue: all its passages are there. */
export function finishDocument(db: Database, id: string): void {
  db.run("UPDATE documents SET status = 'indexed', failure = NULL WHERE id = ?", id);
  db.run("DELETE FROM queue WHERE document_id = ?", id);
}

/** Gives a document up: it is listed as failed, with the reason, and found no more. */
export function failDocument(db: Database, id: string, reason: string): void {
  removePassages(db, id);
  db.run("UPDATE documents SET status = 'failed', failure = ? WHERE id = ?", reason, id);
  db.run("DELETE FROM queue WHERE document_id = ?", id);
}

/** Counts one more failed attempt and moves the document behind the others; answers how many attempts failed. */
export function countAttempt(db: Database, id: string): number {
  const row = db.get("UPDATE queue SET attempts = attempts + 1 WHERE document_id = ? RETURNING attempts", id);
  return Number(row?.["attempts"] ?? 0);
}

// ── Rows ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The names owners are shown and found by; null where none were sent. */
export function ownerNames(owners: readonly Owner[] | null): string[] | null {
  if (owners === null) return null;
  const names = owners.map(({ display_name, first_name, middle_initial, last_name, email }) => {
    const spelled = [first_name, middle_initial, last_name].filter((part) => part != null && part !== "").join(" ");
    return display_name || spelled || email || "";
  });
  return names.filter((name) => name !== "");
}

/** Owners as they were stored. */
export function ownersOfColumn(column: Row[string] | undefined): Owner[] | null {
  return column == null ? null : (JSON.parse(String(column)) as Owner[]);
}

function documentOfRow(row: Row): StoredDocument {
  return {
    id: String(row["id"]),
    sequence: Number(row["sequence"]),
    semanticIdentifier: String(row["semantic_identifier"]),
    title: String(row["title"]),
    source: String(row["source"]),
    sections: JSON.parse(String(row["sections"])) as Section[],
    metadata: JSON.parse(String(row["metadata"])) as Metadata,
    primaryOwners: ownersOfColumn(row["primary_owners"]),
    secondaryOwners: ownersOfColumn(row["secondary_owners"]),
    chunkCount: row["chunk_count"] === null ? null : Number(row["chunk_count"]),
    fromIngestionApi: row["from_ingestion_api"] === null ? null : row["from_ingestion_api"] === 1,
    updatedAt: Number(row["updated_at"]),
    status: row["status"] as DocumentStatus,
    failure: row["failure"] === null ? null : String(row["failure"]),
  };
}

function orNull(owners: readonly Owner[] | null | undefined): string | null {
  return owners == null ? null : JSON.stringify(owners);
}
