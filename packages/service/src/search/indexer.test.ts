import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLog } from "../log.ts";
import { Database } from "../store/sqlite/database.ts";
import { findDocument, temporaryFolder, type WholeDocument } from "../service.harness.ts";
import { deleteDocument, upsertDocument } from "../store/documents.ts";
import { addFile } from "../store/files.ts";
import { passagesOf } from "./cutting.ts";
import { indexOf } from "./hosting/index-host.ts";
import { startIndexer } from "./indexer.ts";
import { search } from "./query.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";

const log = createLog("silent");
const document = (id: string, text: string) => ({
  id,
  semantic_identifier: id,
  sections: [{ text }],
  source: "web",
  metadata: {},
});

/** A row of the index. */
function row(db: Database, sql: string): Record<string, unknown> | undefined {
  return indexOf(db).here.sqlite.prepare(sql).get();
}

function passagesIn(db: Database): number {
  return Number(row(db, "SELECT count(*) AS n FROM passages")?.["n"]);
}

describe("the indexer", () => {
  it("indexes what an earlier run left in the queue", async () => {
    const db = new Database(":memory:");
    for (let index = 0; index < 120; index++) db.transact(upsertDocument(document(`d${index}`, "text"), 1, 0));
    expect(findDocument(db, "d7")?.status).toBe("pending");
    await startIndexer({ db, log }).drain();
    expect(findDocument(db, "d7")?.status).toBe("indexed");
    expect(db.get("SELECT count(*) AS n FROM queue")?.["n"]).toBe(0);
    db.close();
  });

  it("has documents in the order of their last write, also of those written while others are indexed", async () => {
    const folder = temporaryFolder();
    const db = new Database(join(folder.path, "order.db"));
    const write = (index: number): boolean =>
      db.transact(upsertDocument(document(`d${index}`, "The pump runs."), 1, 0));
    db.transaction(() => Array.from({ length: 3_000 }, (_, index) => write(index)));
    const indexer = startIndexer({ db, log });
    for (const index of [1_500, 2_500, 40]) {
      await new Promise((resolve) => void setTimeout(resolve, 120));
      write(index);
      indexer.wake();
    }
    await indexer.drain();
    const inIndex = indexOf(db).here.sqlite.prepare("SELECT document FROM passages ORDER BY id").all();
    const written = db.values<number>("SELECT number FROM documents ORDER BY sequence");
    expect(inIndex.map((one) => one["document"])).toEqual(written);
    await indexer.stop();
    db.close();
    folder.remove();
  });

  it("gives other work a turn between batches", async () => {
    const db = new Database(":memory:");
    for (let index = 0; index < 200; index++)
      db.transact(upsertDocument(document(`d${index}`, "some words ".repeat(400)), 1, 0));
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await startIndexer({ db, log }, { batchMs: 5 }).drain();
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
    db.close();
  });

  it("indexes a long document in slices, and begins anew when it is replaced or deleted between them", async () => {
    const db = new Database(":memory:");
    const paragraphs = (word: string): string => `${word.repeat(30)}.\n\n`.repeat(120).slice(0, 60_000);
    db.transact(upsertDocument(document("long", paragraphs("before ")), 1, 0));
    const indexer = startIndexer({ db, log }, { slice: 4 });
    const passages = (): number => passagesIn(db);
    await expect.poll(passages, { interval: 0 }).toBeGreaterThan(4);
    db.transact(upsertDocument(document("long", paragraphs("after ")), 1, 0));
    indexer.wake();
    await indexer.drain();
    expect(findDocument(db, "long")?.status).toBe("indexed");
    const rows = indexOf(db).here.sqlite.prepare("SELECT ordinal, text FROM passages ORDER BY id").all();
    expect(rows.map(({ ordinal }) => ordinal)).toEqual(rows.map((_, index) => index));
    expect(rows.every(({ text }) => String(text).startsWith("after"))).toBe(true);
    db.transact(upsertDocument(document("long", paragraphs("again ")), 1, 0));
    indexer.wake();
    await expect.poll(() => String(row(db, "SELECT text FROM passages")?.["text"]), { interval: 0 }).toContain("again");
    db.transact(deleteDocument("long"));
    await indexer.drain();
    expect(passages()).toBe(0);
    db.close();
  });

  it("lets others go first before each slice of a long document", async () => {
    const db = new Database(":memory:");
    db.transact(upsertDocument(document("long", `${"word ".repeat(30)}.\n\n`.repeat(120)), 1, 0));
    let breaths = 0;
    await startIndexer({ db, log }, { slice: 4, quiet: () => Promise.resolve(void breaths++) }).drain();
    const passages = passagesIn(db);
    expect(passages).toBeGreaterThan(12);
    expect(breaths).toBeGreaterThan(passages / 5);
    db.close();
  });

  it("takes a long document out some passages at a time, others first, and leaves what is written anew meanwhile", async () => {
    const db = new Database(":memory:");
    const left: number[] = [];
    const quiet = (): Promise<void> => Promise.resolve(void left.push(passagesIn(db)));
    const indexer = startIndexer({ db, log }, { quiet });
    const write = (word: string): void => {
      db.transact(upsertDocument(document("long", `${`${word} `.repeat(200)}.\n\n`.repeat(1_600)), 1, 0));
    };
    write("former");
    await indexer.drain();
    expect(passagesIn(db)).toBeGreaterThan(3_000);
    const reader = { user: "reader", role: "admin", groups: [], documentSets: null } as const;
    const found = async (word: string): Promise<number> =>
      (await search({ db, store: new SqliteStore(db) }, { text: word, caller: reader, limit: 5 })).passages.length;
    expect(await found("former")).toBeGreaterThan(0);

    left.length = 0;
    expect(db.transact(deleteDocument("long"))).toBe(true);
    expect([findDocument(db, "long"), db.transact(deleteDocument("long")), await found("former")]).toEqual([
      undefined,
      false,
      0,
    ]);
    indexer.wake();
    await expect.poll(() => left.length, { interval: 0 }).toBeGreaterThan(2);
    write("anew");
    await indexer.drain();
    expect(left.map((many, at) => (left[at - 1] ?? many) - many).every((gone) => gone <= 1_000)).toBe(true);
    expect(findDocument(db, "long")?.status).toBe("indexed");
    expect(row(db, "SELECT count(*) AS n FROM passages WHERE text NOT LIKE 'anew %'")).toEqual({ n: 0 });
    expect(await found("anew")).toBeGreaterThan(0);
    await indexer.stop();
    db.close();
  });

  it("goes on with what broke off: a document that was deleted while nobody indexed", async () => {
    const db = new Database(":memory:");
    db.transact(upsertDocument(document("a", "text"), 1, 0));
    await startIndexer({ db, log }).drain();
    db.transact(deleteDocument("a"));
    expect(passagesIn(db)).toBe(1);
    await startIndexer({ db, log }).drain();
    expect(passagesIn(db)).toBe(0);
    db.close();
  });

  it("stops after the batch it is at, and leaves the rest in the queue", async () => {
    const db = new Database(":memory:");
    for (let index = 0; index < 200; index++) db.transact(upsertDocument(document(`d${index}`, "text"), 1, 0));
    const indexer = startIndexer({ db, log });
    await indexer.stop();
    indexer.wake();
    await indexer.drain();
    expect(Number(db.get("SELECT count(*) AS n FROM queue")?.["n"])).toBeGreaterThan(0);
    db.close();
  });

  it("gives a document up after three failed attempts, says why, and goes on with the others", async () => {
    const db = new Database(":memory:");
    db.transact(upsertDocument(document("broken", "text"), 1, 0));
    db.transact(upsertDocument(document("sound", "text"), 1, 0));
    db.run("UPDATE documents SET sections = '[null]' WHERE id = 'broken'");
    await startIndexer({ db, log }).drain();
    expect(findDocument(db, "broken")).toMatchObject({
      status: "failed",
      failure: expect.stringContaining("could not be indexed"),
    });
    expect(findDocument(db, "sound")?.status).toBe("indexed");
    db.transact(upsertDocument(document("broken", "mended"), 1, 0));
    await startIndexer({ db, log }).drain();
    expect(findDocument(db, "broken")).toMatchObject({ status: "indexed", failure: null });
    db.close();
  });

  it("tries again by itself once the database can be written", async () => {
    const db = new Database(":memory:");
    db.transact(upsertDocument(document("a", "text"), 1, 0));
    db.sqlite.exec("PRAGMA query_only = ON");
    const indexer = startIndexer({ db, log }, { retryAfterMs: 20 });
    await indexer.drain();
    expect(findDocument(db, "a")?.status).toBe("pending");
    db.sqlite.exec("PRAGMA query_only = OFF");
    await expect.poll(() => findDocument(db, "a")?.status).toBe("indexed");
    await indexer.stop();
    db.close();
  });

  it("T27 what every passage repeats is kept short, so that one document cannot fill the disk", async () => {
    const db = new Database(":memory:");
    const long = "h".repeat(100_000);
    const text = `# ${long}\n## ${long}\n${"Some words. ".repeat(20_000)}`;
    const metadata = { note: long };
    const sections = [{ text, link: `https://x.test/${long}` }];
    db.transact(upsertDocument({ ...document("big", ""), semantic_identifier: long, metadata, sections }, 1, 0));
    await startIndexer({ db, log }).drain();
    const size = row(
      db,
      "SELECT max(length(title)) AS title, max(length(heading)) AS heading, max(length(about)) AS about, max(length(link)) AS link FROM passages JOIN documents ON number = document",
    );
    expect(size).toEqual({ title: 300, heading: 0, about: 2_000, link: null });
    expect(row(db, "SELECT sum(length(text)) AS n FROM passages")?.["n"]).toBeGreaterThan(400_000);
    db.close();
  });

  it("finds an image by the name of its file", () => {
    const db = new Database(":memory:");
    const file = {
      name: "floor-plan.png",
      mediaType: "image/png",
      chatFileType: "image",
      size: 1,
      text: null,
      gap: null,
      createdAt: 0,
    };
    db.transact(addFile("owner", { id: "f1", ...file }, new Uint8Array(1)));
    const sections = [
      { text: "", image_file_id: "f1", link: "https://x.test/" },
      { text: "With text", image_file_id: "f1" },
    ];
    db.transact(upsertDocument({ ...document("plan", ""), sections }, 1, 0));
    const stored = findDocument(db, "plan") as WholeDocument;
    const passages = passagesOf(stored, (id) => (id === "f1" ? "floor-plan.png" : undefined));
    expect([...passages]).toEqual([
      { heading: "", text: "floor-plan.png", about: "floor-plan.png", link: "https://x.test/" },
      { heading: "", text: "With text", about: "", link: null },
    ]);
    db.close();
  });
});
