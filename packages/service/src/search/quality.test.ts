import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { mean, ndcg10, sharedFolder } from "@threadlore/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "../context.ts";
import { createLog } from "../log.ts";
import { Database } from "../store/sqlite/database.ts";
import { upsertDocument } from "../store/documents.ts";
import { startIndexer } from "./indexer.ts";
import { search } from "./query.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";

/** Anyone who sees everything. */
const reader: Caller = { user: "reader", role: "ordinary", groups: [], documentSets: null };

interface Collection {
  readonly documents: readonly { id: string; title: string; text: string }[];
  readonly questions: readonly string[];
  /** Per question, the ids of the documents that answer it. */
  readonly relevant: readonly ReadonlySet<string>[];
}

function readCollection(folder: string): Collection {
  const xml = execFileSync("xz", ["-dc", join(folder, "cran.all.1400.xml.xz")], { maxBuffer: 1 << 26 }).toString();
  const field = (record: string, name: string): string =>
    new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(record)?.[1]?.trim() ?? "";
  const documents = xml
    .split("<doc>")
    .slice(1)
    .map((record) => {
      const title = field(record, "title");
      const text = field(record, "text");
      // The text of each abstract begins with its title once more.
      return { id: field(record, "docno"), title, text: text.startsWith(title) ? text.slice(title.length) : text };
    });
  const questions = readFileSync(join(folder, "cran.qry.xml"), "utf8")
    .split("<top>")
    .slice(1)
    .map((record) => field(record, "title").replace(/\s+/g, " "));
  const relevant = questions.map(() => new Set<string>());
  for (const line of readFileSync(join(folder, "cranqrel.trec.txt"), "utf8").trim().split("\n")) {
    const [question, , document, judgment] = line.trim().split(/\s+/);
    if (Number(judgment) > 0) relevant[Number(question) - 1]?.add(document ?? "");
  }
  return { documents, questions, relevant };
}

const folder = sharedFolder("retrieval");

describe.runIf(folder)("search quality on 1,400 abstracts and 225 questions", () => {
  const scores: { ndcg: number; recall10: number; recall100: number }[] = [];

  beforeAll(async () => {
    const { documents, questions, relevant } = readCollection(folder ?? "");
    const db = new Database(":memory:");
    for (const { id, title, text } of documents) {
      const document = { id, semantic_identifier: title, sections: [{ text }], source: "file", metadata: {} };
      db.transact(upsertDocument(document, 1, 0));
    }
    await startIndexer({ db, log: createLog("warn") }).drain();
    for (const [index, text] of questions.entries()) {
      const { passages } = await search({ db, store: new SqliteStore(db) }, { text, caller: reader, limit: 200 });
      const found = [...new Set(passages.map(({ documentId }) => documentId))];
      const answers = relevant[index] ?? new Set();
      const recall = (depth: number): number =>
        found.slice(0, depth).filter((id) => answers.has(id)).length / answers.size;
      scores.push({ ndcg: ndcg10(found, answers), recall10: recall(10), recall100: recall(100) });
    }
    db.close();
  }, 60_000);

  it("finds what answers the questions: nDCG@10 of at least .41, with a third of the questions kept back", () => {
    const keptBack = scores.filter((_, index) => index % 3 === 2);
    const tuned = scores.filter((_, index) => index % 3 !== 2);
    const figures = {
      ndcg10: mean(scores.map(({ ndcg }) => ndcg)),
      recall10: mean(scores.map(({ recall10 }) => recall10)),
      recall100: mean(scores.map(({ recall100 }) => recall100)),
      ndcg10Tuned: mean(tuned.map(({ ndcg }) => ndcg)),
      ndcg10KeptBack: mean(keptBack.map(({ ndcg }) => ndcg)),
      recall100Tuned: mean(tuned.map(({ recall100 }) => recall100)),
      recall100KeptBack: mean(keptBack.map(({ recall100 }) => recall100)),
    };
    console.log(
      Object.entries(figures)
        .map(([name, value]) => `${name} ${value.toFixed(3)}`)
        .join("  "),
    );
    expect(figures.ndcg10).toBeGreaterThan(0.41);
    expect(figures.recall100).toBeGreaterThan(0.76);
  });
});
