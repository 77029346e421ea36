import {
  type IngestionDocument,
  type Metadata,
  type Owner,
  parseMoment,
  type Section,
} from "@threadlore/client/models";
import { DEFAULT_PAIR } from "./connectors.ts";
import { noteChange, noteLastChanges } from "./changes.ts";
import {
  all,
  get,
  ofNumbers,
  type Row,
  run,
  type Sql,
  type Steps,
  together,
  value,
  values,
  withJson,
} from "./steps.ts";
import { releaseHeld } from "./held-documents.ts";
import { overPairs } from "./over-pairs.ts";

/** Whether a document can be found: not yet, yes, or no and `failure` says why. */
type DocumentStatus = "pending" | "indexed" | "failed";

/** What of a document is indexed. Its pair and its id together name it: two pairs that use the same id hold two documents. */
export interface StoredDocument {
  /** Names it within this database; never given twice, and told to nobody. */
  readonly number: number;
  /** Order of the last write. */
  readonly sequence: number;
  /** The pair it is under; null: it is held back from every pair. */
  readonly pairId: number | null;
  readonly source: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** What search weighs as the title; may be "". */
  readonly title: string;
  readonly sections: readonly Section[];
  readonly metadata: Metadata;
  readonly primaryOwners: readonly Owner[] | null;
  readonly secondaryOwners: readonly Owner[] | null;
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
  /** How many of those that could be listed were written before it: by this a listing goes on behind it. */
  readonly older: number;
  /** The number of its last write, for whoever sees everything: it would tell others of writes that are hidden. */
  readonly written?: number;
}

/** Which documents are listed, where not all are. */
export interface ListedPart {
  /** Those of this id. */
  readonly id?: string | undefined;
  /** The newest so many. */
  readonly most?: number | undefined;
  /** Of the oldest so many alone. */
  readonly oldest?: number | undefined;
}

