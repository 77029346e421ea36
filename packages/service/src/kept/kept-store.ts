/** What is known of kept answers beside their documents: doubts about them, and that their owners said they hold. */
import { KEPT_ENTRY, type Metadata } from "@threadlore/client/models";
import type { StoredDocument } from "../store/documents.ts";
import { documentsNamed } from "../store/document-text.ts";
import { all, get, ofNumbers, type Row, run, type Steps, values, withJson } from "../store/steps.ts";
import { endMaybe, settleMaybe } from "./maybe/maybe-store.ts";

/** A kept answer as it is listed. */
export interface KeptRow {
  readonly number: number;
  readonly id: string;
  readonly pairId: number | null;
  readonly title: string;
  readonly metadata: Metadata;
  readonly link: string | null;
  /** Milliseconds since 1970, as all moments here. */
  readonly updatedAt: number;
  readonly confirmedAt: number | null;
  /** Whether another document of these pairs has its id. */
  readonly hasNamesake: boolean;
}

/** What speaks against a kept answer. */
export type DoubtRow =
  | { readonly reason: "bad_mark"; readonly document: number; readonly since: number }
  | {
      readonly reason: "contradicted";
      readonly document: number;
      readonly since: number;
      readonly says: string;
      readonly keptSays: string;
      /** The pair of the kept answer. */
      readonly keptPairId: number;
      /** The document that says otherwise. */
      readonly by: {
        readonly id: string;
        readonly pairId: number | null;
        readonly title: string;
        readonly link: string | null;
      };
    };

/** Tags are what a document is found by fast; metadata holds the same. */
const IS_KEPT = `EXISTS (SELECT 1 FROM tags WHERE tags.document = documents.number
  AND tag_key = '${KEPT_ENTRY.key}' AND tag_value = '${KEPT_ENTRY.value}')`;
const OF_KEPT = `FROM tags JOIN documents ON documents.number = tags.document
  WHERE tag_key = '${KEPT_ENTRY.key}' AND tag_value = '${KEPT_ENTRY.value}'`;

/** Whether a document's metadata say that it is a kept answer. */
export function isKept(metadata: Readonly<Record<string, unknown>> | undefined): boolean {
  const value = metadata?.[KEPT_ENTRY.key];
  return value === KEPT_ENTRY.value || (Array.isArray(value) && value.includes(KEPT_ENTRY.value));
}

/** Whether anything is kept at all: one look at an index. */
export function* isAnyKept(): Steps<boolean> {
  const sql = `SELECT 1 FROM tags WHERE tag_key = '${KEPT_ENTRY.key}' AND tag_value = '${KEPT_ENTRY.value}' LIMIT 1`;
  return (yield* get(sql)) !== undefined;
}

const COLUMNS = `documents.number, documents.id, pair_id AS "pairId", semantic_identifier AS title, metadata, link,
  updated_at AS "updatedAt", (SELECT confirmed_at FROM kept_answers WHERE document = documents.number) AS "confirmedAt",
  EXISTS (SELECT 1 FROM documents AS other WHERE other.id = documents.id AND other.number <> documents.number
    AND (CAST(?1 AS TEXT) IS NULL OR other.pair_id IN (SELECT CAST(value AS BIGINT) FROM json_each(?1)))) AS "hasNamesake"`;

/** Which kept answers are looked for. */
export interface KeptPart {
  /** Of these pairs; null: of all. */
  readonly pairs: readonly number[] | null;
  /** Of these alone. */
  readonly numbers?: readonly number[];
  /** Neither written nor confirmed since. */
  readonly before: number;
  /** Behind this id, and this pair of it. */
  readonly after: readonly [id: string, pair: number];
  readonly most: number;
}

/** Kept answers in the order of their ids, byte by byte. */
export function* listKept({ pairs, numbers, before, after, most }: KeptPart): Steps<KeptRow[]> {
  const rows = yield* all<Row>(
    `SELECT ${COLUMNS} ${OF_KEPT} AND documents.pair_id IS NOT NULL AND documents.status <> 'failed'
       AND (CAST(?1 AS TEXT) IS NULL OR pair_id IN (SELECT CAST(value AS BIGINT) FROM json_each(?1)))
       AND (CAST(?2 AS TEXT) IS NULL OR documents.number IN (SELECT CAST(value AS BIGINT) FROM json_each(?2)))
       AND updated_at < ?3
       AND NOT EXISTS (SELECT 1 FROM kept_answers WHERE document = documents.number AND confirmed_at >= ?3)
       AND (documents.id > ?4 OR (documents.id = ?4 AND pair_id > ?5))
     ORDER BY documents.id, pair_id LIMIT ?6`,
    pairs === null ? null : JSON.stringify(pairs),
    numbers === undefined ? null : JSON.stringify(numbers),
    before,
    ...after,
    most,
  );
  return rows.map((row) => {
    const { hasNamesake, ...known } = withJson<KeptRow>({ ...row }, "metadata");
    return { ...known, hasNamesake: Boolean(hasNamesake) };
  });
}

