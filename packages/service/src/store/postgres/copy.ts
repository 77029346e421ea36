import { rmSync } from "node:fs";
import { removeIndex, formerPathOf, indexPathOf } from "../../search/hosting/opening.ts";
import { instanceOf } from "../instance.ts";
import { Database, type DatabaseOptions } from "../sqlite/database.ts";
import { all, get, run, type Row, type Steps, values } from "../steps.ts";
import type { PostgresStore } from "./postgres-store.ts";

/**
 * A machine's own copy of the documents, which its index is made from: of the tables of a service, those of documents and
 * of what is to be indexed. It follows the truth by its changes, and its documents have the numbers of the truth's, and for
 * their order that of their changes. What it says is never shown without asking the truth: losing it costs time, and nothing
 * else. What a service keeps as the number of chunks that were sent is the mark of the change here: numbers alone come again
 * where the truth was put back to an earlier state.
 */

/** Opens it; one that is of other data, or of a later state of them, is made anew. */
export async function openCopy(truth: PostgresStore, path: string, options: DatabaseOptions): Promise<Database> {
  const instance = await truth.read(instanceOf());
  const db = new Database(path, options);
  if (await isOf(truth, db, instance)) return db;
  db.close();
  if (path !== ":memory:") {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
    removeIndex(indexPathOf(path));
    removeIndex(formerPathOf(path));
  }
  const anew = new Database(path, options);
  anew.run("UPDATE instance SET id = ?, epoch = ?", instance.id, instance.epoch);
  return anew;
}

async function isOf(truth: PostgresStore, db: Database, instance: { id: string; epoch: string }): Promise<boolean> {
  const own = db.perform(instanceOf());
  if (own.id !== instance.id || own.epoch !== instance.epoch) return false;
  // A truth that was put back to an earlier state knows nothing of the last changes the copy has, or has given their numbers
  // to other ones.
  const newest = db.all<Copied>(
    `SELECT number, sequence, chunk_count AS mark FROM documents ORDER BY sequence DESC LIMIT ${MAX_COMPARED}`,
  );
  const numbers = JSON.stringify(newest.map(({ number }) => number));
  const known = await truth.read(
    all<Copied>(
      `SELECT document AS number, sequence, mark FROM changes
       WHERE document IN (SELECT CAST(value AS BIGINT) FROM json_each(?))`,
      numbers,
    ),
  );
  const ofTruth = new Map(known.map((change) => [change.number, change]));
  return newest.every(({ number, sequence, mark }) => {
    const now = ofTruth.get(number);
    return now !== undefined && (now.sequence > sequence || (now.sequence === sequence && now.mark === mark));
  });
}

/** Changes of a copy that are looked at when it is opened. */
const MAX_COMPARED = 200;

interface Copied {
  readonly number: number;
  readonly sequence: number;
  readonly mark: number | null;
}

/** A change as the truth tells it: what the document is now, or that it is gone. */
export interface Change {
  readonly change: number;
  readonly document: number;
  /** Which no other change has. */
  readonly mark: number;
  /** Null: it is gone. */
  readonly status: "pending" | "indexed" | "failed" | null;
  readonly row: Row;
}

/** Bytes that are fetched at once, as they are kept; a document that is larger comes alone. */
const MAX_BYTES = 4_000_000;
const MAX_CHANGES = 500;

const COLUMNS =
  "pair_id, id, semantic_identifier, title, source, sections, metadata, primary_owners, secondary_owners, updated_at, dated, link";

/** The next changes behind one, oldest first. */
export function* changesAfter(after: number): Steps<Change[]> {
  const rows = yield* all<Row & { change: number; document: number; mark: number; status: Change["status"] }>(
    `WITH next AS (
       SELECT changes.sequence AS change, document, mark,
              sum(coalesce(pg_column_size(sections), 0)) OVER (ORDER BY changes.sequence) AS bytes,
              row_number() OVER (ORDER BY changes.sequence) AS place
       FROM (SELECT * FROM changes WHERE sequence > ? ORDER BY sequence LIMIT ${MAX_CHANGES}) AS changes
       LEFT JOIN documents ON number = document
     )
     SELECT change, document, mark, status, failure, ${COLUMNS} FROM next LEFT JOIN documents ON number = document
     WHERE place = 1 OR bytes <= ${MAX_BYTES} ORDER BY change`,
    after,
  );
  return rows.map(({ change, document, mark, status, ...row }) => ({ change, document, mark, status, row }));
}

/** The last change the truth has, and the mark of the one of a number; null: a later one took its place. */
export function* lastChangeOfTruth(number: number): Steps<{ last: number; mark: number | null }> {
  const [found] = yield* all<{ last: number; mark: number | null }>(
    "SELECT last, mark FROM feed LEFT JOIN changes ON sequence = ?",
    number,
  );
  return found ?? { last: 0, mark: null };
}

/** Names of the files that sections of documents show, which a passage is found by. */
export function* filesShown(changes: readonly Change[]): Steps<{ id: string; name: string }[]> {
  const shown = changes.flatMap(({ row: { sections } }) => {
    if (typeof sections !== "string" || !sections.includes('"image_file_id":"')) return [];
    const parsed = JSON.parse(sections) as readonly { readonly image_file_id?: string | null }[];
    return parsed.flatMap(({ image_file_id: id }) => (id == null ? [] : [id]));
  });
  if (shown.length === 0) return [];
  return yield* all(
    "SELECT id, name FROM files WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify([...new Set(shown)]),
  );
}

