import type { IngestionDocument, Metadata, Owner, Section } from "@threadlore/client/models";
import { DEFAULT_PAIR } from "./connectors.ts";
import type { Database, Row } from "./sqlite/database.ts";
import { releaseHeld } from "./held.ts";

/** Whether a document can be found: not yet, yes, or no and `failure` says why. */
export type DocumentStatus = "pending" | "indexed" | "failed";

/** A document as it is kept. Its pair and its id together name it: two pairs that use the same id hold two documents. */
export interface StoredDocument {
  /** Names it within this database; never given twice, and told to nobody. */
  readonly number: number;
  /** The pair it was written under; null: held back from every pair (see `listHeldDocuments`). */
  readonly pairId: number | null;
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

/** One line of a listing, in the names deployed servers use (docs/wire.md, section 3), with its status besides. */
export interface DocumentListing {
  readonly document_id: string;
  readonly semantic_id: string;
  /** Of the first section that has one, else "". */
  readonly link: string;
  readonly status: DocumentStatus;
  readonly failure: string | null;
  /** The pair it is listed under; null: held back from every pair. */
  readonly cc_pair_id: number | null;
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
 * Stores a document under its id in one pair, and queues it for the index: both or nothing. What the pair had under this
 * id is replaced; documents of other pairs are left alone, whatever their id. Answers whether the pair had it.
 * @param updatedAt milliseconds since 1970
 */
export function upsertDocument(
  db: Database,
  document: IngestionDocument & { id: string },
  pairId: number,
  updatedAt: number,
): boolean {
  return db.transaction(() => {
    const existed = pairsOfDocument(db, document.id).includes(pairId);
    const sequence = Number(db.get("SELECT coalesce(max(sequence), 0) + 1 AS next FROM documents")?.["next"]);
    const number = writeDocument(db, { document, pairId, sequence, updatedAt });
    writeTags(db, number, document.metadata);
    db.run(
      `INSERT INTO queue (document, sequence) VALUES (?, ?)
       ON CONFLICT (document) DO UPDATE SET sequence = excluded.sequence, attempts = 0`,
      number,
      sequence,
    );
    for (const held of releaseHeld(db, document.id, pairId)) deleteNumbered(db, held);
    return existed;
  });
}

interface Writing {
  readonly document: IngestionDocument & { id: string };
  readonly pairId: number;
  readonly sequence: number;
  readonly updatedAt: number;
}

function writeDocument(db: Database, { document, pairId, sequence, updatedAt }: Writing): number {
  const row = db.get(
    `INSERT INTO documents (pair_id, id, sequence, semantic_identifier, title, source, sections, metadata,
                            primary_owners, secondary_owners, chunk_count, from_ingestion_api, updated_at, link,
                            status, failure)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', NULL)
     ON CONFLICT (id, pair_id) DO UPDATE SET
       sequence = excluded.sequence, semantic_identifier = excluded.semantic_identifier, title = excluded.title,
       source = excluded.source, sections = excluded.sections, metadata = excluded.metadata,
       primary_owners = excluded.primary_owners, secondary_owners = excluded.secondary_owners,
       chunk_count = excluded.chunk_count, from_ingestion_api = excluded.from_ingestion_api,
       updated_at = excluded.updated_at, link = excluded.link, status = excluded.status, failure = excluded.failure
     RETURNING number`,
    pairId,
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
    updatedAt,
    document.sections.find(({ link }) => link != null)?.link ?? null,
  );
  return Number(row?.["number"]);
}

function writeTags(db: Database, number: number, metadata: Metadata): void {
  db.run("DELETE FROM tags WHERE document = ?", number);
  for (const [key, value] of Object.entries(metadata)) {
    for (const one of new Set(typeof value === "string" ? [value] : value)) {
      db.run("INSERT INTO tags (document, tag_key, tag_value) VALUES (?, ?, ?)", number, key, one);
    }
  }
}

/** Passages that are deleted in one transaction. */
const DELETED_AT_ONCE = 1_000;

/** How a document is listed while its passages are deleted; what broke off is gone on with at the next occasion. */
const LEAVING = "It is being deleted.";

/**
 * Removes a pair's document with its passages; those of other pairs stay, whatever their id. Answers whether there was
 * one. A long one is found no more at once, and leaves some passages at a time, with `quiet` before each; what is
 * written anew meanwhile stays.
 * @param pairId null: the document that is held back from every pair
 */
export async function deleteDocument(
  db: Database,
  id: string,
  pairId: number | null = DEFAULT_PAIR,
  quiet: () => Promise<void> = () => Promise.resolve(),
): Promise<boolean> {
  const begun = write(db, () => {
    const row = db.get("SELECT number FROM documents WHERE id = ? AND pair_id IS ?", id, pairId);
    if (row === undefined) return undefined;
    const number = Number(row["number"]);
    const isLong = countPassages(db, number, DELETED_AT_ONCE + 1) > DELETED_AT_ONCE;
    if (isLong) leave(db, number);
    else deleteNumbered(db, number);
    return { number, isLong };
  });
  if (begun?.isLong === true) {
    do await quiet();
    while (deleteSome(db, begun.number));
  }
  return begun !== undefined;
}

/** From here on nobody finds the document, and whatever happens, it goes. */
function leave(db: Database, number: number): void {
  db.run("DELETE FROM tags WHERE document = ?", number);
  giveUp(db, number, LEAVING);
}

/** Numbers of documents whose deletion was begun and is not done. */
export function leavingDocuments(db: Database): number[] {
  const rows = db.all("SELECT number FROM documents WHERE status = 'failed' AND failure = ?", LEAVING);
  return rows.map((row) => Number(row["number"]));
}

/**
 * Removes the next passages of a document that is leaving, and in the end the document. Answers whether there is more to
 * do: not where it was written anew meanwhile.
 */
export function deleteSome(db: Database, number: number): boolean {
  return write(db, () => {
    if (db.get("SELECT 1 FROM documents WHERE number = ? AND failure = ?", number, LEAVING) === undefined) return false;
    if (removePassages(db, number, DELETED_AT_ONCE) === DELETED_AT_ONCE) return true;
    deleteNumbered(db, number);
    return false;
  });
}

function write<Result>(db: Database, work: () => Result): Result {
  return db.makingRoom(() => db.transaction(work));
}

function countPassages(db: Database, number: number, most: number): number {
  const row = db.get("SELECT count(*) AS many FROM (SELECT 1 FROM passages WHERE document = ? LIMIT ?)", number, most);
  return Number(row?.["many"]);
}

function deleteNumbered(db: Database, number: number): boolean {
  removePassages(db, number);
  return db.run("DELETE FROM documents WHERE number = ?", number).changes > 0;
}

/**
 * A pair's document; undefined: it has none of this id.
 * @param pairId null: the document that is held back from every pair
 */
export function findDocument(
  db: Database,
  id: string,
  pairId: number | null = DEFAULT_PAIR,
): StoredDocument | undefined {
  const row = db.get("SELECT * FROM documents WHERE id = ? AND pair_id IS ?", id, pairId);
  return row === undefined ? undefined : documentOfRow(row);
}

/** The pairs that hold a document of this id; null among them: one is held back from every pair. */
export function pairsOfDocument(db: Database, id: string): (number | null)[] {
  const rows = db.all("SELECT pair_id FROM documents WHERE id = ? ORDER BY pair_id", id);
  return rows.map((row) => (row["pair_id"] === null ? null : Number(row["pair_id"])));
}

/** Every document of these pairs (null: of all, and what is held back), the newest write first. */
export function listDocuments(db: Database, pairs: readonly number[] | null): DocumentListing[] {
  const rows = db.all(
    `SELECT id, semantic_identifier, status, failure, pair_id, link FROM documents
     WHERE ?1 IS NULL OR pair_id IN (SELECT value FROM json_each(?1))
     ORDER BY sequence DESC`,
    pairs === null ? null : JSON.stringify(pairs),
  );
  return rows.map((row) => ({
    document_id: String(row["id"]),
    semantic_id: String(row["semantic_identifier"]),
    link: String(row["link"] ?? ""),
    status: row["status"] as DocumentStatus,
    failure: row["failure"] === null ? null : String(row["failure"]),
    cc_pair_id: row["pair_id"] === null ? null : Number(row["pair_id"]),
  }));
}

// ── The queue of what is still to be indexed ────────────────────────────────────────────────────────────────────

/** Numbers of the oldest queued documents, in the order they were written. */
export function queuedDocuments(db: Database, limit: number): number[] {
  const rows = db.all("SELECT document FROM queue ORDER BY sequence LIMIT ?", limit);
  return rows.map((row) => Number(row["document"]));
}

/** The document of this number, unless it was deleted. */
export function documentNumbered(db: Database, number: number): StoredDocument | undefined {
  const row = db.get("SELECT * FROM documents WHERE number = ?", number);
  return row === undefined ? undefined : documentOfRow(row);
}

/** Whether this version of a document still waits to be indexed: not when it was replaced or deleted meanwhile. */
export function isQueued(db: Database, { number, sequence }: StoredDocument): boolean {
  return db.get("SELECT 1 FROM queue WHERE document = ? AND sequence = ?", number, sequence) !== undefined;
}

/** Removes up to `limit` passages of a document; answers how many there were to remove. */
export function removePassages(db: Database, number: number, limit: number = Number.MAX_SAFE_INTEGER): number {
  // The statement below makes the index write out what it gathered, even where it finds nothing.
  if (db.get("SELECT 1 FROM passages WHERE document = ? LIMIT 1", number) === undefined) return 0;
  return db.run("DELETE FROM passages WHERE id IN (SELECT id FROM passages WHERE document = ? LIMIT ?)", number, limit)
    .changes;
}

/** Characters of a document's title that each of its passages is found by. */
const MAX_TITLE_LENGTH = 300;

/** Adds passages to a document, the first of them as number `from`. */
export function addPassages(
  db: Database,
  document: StoredDocument,
  passages: readonly NewPassage[],
  from: number = 0,
): void {
  const title = document.title.slice(0, MAX_TITLE_LENGTH).toWellFormed();
  for (const [index, { heading, text, about, link }] of passages.entries()) {
    const { lastId } = db.run(
      `INSERT INTO passages (document, ordinal, title, heading, text, about, link) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      document.number,
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
export function finishDocument(db: Database, number: number): void {
  db.run("UPDATE documents SET status = 'indexed', failure = NULL WHERE number = ?", number);
  db.run("DELETE FROM queue WHERE document = ?", number);
}

/** Gives a document up: it is listed as failed, with the reason, and found no more. */
export function failDocument(db: Database, number: number, reason: string): void {
  removePassages(db, number);
  giveUp(db, number, reason);
}

function giveUp(db: Database, number: number, reason: string): void {
  db.run("UPDATE documents SET status = 'failed', failure = ? WHERE number = ?", reason, number);
  db.run("DELETE FROM queue WHERE document = ?", number);
}

/** Counts one more failed attempt; answers how many attempts failed. */
export function countAttempt(db: Database, number: number): number {
  const row = db.get("UPDATE queue SET attempts = attempts + 1 WHERE document = ? RETURNING attempts", number);
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
    number: Number(row["number"]),
    pairId: row["pair_id"] === null ? null : Number(row["pair_id"]),
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