/** Numbers of the kept answers that an answer may mean by this name, of these pairs (null: of all); see `documentsNamed`. */
export function* keptNamed(name: string, pairs: readonly number[] | null): Steps<number[]> {
  return yield* numbersNamed(name, pairs, IS_KEPT);
}

/** Numbers of the other documents it may mean. */
export function* othersNamed(name: string, pairs: readonly number[] | null): Steps<number[]> {
  return yield* numbersNamed(name, pairs, `NOT ${IS_KEPT}`);
}

function* numbersNamed(name: string, pairs: readonly number[] | null, condition: string): Steps<number[]> {
  const numbers: number[] = [];
  for (const { id, pairId } of yield* documentsNamed(name, pairs)) {
    const sql = `SELECT number FROM documents WHERE id = ? AND pair_id = ? AND ${condition}`;
    numbers.push(...(yield* values<number>(sql, id, pairId)));
  }
  return numbers;
}

/** When the owner of a kept answer last said that it holds; null: never. */
export function* confirmedAt(number: number): Steps<number | null> {
  return (yield* values<number | null>("SELECT confirmed_at FROM kept_answers WHERE document = ?", number))[0] ?? null;
}

/** Kept answers that are known to be contradicted by a document as it reads now, told or settled. */
export function* knownContradictions(by: number): Steps<number[]> {
  return yield* values(
    `SELECT document FROM kept_contradictions JOIN documents ON documents.number = by_document
     WHERE by_document = ? AND (is_settled = 0 OR written = documents.sequence)`,
    by,
  );
}

/**
 * Notes that somebody who read both says that a document contradicts a kept answer. What its owner has dealt with stays dealt
 * with, as long as neither is written anew.
 */
export function* noteDoubted(number: number, found: Contradiction, now: number): Steps<void> {
  yield* run("INSERT INTO kept_answers (document) VALUES (?) ON CONFLICT (document) DO NOTHING", number);
  yield* noteCompared(number, [found], [], now);
  yield* endMaybe(number, found.by);
}

/** Everything that speaks against some kept answers (undefined: against any), the newest first. */
export function* doubtsAbout(numbers?: readonly number[]): Steps<DoubtRow[]> {
  const those = numbers === undefined ? null : JSON.stringify(numbers);
  const among = "(CAST(?1 AS TEXT) IS NULL OR document IN (SELECT CAST(value AS BIGINT) FROM json_each(?1)))";
  const contradictions = yield* all<{
    document: number;
    since: number;
    says: string;
    keptSays: string;
    keptPairId: number;
    id: string;
    pairId: number | null;
    title: string;
    link: string | null;
  }>(
    `SELECT document, since, says, kept_says AS "keptSays", own.pair_id AS "keptPairId", other.id,
            other.pair_id AS "pairId", other.semantic_identifier AS title, other.link
     FROM kept_contradictions JOIN documents AS other ON other.number = by_document
       JOIN documents AS own ON own.number = document
     WHERE is_settled = 0 AND other.status <> 'failed' AND own.pair_id IS NOT NULL AND ${among}`,
    those,
  );
  const marks = yield* all<{ document: number; since: number }>(
    `SELECT document, max(since) AS since FROM kept_marks WHERE ${among} GROUP BY document`,
    those,
  );
  const doubts: DoubtRow[] = [
    ...contradictions.map(({ id, pairId, title, link, ...doubt }) => ({
      reason: "contradicted" as const,
      ...doubt,
      by: { id, pairId, title, link },
    })),
    ...marks.map((mark) => ({ reason: "bad_mark" as const, ...mark })),
  ];
  return doubts.toSorted((one, other) => other.since - one.since);
}

