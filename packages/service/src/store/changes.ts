import { run, runLast, type Steps, values } from "./steps.ts";

/**
 * What has changed since when, for whoever keeps something made of the documents: each one's last write, or that it is
 * gone, in the order of these, under numbers that are never given twice.
 */

/** Notes that a document was written, was given up, or is gone. */
export function* noteChange(number: number): Steps<void> {
  yield* run(
    {
      sqlite: "INSERT OR REPLACE INTO changes (document) VALUES (?)",
      postgres: `WITH next AS (UPDATE feed SET last = last + 1 RETURNING last)
        INSERT INTO changes (sequence, document) SELECT last, ? FROM next
        ON CONFLICT (document) DO UPDATE SET sequence = excluded.sequence, mark = excluded.mark`,
    },
    number,
  );
}

/** As `noteChange` of each, which must be different ones; the last thing a transaction does: others wait for it. */
export function* noteLastChanges(numbers: readonly number[]): Steps<void> {
  yield* runLast(
    {
      sqlite: "INSERT OR REPLACE INTO changes (document) SELECT value FROM json_each(?1)",
      postgres: `WITH given AS (SELECT CAST(translate(?1, '[]', '{}') AS BIGINT[]) AS numbers),
          next AS (UPDATE feed SET last = last + (SELECT cardinality(numbers) FROM given) RETURNING last)
        INSERT INTO changes (sequence, document)
          SELECT last - cardinality(numbers) + place, document
          FROM next, given, unnest(numbers) WITH ORDINALITY AS noted (document, place)
        ON CONFLICT (document) DO UPDATE SET sequence = excluded.sequence, mark = excluded.mark`,
    },
    JSON.stringify(numbers),
  );
}

/** The last change there was; 0: none. */
export function* lastChange(): Steps<number> {
  return (yield* values<number>("SELECT seq FROM sqlite_sequence WHERE name = 'changes'"))[0] ?? 0;
}

/** Documents that are not to be found any more, by changes behind `after` and up to `upTo`. */
export function* goneDocuments(after: number, upTo: number): Steps<number[]> {
  return yield* values(
    `SELECT document FROM changes WHERE sequence > ? AND sequence <= ?
     AND NOT EXISTS (SELECT 1 FROM documents WHERE number = document AND status <> 'failed') ORDER BY sequence`,
    after,
    upTo,
  );
}

/** The last change of a document. */
export function* changeOf(number: number): Steps<number> {
  return (yield* values<number>("SELECT sequence FROM changes WHERE document = ?", number))[0] ?? 0;
}

/**
 * Queues what was indexed by changes behind `after`: the index does not have it, or not any more.
 * @param isFound whether it is found all the same, so that nobody needs to be told that it waits
 */
export function* queueAgain(after: number, isFound = false): Steps<void> {
  yield* run(after === 0 ? QUEUE_ALL : QUEUE_BEHIND, ...(after === 0 ? [] : [after]));
  if (isFound) return;
  yield* run(
    "UPDATE documents SET status = 'pending' WHERE status = 'indexed' AND number IN (SELECT document FROM queue)",
  );
}

/** Reads an index that has all it asks for, and no document with its text. */
const QUEUE_ALL = `
  INSERT OR IGNORE INTO queue (document, sequence)
  SELECT number, sequence FROM documents INDEXED BY documents_listed WHERE status = 'indexed' ORDER BY sequence`;

const QUEUE_BEHIND = `
  INSERT OR IGNORE INTO queue (document, sequence)
  SELECT number, documents.sequence FROM changes JOIN documents ON number = document
  WHERE changes.sequence > ? AND status = 'indexed' ORDER BY documents.sequence`;