/** A document as it is to be stored. */
export interface DocumentToStore {
  readonly document: IngestionDocument & { readonly id: string };
  readonly pairId: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** As `upsertDocuments` of one. */
export function* upsertDocument(
  document: DocumentToStore["document"],
  pairId: number,
  updatedAt: number,
): Steps<boolean> {
  return (yield* upsertDocuments([{ document, pairId, updatedAt }])).includes(true);
}

/**
 * Stores documents, each under its id in one pair, and queues them for the index: all or nothing, and the last thing a
 * transaction does. What a pair had under an id is replaced; documents of other pairs are left alone, whatever their id.
 * Answers of each, in their order, whether its pair had it.
 */
export function* upsertDocuments(documents: readonly DocumentToStore[]): Steps<boolean[]> {
  const existed = new Map<DocumentToStore, boolean>();
  const noted = new Set<number>();
  for (const some of apart(documents)) for (const number of yield* upsertEach(some, existed)) noted.add(number);
  yield* noteLastChanges([...noted]);
  return documents.map((one) => existed.get(one) === true);
}

/**
 * In parts, in none of which a document is twice: of these the second one replaces the first. By their ids, so that whoever
 * else stores some of them at the same time does so in the same order, and each waits for the other at the most.
 */
function apart(documents: readonly DocumentToStore[]): DocumentToStore[][] {
  const named = Map.groupBy(documents, ({ document, pairId }) => `${pairId} ${document.id}`);
  const names = [...named.keys()].toSorted();
  const most = Math.max(0, ...[...named.values()].map((same) => same.length));
  return Array.from({ length: most }, (_, at) => names.flatMap((name) => named.get(name)?.[at] ?? []));
}

function* upsertEach(some: readonly DocumentToStore[], existed: Map<DocumentToStore, boolean>): Steps<number[]> {
  const [pairs, numbers] = yield* together(
    together(...some.map(({ document }) => pairsOfDocument(document.id))),
    together(...some.map(writeDocument)),
  );
  for (const [at, one] of some.entries()) existed.set(one, pairs[at]?.includes(one.pairId) === true);
  const those = JSON.stringify(numbers);
  const [, , , held] = yield* together(
    run(
      ofNumbers((among) => `DELETE FROM tags WHERE document ${among}`),
      those,
    ),
    together(...some.map(({ document }, at) => writeTags(numbers[at] ?? 0, document.metadata))),
    run(ofNumbers(queueing), those),
    all("SELECT 1 FROM held_pairs LIMIT 1"),
  );
  for (const { document, pairId } of held.length === 0 ? [] : some) {
    for (const number of yield* releaseHeld(document.id, pairId)) yield* deleteNumbered(number);
  }
  return numbers;
}

const queueing = (among: string): string =>
  `INSERT INTO queue (document, sequence) SELECT number, sequence FROM documents WHERE number ${among}
   ON CONFLICT (document) DO UPDATE SET sequence = excluded.sequence, attempts = 0`;

function* writeDocument({ document, pairId, updatedAt }: DocumentToStore): Steps<number> {
  const columns = {
    pair_id: pairId,
    updated_at: updatedAt,
    id: document.id,
    semantic_identifier: document.semantic_identifier,
    title: document.title ?? document.semantic_identifier,
    source: document.source,
    sections: JSON.stringify(document.sections),
    metadata: JSON.stringify(document.metadata),
    primary_owners: orNull(document.primary_owners),
    secondary_owners: orNull(document.secondary_owners),
    dated: Number(parseMoment(document.doc_updated_at ?? "") !== undefined),
    chunk_count: document.chunk_count ?? null,
    from_ingestion_api: document.from_ingestion_api == null ? null : Number(document.from_ingestion_api),
    link: document.sections.find(({ link }) => link != null)?.link ?? null,
    status: "pending",
    failure: null,
  };
  const names = Object.keys(columns);
  const changed = ["sequence", ...names.filter((name) => name !== "id" && name !== "pair_id")];
  const upsertion = (sequence: string, unique: string): string =>
    `INSERT INTO documents (sequence, ${names.join(", ")}) VALUES (${sequence}, ${names.map(() => "?").join(", ")})
     ON CONFLICT (${unique}) DO UPDATE SET ${changed.map((name) => `${name} = excluded.${name}`).join(", ")}
     RETURNING number`;
  return yield* value(
    {
      sqlite: upsertion("(SELECT coalesce(max(sequence), 0) + 1 FROM documents)", "id, pair_id"),
      postgres: upsertion("nextval('writes')", "md5(id), pair_id"),
    },
    ...Object.values(columns),
  );
}

/** Of a document that has none. */
function* writeTags(number: number, metadata: Metadata): Steps<void> {
  const tags = Object.entries(metadata).flatMap(([key, tagged]) =>
    [...new Set(typeof tagged === "string" ? [tagged] : tagged)].map((one) => [key, one] as const),
  );
  yield* together(
    ...tags.map(([key, one]) =>
      run("INSERT INTO tags (document, tag_key, tag_value) VALUES (?, ?, ?)", number, key, one),
    ),
  );
}

/**
 * Removes a pair's document; those of other pairs stay, whatever their id. Answers whether there was one. It is found no
 * more at once; what it was found by leaves the index in the background.
 * @param pairId null: the document that is held back from every pair
 */
export function* deleteDocument(id: string, pairId: number | null = DEFAULT_PAIR): Steps<boolean> {
  const [number] = yield* values<number>(
    {
      sqlite: "SELECT number FROM documents WHERE id = ? AND pair_id IS ?",
      postgres: "SELECT number FROM documents WHERE id = ? AND pair_id IS NOT DISTINCT FROM ?",
    },
    id,
    pairId,
  );
  if (number !== undefined) yield* deleteNumbered(number);
  return number !== undefined;
}

function* deleteNumbered(number: number): Steps<void> {
  yield* run("DELETE FROM documents WHERE number = ?", number);
  yield* noteChange(number);
}

/** The pairs that hold a document of this id; null among them: one is held back from every pair. */
export function* pairsOfDocument(id: string): Steps<(number | null)[]> {
  return yield* values("SELECT pair_id FROM documents WHERE id = ? ORDER BY pair_id NULLS FIRST", id);
}

/** Every document of these pairs (null: of all, and what is held back), the newest write first. */
export function* listDocuments(
  pairs: readonly number[] | null,
  { id, most, oldest }: ListedPart = {},
): Steps<DocumentListing[]> {
  const those = [pairs === null ? null : JSON.stringify(pairs), id ?? null];
  const ofId = id === undefined ? "CAST(?2 AS TEXT) IS NULL" : "id = ?2";
  // Places are counted among what the caller sees: those among all writes would tell of documents that are hidden.
  const listable = yield* value<number>(
    overPairs(pairs, "?1", (ofPairs) => `SELECT count(*) FROM documents WHERE ${ofPairs} AND ${ofId}`),
    ...those,
  );
  const among = Math.min(oldest ?? listable, listable);
  const listed = yield* all<Omit<DocumentListing, "older">>(
    listing(pairs, ofId),
    ...those,
    most ?? Number.MAX_SAFE_INTEGER,
    listable - among,
  );
  return listed.map((document, at) => ({ ...document, older: among - 1 - at }));
}

/**
 * What is in the list is told by an index, and only that is read: of some pairs, all documents would be for each page. A list
 * of everything is in the order of an index that holds all that is shown.
 */
function listing(pairs: readonly number[] | null, ofId: string): Sql {
  const shown = `documents.id AS document_id, semantic_identifier AS semantic_id, coalesce(link, '') AS link,
    documents.status, failure, documents.pair_id AS cc_pair_id`;
  const page = "ORDER BY sequence DESC LIMIT ?3 OFFSET ?4";
  return overPairs(pairs, "?1", (ofPairs) =>
    pairs === null
      ? `SELECT ${shown}, sequence AS written FROM documents WHERE ${ofPairs} AND ${ofId} ${page}`
      : `SELECT ${shown} FROM (SELECT number FROM documents WHERE ${ofPairs} AND ${ofId} ${page}) AS page
         JOIN documents ON documents.number = page.number ORDER BY documents.sequence DESC`,
  );
}

/** Numbers of the indexed documents of these pairs (null: of all that is not held back), the newest write first. */
export function* newestDocuments(pairs: readonly number[] | null, limit: number): Steps<number[]> {
  return yield* values(
    overPairs(
      pairs,
      "?1",
      (ofPairs) => `
        SELECT number FROM documents WHERE status = 'indexed' AND pair_id IS NOT NULL AND ${ofPairs}
        ORDER BY sequence DESC LIMIT ?2`,
    ),
    pairs === null ? null : JSON.stringify(pairs),
    limit,
  );
}

// ── The queue of what is still to be indexed ────────────────────────────────────────────────────────────────────

/** A document that waits to be indexed, and the order of the write it waits with. */
export interface QueuedDocument {
  readonly number: number;
  readonly sequence: number;
}

/** The oldest queued documents, in the order they were written. As one row: of thousands each would be slow. */
export function* queuedDocuments(limit: number): Steps<QueuedDocument[]> {
  const queued = yield* value<string>(
    `SELECT json_group_array(json_array(document, sequence))
     FROM (SELECT document, sequence FROM queue ORDER BY sequence LIMIT ?)`,
    limit,
  );
  return (JSON.parse(queued) as [number, number][]).map(([number, sequence]) => ({ number, sequence }));
}

/** The document of this number, unless it was deleted. */
export function* documentNumbered(number: number): Steps<StoredDocument | undefined> {
  const row = yield* get<Row>(
    `SELECT number, sequence, pair_id AS "pairId", source, updated_at AS "updatedAt", title, sections, metadata,
            primary_owners AS "primaryOwners", secondary_owners AS "secondaryOwners"
     FROM documents WHERE number = ?`,
    number,
  );
  return row && withJson<StoredDocument>(row, "sections", "metadata", "primaryOwners", "secondaryOwners");
}

/** Whether this version of a document still waits to be indexed: not when it was replaced or deleted meanwhile. */
export function* isQueued({ number, sequence }: Pick<StoredDocument, "number" | "sequence">): Steps<boolean> {
  return (yield* get("SELECT 1 FROM queue WHERE document = ? AND sequence = ?", number, sequence)) !== undefined;
}

/** Takes a document off the queue: all of it is in the index. */
export function* finishDocument(number: number): Steps<void> {
  // A row is written with its whole text: where nothing changes, it is left alone.
  yield* run(
    "UPDATE documents SET status = 'indexed', failure = NULL WHERE number = ? AND status <> 'indexed'",
    number,
  );
  yield* run("DELETE FROM queue WHERE document = ?", number);
}

/** Gives a document up: it is listed as failed, with the reason, and found no more. */
export function* failDocument(number: number, reason: string): Steps<void> {
  yield* run("UPDATE documents SET status = 'failed', failure = ? WHERE number = ?", reason, number);
  yield* run("DELETE FROM queue WHERE document = ?", number);
  yield* noteChange(number);
}

/** Counts one more failed attempt; answers how many attempts failed. */
export function* countAttempt(number: number): Steps<number> {
  const sql = "UPDATE queue SET attempts = attempts + 1 WHERE document = ? RETURNING attempts";
  return (yield* values<number>(sql, number))[0] ?? 0;
}

/** The names owners are shown and found by; null where none were sent. */
export function ownerNames(owners: readonly Owner[] | null): string[] | null {
  if (owners === null) return null;
  const names = owners.map(({ display_name, first_name, middle_initial, last_name, email }) => {
    const spelled = [first_name, middle_initial, last_name].filter((part) => part != null && part !== "").join(" ");
    return display_name || spelled || email || "";
  });
  return names.filter((name) => name !== "");
}

function orNull(owners: readonly Owner[] | null | undefined): string | null {
  return owners == null ? null : JSON.stringify(owners);
}