/** Its owner says that it holds: what spoke against it does not any more. */
export function* confirmKept(number: number, now: number): Steps<void> {
  yield* run(
    `INSERT INTO kept_answers (document, confirmed_at) VALUES (?, ?)
     ON CONFLICT (document) DO UPDATE SET confirmed_at = excluded.confirmed_at`,
    number,
    now,
  );
  yield* run("UPDATE kept_contradictions SET is_settled = 1 WHERE document = ? AND is_settled = 0", number);
  yield* settleMaybe(number);
  yield* run("DELETE FROM kept_marks WHERE document = ?", number);
}

// ── What is compared with what ──────────────────────────────────────────────────────────────────────────────────

/** How far documents were compared with what is kept; undefined: nothing is. */
export function* followedSoFar(): Steps<number | undefined> {
  return (yield* values<number>("SELECT followed FROM kept_progress"))[0];
}

/**
 * Takes the comparing for one process, for some time. Answers up to which change it was done, or undefined: another process does
 * it now.
 * @param last where nothing was compared so far: what is kept is compared with everything, and what comes then from there on
 */
export function* beginComparing(holder: number, last: number, now: number, until: number): Steps<number | undefined> {
  const [followed] = yield* values<number>(
    "UPDATE kept_progress SET holder = ?1, until = ?2 WHERE holder = ?1 OR until < ?3 RETURNING followed",
    holder,
    until,
    now,
  );
  if (followed !== undefined) return followed;
  if ((yield* followedSoFar()) !== undefined) return undefined;
  const sql = "INSERT INTO kept_progress (followed, holder, until) VALUES (?, ?, ?) ON CONFLICT (one) DO NOTHING";
  if ((yield* run(sql, last, holder, until)) === 0) return undefined;
  yield* run(
    `INSERT INTO kept_answers (document) SELECT documents.number ${OF_KEPT} ON CONFLICT (document) DO UPDATE SET is_due = 1`,
  );
  return last;
}

/** Goes on holding it. Answers whether this process still did. */
export function* holdComparing(holder: number, until: number): Steps<boolean> {
  return (yield* run("UPDATE kept_progress SET until = ? WHERE holder = ?", until, holder)) > 0;
}

/** Lets another process do it. */
export function* endComparing(holder: number): Steps<void> {
  yield* run("UPDATE kept_progress SET until = 0 WHERE holder = ?", holder);
}

/** Nothing is kept any more: nothing is followed. */
export function* forgetComparing(): Steps<void> {
  yield* run("DELETE FROM kept_progress");
}

/** The next changes, and the documents they are of, oldest first. */
export function* changedDocuments(after: number, upTo: number, most: number) {
  return yield* all<{ readonly change: number; readonly document: number }>(
    "SELECT sequence AS change, document FROM changes WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?",
    after,
    upTo,
    most,
  );
}

/** What came of looking at some changed documents. */
export interface Noticed {
  /** Up to which change they were looked at. */
  readonly followed: number;
  readonly documents: readonly number[];
  /** Those of them that are kept answers: each is compared anew. */
  readonly kept: readonly number[];
  /** Kept answers that one of them may contradict. */
  readonly concerned: readonly number[];
}

/** Notes it. Answers false where another process does it by now: then nothing is noted. */
export function* noteNoticed(holder: number, until: number, noticed: Noticed): Steps<boolean> {
  const { followed, documents, kept, concerned } = noticed;
  const held = yield* run("UPDATE kept_progress SET followed = ?, until = ? WHERE holder = ?", followed, until, holder);
  if (held === 0) return false;
  const others = documents.filter((document) => !kept.includes(document));
  yield* run(
    ofNumbers((among) => `DELETE FROM kept_answers WHERE document ${among}`),
    JSON.stringify(others),
  );
  yield* run(
    `INSERT INTO kept_answers (document)
     SELECT number FROM documents WHERE number IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) AND ${IS_KEPT}
     ON CONFLICT (document) DO UPDATE SET is_due = 1`,
    JSON.stringify(kept),
  );
  yield* run(
    `UPDATE kept_answers SET is_due = 1 WHERE is_due = 0 AND (
       document IN (SELECT CAST(value AS BIGINT) FROM json_each(?1))
       OR document IN (SELECT document FROM kept_contradictions
                       WHERE by_document IN (SELECT CAST(value AS BIGINT) FROM json_each(?2)))
       OR document IN (SELECT document FROM kept_maybe
                       WHERE by_document IN (SELECT CAST(value AS BIGINT) FROM json_each(?2))))`,
    JSON.stringify(concerned),
    JSON.stringify(documents),
  );
  return true;
}

