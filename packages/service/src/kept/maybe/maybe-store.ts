/**
 * Newer documents that may change a kept answer, of which no rule tells that they do: for whoever looks after what is kept. They
 * are noted where an answer is compared, and end when either of the two is compared anew.
 */
import { all, type Steps, run } from "../../store/steps.ts";
import type { NearDocument } from "../comparing.ts";

/** A kept answer, and a document that may change it. */
export interface MaybeRow {
  readonly document: number;
  /** The pair of the kept answer. */
  readonly keptPairId: number;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly says: string;
  readonly keptSays: string;
  readonly by: {
    readonly id: string;
    readonly pairId: number;
    readonly title: string;
    readonly link: string | null;
    /** Whether another document of the pairs it was asked with has its id. */
    readonly hasNamesake: boolean;
  };
}

/** Of one answer no more are kept: the nearest alone is listed, and the next where that has ended. */
const MAX_KEPT = 3;

/** What its owner has dealt with, or is asked already: the same document as it was read, or with the same sentence. */
const IS_KNOWN = `EXISTS (SELECT 1 FROM kept_contradictions AS known
  WHERE known.document = maybe.document AND known.by_document = maybe.by_document
    AND (known.is_settled = 0 OR known.written = other.sequence OR known.says = maybe.says))`;

/** Those that a document may change and that nobody has dealt with, found since, the nearest first. */
export function* maybeChanged(since: number, pairs: readonly number[] | null): Steps<MaybeRow[]> {
  const rows = yield* all<Omit<MaybeRow, "by"> & MaybeRow["by"]>(
    `SELECT maybe.document, own.pair_id AS "keptPairId", maybe.since, maybe.says, maybe.kept_says AS "keptSays", other.id,
            other.pair_id AS "pairId", other.semantic_identifier AS title, other.link,
            EXISTS (SELECT 1 FROM documents AS another WHERE another.id = other.id AND another.number <> other.number
              AND (CAST(?2 AS TEXT) IS NULL
                OR another.pair_id IN (SELECT CAST(value AS BIGINT) FROM json_each(?2)))) AS "hasNamesake"
     FROM kept_maybe AS maybe JOIN kept_answers AS answer ON answer.document = maybe.document
       JOIN documents AS own ON own.number = maybe.document JOIN documents AS other ON other.number = by_document
     WHERE maybe.is_settled = 0 AND maybe.since >= ?1
       AND maybe.written = other.sequence AND maybe.kept_written = own.sequence
       AND other.updated_at > own.updated_at AND other.updated_at > coalesce(answer.confirmed_at, 0)
       AND own.pair_id IS NOT NULL AND other.pair_id IS NOT NULL
       AND own.status <> 'failed' AND other.status <> 'failed' AND NOT ${IS_KNOWN}
     ORDER BY nearness DESC, maybe.document, by_document`,
    since,
    pairs === null ? null : JSON.stringify(pairs),
  );
  return rows.map(({ id, pairId, title, link, hasNamesake, ...row }) => ({
    ...row,
    by: { id, pairId, title, link, hasNamesake: Boolean(hasNamesake) },
  }));
}

/** The documents of which it was noted: they are compared again whether they are found or not. */
export function* maybeChanging(number: number): Steps<number[]> {
  const rows = yield* all<{ by: number }>(
    "SELECT by_document AS by FROM kept_maybe WHERE document = ? AND is_settled = 0",
    number,
  );
  return rows.map(({ by }) => by);
}

/**
 * Notes which documents may change a kept answer, in place of those before: the nearest that nobody has dealt with. What was noted
 * before, with the same sentence or unchanged, is of the moment it was found first.
 */
export function* noteMaybe(number: number, near: readonly NearDocument[], now: number): Steps<void> {
  const settled = near.length === 0 ? [] : yield* dealtWith(number);
  const isDealtWith = ({ number: by, says }: NearDocument): boolean =>
    settled.some((one) => one.by === by && (Number(one.isRead) === 1 || one.says === says));
  const nearest = near
    .filter((one) => !isDealtWith(one))
    .toSorted((one, other) => other.nearness - one.nearness)
    .slice(0, MAX_KEPT);
  yield* run(
    `DELETE FROM kept_maybe WHERE document = ? AND is_settled = 0
       AND by_document NOT IN (SELECT CAST(value AS BIGINT) FROM json_each(?))`,
    number,
    JSON.stringify(nearest.map((one) => one.number)),
  );
  for (const { number: by, nearness, says, keptSays } of nearest) {
    yield* run(NOTE, number, by, Math.round(nearness * 1_000), says, keptSays, now);
  }
}

/** Of documents that contradict an answer, or may change it: what is told, and what its owner has dealt with. */
function* dealtWith(number: number) {
  return yield* all<{ readonly by: number; readonly says: string; readonly isRead: number | boolean }>(
    `SELECT by_document AS by, says, (is_settled = 0 OR written = documents.sequence) AS "isRead"
     FROM kept_contradictions JOIN documents ON documents.number = by_document WHERE document = ?1
     UNION ALL SELECT by_document, says, written = documents.sequence
     FROM kept_maybe JOIN documents ON documents.number = by_document WHERE document = ?1 AND is_settled = 1`,
    number,
  );
}

/** Its owner says that it holds: what was noted comes again where a document says something else. */
export function* settleMaybe(number: number): Steps<void> {
  yield* run("UPDATE kept_maybe SET is_settled = 1 WHERE document = ? AND is_settled = 0", number);
}

/** Somebody says that a document does contradict it. */
export function* endMaybe(number: number, by: number): Steps<void> {
  yield* run("DELETE FROM kept_maybe WHERE document = ? AND by_document = ?", number, by);
}

/** Neither of the two was written since: another sentence may come first this time, and says no more than the one before. */
const IS_UNCHANGED = "(kept_maybe.written = excluded.written AND kept_maybe.kept_written = excluded.kept_written)";
const IS_SAME = `(kept_maybe.says = excluded.says OR ${IS_UNCHANGED})`;

const NOTE = `
  INSERT INTO kept_maybe (document, by_document, nearness, says, kept_says, written, kept_written, since, is_settled)
  SELECT document, other.number, CAST(?3 AS BIGINT), CAST(?4 AS TEXT), CAST(?5 AS TEXT), other.sequence, own.sequence,
         CAST(?6 AS BIGINT), 0
  FROM kept_answers JOIN documents AS own ON own.number = document, documents AS other
  WHERE document = ?1 AND other.number = ?2
  ON CONFLICT (document, by_document) DO UPDATE SET
    since = CASE WHEN ${IS_SAME} THEN kept_maybe.since ELSE excluded.since END,
    is_settled = CASE WHEN ${IS_SAME} THEN kept_maybe.is_settled ELSE 0 END,
    says = CASE WHEN ${IS_UNCHANGED} THEN kept_maybe.says ELSE excluded.says END,
    kept_says = CASE WHEN ${IS_UNCHANGED} THEN kept_maybe.kept_says ELSE excluded.kept_says END,
    nearness = excluded.nearness, written = excluded.written, kept_written = excluded.kept_written`;
