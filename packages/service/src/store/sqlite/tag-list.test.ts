import { afterThisTest } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { sqliteText, type SqlStep } from "../steps.ts";
import { listTags } from "../tags.ts";
import { Database } from "./database.ts";

/** Documents with their sources and what of the tag `team` they carry. */
function withTags(...documents: readonly (readonly [source: string, team: string])[]): Database {
  const db = new Database(":memory:");
  afterThisTest(() => db.close());
  for (const [at, [source, team]] of documents.entries()) {
    db.run(
      `INSERT INTO documents (number, pair_id, id, sequence, semantic_identifier, title, source, sections, metadata, updated_at, status)
       VALUES (?, 1, ?, ?, 'T', 'T', ?, '[]', '{}', 1, 'indexed')`,
      at + 1,
      `d${at}`,
      at + 1,
      source,
    );
    db.run("INSERT INTO tags (document, tag_key, tag_value) VALUES (?, 'team', ?)", at + 1, team);
  }
  return db;
}

it("has the first tags of each source, for whoever sees everything as for whoever sees the same", () => {
  const db = withTags(["web", "b"], ["file", "a"], ["web", "a"], ["file", "b"], ["web", "a"], ["file", "c"]);
  for (const pairs of [null, [1]]) {
    const list = (limit: number, prefix = "", sources: string[] = []) =>
      db.perform(listTags(pairs, { prefix, sources, limit })).map((tag) => `${tag.tag_value} ${tag.source}`);
    expect(list(3)).toEqual(["a file", "a web", "b file"]);
    expect(list(9)).toEqual(["a file", "a web", "b file", "b web", "c file"]);
    expect(list(2, "", ["web"])).toEqual(["a web", "b web"]);
    expect(list(1, "c")).toEqual(["c file"]);
    expect(list(9, "TEAM", ["imap"])).toEqual([]);
  }
});

it("asks the documents of the first tags alone for their sources, where all could be shown", () => {
  const db = withTags();
  const { sql, given } = listTags(null, { prefix: "", sources: [], limit: 100 }).next().value as SqlStep;
  const plan = db
    .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sqliteText(sql)}`, ...given)
    .map(({ detail }) => detail);
  const shown = plan.indexOf("SCAN shown");
  // In the order of the tags themselves, so that it ends with the last one that is shown.
  expect(plan.slice(0, shown)).toContain("SCAN tags");
  expect(plan.slice(0, shown).filter((line) => line.includes("TEMP B-TREE"))).toEqual([]);
  expect(plan.slice(shown + 1).filter((line) => /^(?:SCAN|SEARCH) (?:tags|documents)/.test(line))).toEqual([
    "SEARCH tags USING PRIMARY KEY (tag_key=? AND tag_value=?)",
    "SEARCH documents USING INTEGER PRIMARY KEY (rowid=?)",
  ]);
});
