import { afterThisTest } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { PAIR_DOCUMENTS, pairDocuments } from "./connectors.ts";
import { Database } from "./sqlite/database.ts";

function withDocuments(...states: readonly string[]): Database {
  const db = new Database(":memory:");
  afterThisTest(() => db.close());
  for (const [at, status] of states.entries()) {
    db.run(
      `INSERT INTO documents (pair_id, id, sequence, semantic_identifier, title, source, sections, metadata, updated_at, status)
       VALUES (1, ?, ?, 'T', 'T', 'file', '[]', '{}', 1, ?)`,
      `${status} ${at}`,
      at + 1,
      status,
    );
  }
  return db;
}

it("come page by page, what failed before what waits before the rest, the newest first", () => {
  const db = withDocuments("indexed", "failed", "pending", "indexed", "failed", "pending", "indexed");
  const page = (number: number) => db.perform(pairDocuments(1, { size: 3, number })).map((one) => one["document_id"]);
  expect([0, 1, 2, 3].map(page)).toEqual([
    ["failed 4", "failed 1", "pending 5"],
    ["pending 2", "indexed 6", "indexed 3"],
    ["indexed 0"],
    [],
  ]);
});

it("of a page are read in the order of an index, so that the others are not", () => {
  const db = withDocuments();
  const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${PAIR_DOCUMENTS}`, 1, 100, 0);
  const reading = plan.map(({ detail }) => detail).filter((line) => line.includes(" documents"));
  const inOrder = "SEARCH documents USING COVERING INDEX documents_by_pair_and_state (pair_id=? AND status=?)";
  expect(reading).toEqual([inOrder, inOrder, inOrder, "SEARCH documents USING INTEGER PRIMARY KEY (rowid=?)"]);
});
