import type { Metadata, Section } from "@threadlore/client/models";
import { all, type Row, type Steps, withJson } from "./steps.ts";

/** A document as it is read: its sections in their order, and what it is called by. */
export interface ReadableDocument {
  readonly id: string;
  readonly pairId: number | null;
  /** Title shown to people. */
  readonly title: string;
  readonly source: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  readonly metadata: Metadata;
  readonly sections: readonly Section[];
}

/** What an answer puts behind an id that several documents have; see `sourceId` of a passage. */
const BEHIND_ID = / \((?:pair (\d+)|(held back))\)$/;

/**
 * The documents an answer may mean by this name, of these pairs (null: of all): one, or none; several where they share
 * the id and the name does not say whose is meant. What could not be indexed is found by nobody, and not read either.
 */
export function* documentsNamed(name: string, visible: readonly number[] | null): Steps<ReadableDocument[]> {
  const exact = yield* withId(name, visible);
  if (exact.length > 0) return exact;
  const [behind = "", pair] = BEHIND_ID.exec(name) ?? [];
  if (behind === "") return [];
  const pairId = pair === undefined ? null : Number(pair);
  return (yield* withId(name.slice(0, -behind.length), visible)).filter((one) => one.pairId === pairId);
}

/**
 * Documents that lie at an address of the web, as far as they may be seen; what stands behind `#` and a slash at the end do
 * not count.
 * @param sources only of these; undefined: of all
 */
export function* documentsAt(
  address: string,
  visible: readonly number[] | null,
  sources?: readonly string[],
): Steps<ReadableDocument[]> {
  const rows = yield* all<Row>(
    `SELECT id, pair_id AS "pairId", semantic_identifier AS title, source, updated_at AS "updatedAt", metadata, sections
     FROM documents
     WHERE rtrim(substr(link, 1, instr(link || '#', '#') - 1), '/') = ?1 AND status = 'indexed' AND pair_id IS NOT NULL
       AND (CAST(?2 AS TEXT) IS NULL OR pair_id IN (SELECT CAST(value AS BIGINT) FROM json_each(?2)))
       AND (CAST(?3 AS TEXT) IS NULL OR source IN (SELECT value FROM json_each(?3)))
     ORDER BY sequence DESC LIMIT 10`,
    address.replace(/#.*$/s, "").replace(/\/+$/, ""),
    visible === null ? null : JSON.stringify(visible),
    sources === undefined ? null : JSON.stringify(sources),
  );
  return rows.map((row) => withJson<ReadableDocument>(row, "metadata", "sections"));
}

function* withId(id: string, visible: readonly number[] | null): Steps<ReadableDocument[]> {
  const rows = yield* all<Row>(
    `SELECT id, pair_id AS "pairId", semantic_identifier AS title, source, updated_at AS "updatedAt", metadata, sections
     FROM documents
     WHERE id = ?1 AND status <> 'failed' AND (CAST(?2 AS TEXT) IS NULL OR pair_id IN (SELECT CAST(value AS BIGINT) FROM json_each(?2)))
     ORDER BY pair_id`,
    id,
    visible === null ? null : JSON.stringify(visible),
  );
  return rows.map((row) => withJson<ReadableDocument>(row, "metadata", "sections"));
}