/** The last change a copy has; where the newest documents were deleted, one before it: changes may be applied again. */
export function* lastCopied(): Steps<number> {
  return (yield* values<number>("SELECT max(sequence) FROM documents"))[0] ?? 0;
}

/** Applies changes to a copy: each document is written and queued for the index, or leaves. */
export function* copyChanges(changes: readonly Change[], files: readonly { id: string; name: string }[]): Steps<void> {
  for (const { id, name } of files) {
    yield* run(
      `INSERT INTO files (id, "user", name, media_type, chat_file_type, bytes, created_at) VALUES (?, '', ?, '', '', x'', 0)
       ON CONFLICT (id) DO NOTHING`,
      id,
      name,
    );
  }
  for (const one of changes) yield* copyChange(one);
}

function* copyChange({ change, document, mark, status, row }: Change): Steps<void> {
  const known = yield* get<{ sequence: number; status: string }>(
    "SELECT sequence, status FROM documents WHERE number = ?",
    document,
  );
  if (status === null) {
    if (known === undefined) return;
    yield* run("DELETE FROM documents WHERE number = ?", document);
    yield* run("INSERT OR REPLACE INTO changes (document) VALUES (?)", document);
    return;
  }
  if (known !== undefined && known.sequence >= change) return;
  const { failure, ...columns } = row;
  const pair = columns["pair_id"];
  if (typeof pair === "number") {
    yield* run(
      `INSERT INTO pairs (id, name, connector_id, credential_id, access_type) VALUES (?, '', 1, 1, 'private')
       ON CONFLICT (id) DO NOTHING`,
      pair,
    );
  }
  const written = { number: document, sequence: change, chunk_count: mark, ...columns, failure: failure ?? null };
  const names = [...Object.keys(written), "status"];
  yield* run(
    `INSERT INTO documents (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
     ON CONFLICT (number) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(", ")}`,
    ...Object.values(written),
    status === "failed" ? "failed" : "pending",
  );
  yield* run("INSERT OR REPLACE INTO changes (document) VALUES (?)", document);
  if (status === "failed") yield* run("DELETE FROM queue WHERE document = ?", document);
  else {
    yield* run(
      `INSERT INTO queue (document, sequence) VALUES (?, ?)
       ON CONFLICT (document) DO UPDATE SET sequence = excluded.sequence, attempts = 0`,
      document,
      change,
    );
  }
}

/** What nobody has indexed yet, with the change each waits with, oldest first. */
export function* waitingAtTruth(limit: number): Steps<{ document: number; change: number }[]> {
  return yield* all(
    // Each is looked up: the server takes an empty queue for a long one, and would read all changes there are.
    `SELECT document, (SELECT sequence FROM changes WHERE changes.document = waiting.document) AS change
     FROM (SELECT document FROM queue ORDER BY sequence LIMIT ?) AS waiting ORDER BY change`,
    limit,
  );
}

/** What became of documents in a copy, of those it has in that very version. */
export function* outcomesOf(waiting: readonly { document: number; change: number }[]) {
  return yield* all<{ document: number; change: number; status: "indexed" | "failed"; failure: string | null }>(
    `SELECT number AS document, sequence AS change, status, failure FROM documents
     WHERE status <> 'pending' AND number IN (SELECT CAST(value AS BIGINT) FROM json_each(?))`,
    JSON.stringify(waiting.map(({ document }) => document)),
  );
}

/** Tells the truth what became of documents, where they have not changed since. */
export function* tellOutcomes(
  outcomes: readonly { document: number; change: number; status: string; failure: string | null }[],
): Steps<void> {
  const done = JSON.stringify(outcomes.map(({ document, change }) => ({ document, change })));
  const failed = outcomes.filter(({ status }) => status === "failed");
  yield* run(
    `UPDATE documents SET status = 'indexed', failure = NULL
     FROM changes, json_to_recordset(?::json) AS done (document BIGINT, change BIGINT)
     WHERE changes.document = done.document AND changes.sequence = done.change AND number = done.document
       AND status = 'pending' AND NOT (number IN (SELECT CAST(value AS BIGINT) FROM json_each(?)))`,
    done,
    JSON.stringify(failed.map(({ document }) => document)),
  );
  yield* run(
    `DELETE FROM queue USING changes, json_to_recordset(?::json) AS done (document BIGINT, change BIGINT)
     WHERE queue.document = done.document AND changes.document = done.document AND changes.sequence = done.change`,
    done,
  );
  for (const { document, change, failure } of failed) {
    const noted = yield* run(
      `UPDATE documents SET status = 'failed', failure = ? FROM changes
       WHERE number = ? AND changes.document = number AND changes.sequence = ? AND status <> 'failed'`,
      failure,
      document,
      change,
    );
    if (noted > 0) {
      yield* run(
        `WITH next AS (UPDATE feed SET last = last + 1 RETURNING last)
         UPDATE changes SET sequence = last, mark = new_mark() FROM next WHERE document = ?`,
        document,
      );
    }
  }
}
