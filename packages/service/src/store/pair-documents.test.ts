import { afterThisTest } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { PAIR_DOCUMENTS, pairDocuments } from "./connectors.ts";
import { listDocuments } from "./documents.ts";
import { Database } from "./sqlite/database.ts";
import { sqliteText, type SqlStep } from "./steps.ts";

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

it("of a list that holds some pairs are told by an index, and the page alone is read", () => {
  const db = withDocuments("indexed", "failed", "pending");
  const plansOf = (part: Parameters<typeof listDocuments>[1]): string[] => {
    const steps = listDocuments([1, 2], part);
    const counting = steps.next().value as SqlStep;
    const listing = steps.next({ rows: [{ count: 3 }], changes: 0 }).value as SqlStep;
    return [counting, listing].map(({ sql, given }) =>
      db
        .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sqliteText(sql)}`, ...given)
        .flatMap(({ detail }) => (detail.includes(" documents") ? [detail] : []))
        .join(", "),
    );
  };
  const ofPairs = /^SEARCH documents USING COVERING INDEX documents_by_pair/;
  const all = plansOf({ most: 500 });
  expect(all).toEqual([expect.stringMatching(ofPairs), expect.stringMatching(ofPairs)]);
  expect(all[1]).toMatch(/, SEARCH documents USING INTEGER PRIMARY KEY \(rowid=\?\)$/);
  for (const plan of plansOf({ id: "failed 1" })) expect(plan).toMatch(/INDEX \w+ \(id=\? AND pair_id=\?\)/);
  const listed = db.perform(listDocuments([1], { most: 2, oldest: 2 }));
  expect(listed.map(({ document_id: id, older }) => [id, older])).toEqual([
    ["failed 1", 1],
    ["indexed 0", 0],
  ]);
});
