import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { seededRandom } from "@threadlore/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../service.harness.ts";
import { queueAgain } from "./changes.ts";
import {
  addConnector,
  addCredential,
  addPair,
  countDocuments,
  type DocumentCounts,
  DEFAULT_PAIR,
} from "./connectors.ts";
import { deleteDocument, failDocument, finishDocument, queuedDocuments, upsertDocument } from "./documents.ts";
import { Database } from "./sqlite/database.ts";
import { migrate, SCHEMA_VERSION } from "./sqlite/migrations.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).toReversed()) cleanup();
});

/** The same, counted. */
function counted(db: Database): ReadonlyMap<number, DocumentCounts> {
  const rows = db.all<{ pair: number; pending: number; indexed: number; failed: number }>(`
    SELECT pair_id AS pair, count(*) FILTER (WHERE status = 'pending') AS pending,
           count(*) FILTER (WHERE status = 'indexed') AS indexed, count(*) FILTER (WHERE status = 'failed') AS failed
    FROM documents WHERE pair_id IS NOT NULL GROUP BY pair_id`);
  return new Map(rows.map(({ pair, ...counts }) => [pair, counts]));
}

function write(db: Database, id: string, pair: number): void {
  db.transact(
    upsertDocument({ id, semantic_identifier: id, sections: [{ text: id }], source: "web", metadata: {} }, pair, 0),
  );
}

describe("how many documents a pair holds", () => {
  it("is known after any writes, replacements, deletions and failures, and after what was undone", () => {
    const db = new Database(":memory:");
    cleanups.push(() => db.close());
    const connectorId = db.transact(addConnector({ name: "Wiki", source: "web" }));
    const credentialId = db.transact(addCredential({ name: "None", source: "web" }));
    const other = db.transact(addPair({ name: "Other", connectorId, credentialId }));
    const random = seededRandom(5);
    const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
    const act = (): void => {
      const [id, pair] = [`d${Math.floor(random() * 12)}`, pick([DEFAULT_PAIR, other])];
      const queued = db.perform(queuedDocuments(1))[0]?.number;
      pick([
        () => write(db, id, pair),
        () => write(db, id, pair),
        () => db.transact(deleteDocument(id, pair)),
        () => queued !== undefined && db.transact(finishDocument(queued)),
        () => queued !== undefined && db.transact(failDocument(queued, "It is of no kind.")),
        () => db.transact(queueAgain(0)),
      ])();
    };
    for (let step = 0; step < 400; step++) {
      try {
        db.transaction(() => {
          for (let inner = 0; inner < 3; inner++) act();
          if (random() < 0.3) throw new Error("undone");
        });
      } catch {
        // None of the three was kept.
      }
      expect(db.perform(countDocuments())).toEqual(counted(db));
    }
    // It was no walk among empty counts.
    expect(db.perform(countDocuments()).size).toBe(2);
  });

  it("is counted once for a database of an earlier version", () => {
    const folder = temporaryFolder();
    cleanups.push(folder.remove);
    const path = join(folder.path, "former.db");
    const former = new DatabaseSync(path);
    migrate(former, SCHEMA_VERSION - 1);
    for (const [number, status] of ["pending", "indexed", "indexed", "failed"].entries()) {
      const sql = `INSERT INTO documents (pair_id, id, sequence, semantic_identifier, title, source, sections, metadata, updated_at, status)
        VALUES (1, ?, ?, '', '', 'web', '[]', '{}', 0, ?)`;
      former.prepare(sql).run(`d${number}`, number + 1, status);
    }
    former.close();
    const db = new Database(path);
    cleanups.push(() => db.close());
    expect(db.perform(countDocuments())).toEqual(new Map([[1, { pending: 1, indexed: 2, failed: 1 }]]));
    write(db, "d0", 1);
    db.transact(deleteDocument("d3", 1));
    expect(db.perform(countDocuments())).toEqual(new Map([[1, { pending: 1, indexed: 2, failed: 0 }]]));
  });
});