/** Kept answers with their texts, behind a number. */
export function* keptTexts(after: number, most: number) {
  const rows = yield* all<Row>(
    `SELECT documents.number, title, sections ${OF_KEPT} AND documents.number > ? ORDER BY documents.number LIMIT ?`,
    after,
    most,
  );
  return rows.map((row) => withJson<Pick<StoredDocument, "number" | "title" | "sections">>({ ...row }, "sections"));
}

/** The next kept answers that are to be compared. */
export function* dueAnswers(after: number, most: number) {
  return yield* all<{ readonly document: number; readonly confirmedAt: number | null }>(
    `SELECT document, confirmed_at AS "confirmedAt" FROM kept_answers WHERE is_due = 1 AND document > ?
     ORDER BY document LIMIT ?`,
    after,
    most,
  );
}

/** What another document says otherwise. */
export interface Contradiction {
  readonly by: number;
  readonly says: string;
  readonly keptSays: string;
  /** It was there before the answer was, or before its owner said that it holds: nobody is told. */
  readonly isOlder: boolean;
}

/** The documents that are known already to contradict a kept answer, told or not. */
export function* contradictionsOf(number: number): Steps<number[]> {
  return yield* values("SELECT by_document FROM kept_contradictions WHERE document = ?", number);
}

/** What is told of documents that contradict a kept answer, since when, by their numbers. */
export function* toldAgainst(number: number) {
  return yield* all<Pick<Contradiction, "by" | "says" | "keptSays"> & { readonly since: number }>(
    `SELECT by_document AS by, says, kept_says AS "keptSays", since FROM kept_contradictions
     WHERE document = ? AND is_settled = 0`,
    number,
  );
}

/**
 * Notes what contradicts a kept answer: what did before, with the same sentence or unchanged, stays as it was, told or settled.
 * @param others documents that do not: what was told of them is taken back where they or the kept answer were written since
 */
export function* noteCompared(
  number: number,
  found: readonly Contradiction[],
  others: readonly number[],
  now: number,
): Steps<void> {
  for (const { by, says, keptSays, isOlder } of found) {
    yield* run(NOTE, number, by, says, keptSays, now, Number(isOlder));
  }
  yield* run(
    `DELETE FROM kept_contradictions WHERE document = ? AND is_settled = 0
       AND by_document IN (SELECT CAST(value AS BIGINT) FROM json_each(?))
       AND (written <> (SELECT sequence FROM documents WHERE number = by_document)
         OR kept_written <> (SELECT sequence FROM documents WHERE number = document))`,
    number,
    JSON.stringify(others),
  );
}

/** Neither of the two was written since: another sentence may come first this time, and says no more than the one that was told. */
const IS_UNCHANGED = `(kept_contradictions.written = excluded.written
  AND kept_contradictions.kept_written = excluded.kept_written)`;
const IS_SAME = `(kept_contradictions.says = excluded.says OR ${IS_UNCHANGED})`;

const NOTE = `
  INSERT INTO kept_contradictions (document, by_document, says, kept_says, written, kept_written, since, is_settled)
  SELECT document, other.number, CAST(?3 AS TEXT), CAST(?4 AS TEXT), other.sequence, own.sequence, CAST(?5 AS BIGINT),
         CAST(?6 AS BIGINT)
  FROM kept_answers JOIN documents AS own ON own.number = document, documents AS other
  WHERE document = ?1 AND other.number = ?2
  ON CONFLICT (document, by_document) DO UPDATE SET
    since = CASE WHEN ${IS_SAME} THEN kept_contradictions.since ELSE excluded.since END,
    is_settled = CASE WHEN ${IS_SAME} AND kept_contradictions.is_settled = 1 THEN 1 ELSE excluded.is_settled END,
    says = CASE WHEN ${IS_UNCHANGED} THEN kept_contradictions.says ELSE excluded.says END,
    kept_says = CASE WHEN ${IS_UNCHANGED} THEN kept_contradictions.kept_says ELSE excluded.kept_says END,
    written = excluded.written, kept_written = excluded.kept_written`;

/** It was compared with everything there was. */
export function* noteLooked(number: number): Steps<void> {
  yield* run("UPDATE kept_answers SET is_due = 0 WHERE document = ?", number);
}
