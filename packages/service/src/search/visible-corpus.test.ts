import { seededRandom } from "@threadlore/testkit";
import { afterEach, describe, expect, it } from "vitest";
import type { Caller } from "../context.ts";
import { createLog } from "../log.ts";
import { addDocumentSet } from "../store/connectors.ts";
import { Database } from "../store/sqlite/database.ts";
import { deleteDocument, upsertDocument } from "../store/documents.ts";
import { startIndexer } from "./indexer.ts";
import { holdings, type Search, search } from "./query.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";

const everyone: Caller = { user: "all", role: "ordinary", groups: [], documentSets: null };
const limited: Caller = { user: "some", role: "ordinary", groups: [], documentSets: ["Seen"] };

const opened: Database[] = [];
afterEach(() => {
  for (const db of opened.splice(0)) db.close();
});

interface Draft {
  readonly pair: number;
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

async function databaseOf(drafts: readonly Draft[]): Promise<Database> {
  const db = new Database(":memory:");
  opened.push(db);
  db.run("INSERT INTO pairs VALUES (2, 'Seen', 1, 1, 'private'), (3, 'Hidden', 1, 1, 'private')");
  db.transact(addDocumentSet({ name: "Seen", pairIds: [2] }));
  for (const { pair, id, title, text } of drafts) {
    const metadata = { team: title };
    db.transact(
      upsertDocument(
        { id, semantic_identifier: title, sections: [{ text }], source: "web", metadata },
        pair,
        Date.UTC(2026),
      ),
    );
  }
  await startIndexer({ db, log: createLog("warn") }).drain();
  return db;
}

const WORDS = "lift lifts desk café naïve Straße policy policies roof 東京 garden kitchen window holiday".split(" ");

function draftsOf(seed: number): Draft[] {
  const random = seededRandom(seed);
  const some = (least: number, most: number): string =>
    Array.from({ length: least + Math.floor(random() * (most - least)) }, () => {
      // A few words are common, the others rare.
      return WORDS[Math.floor(random() ** 2 * WORDS.length)];
    }).join(" ");
  return Array.from({ length: 10 + Math.floor(random() * 40) }, (_, index) => ({
    pair: random() < 0.4 ? 2 : 3,
    id: `d${index}`,
    title: some(1, 4),
    text: random() < 0.1 ? `${some(200, 400)}.` : `${some(3, 30)}.`,
  }));
}

async function found(
  db: Database,
  caller: Caller,
  text: string,
  more: Partial<Search> = {},
): Promise<[string, number][]> {
  const { passages } = await search({ db, store: new SqliteStore(db) }, { text, caller, limit: 500, ...more });
  return passages
    .map(({ documentId, ordinal, score }): [string, number] => [`${documentId} ${ordinal}`, score])
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

async function corpus(db: Database): Promise<number> {
  return (await holdings({ db, store: new SqliteStore(db) }, [], limited)).corpus;
}

describe("what a limited caller is answered from", () => {
  it("is ranked and counted as an index that holds nothing else would", async () => {
    let compared = 0;
    for (let seed = 0; seed < 30; seed++) {
      const drafts = draftsOf(seed);
      const all = await databaseOf(drafts);
      const seen = await databaseOf(drafts.filter(({ pair }) => pair === 2));
      expect(await holdings({ db: all, store: new SqliteStore(all) }, WORDS, limited)).toEqual(
        await holdings({ db: seen, store: new SqliteStore(seen) }, WORDS, everyone),
      );
      for (const text of ["the lift policy", "café desk roof", "東京 garden", "Straße naïve window lift", "holiday"]) {
        for (const more of [{}, { feedbackUpTo: 0 }] as Partial<Search>[]) {
          const own = await found(all, limited, text, more);
          const alone = await found(seen, everyone, text, more);
          expect(own.map(([id]) => id)).toEqual(alone.map(([id]) => id));
          compared += own.length;
          // Ranks are fused; of two passages that are equally good either may come first.
          if (more.feedbackUpTo === undefined) continue;
          for (const [index, [, score]] of own.entries()) expect(score).toBeCloseTo(alone[index]?.[1] ?? 0, 9);
        }
      }
    }
    expect(compared).toBeGreaterThan(1_000);
  });

  it("does not change with what is hidden: the same hits, the same scores, to the last bit", async () => {
    const drafts = draftsOf(99);
    const db = await databaseOf(drafts.filter(({ pair }) => pair === 2));
    const before = await found(db, limited, "lift policy roof", { feedbackUpTo: 0 });
    for (const { id, title, text } of drafts) {
      db.transact(
        upsertDocument(
          { id, semantic_identifier: title, sections: [{ text: `${text} zebra` }], source: "web", metadata: {} },
          3,
          0,
        ),
      );
    }
    await startIndexer({ db, log: createLog("warn") }).drain();
    expect(await found(db, limited, "lift policy roof", { feedbackUpTo: 0 })).toEqual(before);
    expect(await found(db, limited, "zebra")).toEqual([]);
    expect(await holdings({ db, store: new SqliteStore(db) }, ["zebra"], limited)).toMatchObject({
      holding: [0],
      corrected: [undefined],
    });
  });

  it("follows every write, also where it is asked again and again", async () => {
    const db = await databaseOf([{ pair: 2, id: "a", title: "Lift", text: "The lift stops." }]);
    expect(await corpus(db)).toBe(1);
    db.transact(
      upsertDocument(
        { id: "b", semantic_identifier: "Desk", sections: [{ text: "A lift goes on." }], source: "web", metadata: {} },
        2,
        0,
      ),
    );
    await startIndexer({ db, log: createLog("warn") }).drain();
    expect(await corpus(db)).toBe(2);
    expect((await found(db, limited, "lift")).map(([id]) => id)).toEqual(["a 0", "b 0"]);
    db.transact(deleteDocument("a", 2));
    expect((await found(db, limited, "lift")).map(([id]) => id)).toEqual(["b 0"]);
  });

  it("is narrowed by the filters of a question", async () => {
    const db = await databaseOf([
      { pair: 2, id: "a", title: "North", text: "The lift stops." },
      { pair: 2, id: "b", title: "South", text: "The lift goes on." },
      { pair: 3, id: "c", title: "South", text: "The lift is hidden." },
    ]);
    const ids = async (filters: Search["filters"]): Promise<string[]> =>
      (await found(db, limited, "lift", { filters })).map(([id]) => id);
    expect(await ids({ tags: [{ tag_key: "team", tag_value: "South" }] })).toEqual(["b 0"]);
    expect(await ids({ source_type: ["file"] })).toEqual([]);
    expect(await ids({ document_set: ["Seen"] })).toEqual(["a 0", "b 0"]);
    expect(await ids({ document_set: ["Other"] })).toEqual([]);
    expect(await ids({ time_cutoff: "2027-01-01T00:00:00Z" })).toEqual([]);
  });
});
