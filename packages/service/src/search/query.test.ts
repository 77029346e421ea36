import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom, sharedFolder } from "@threadlore/testkit";
import type { IngestionDocument } from "@threadlore/client/models";
import { afterEach, describe, expect, it } from "vitest";
import type { Caller } from "../context.ts";
import { createLog } from "../log.ts";
import { addDocumentSet, addConnector, addCredential, addPair } from "../store/connectors.ts";
import { Database } from "../store/sqlite/database.ts";
import { deleteDocument, upsertDocument } from "../store/documents.ts";
import { indexOf } from "./hosting/index-host.ts";
import { startIndexer } from "./indexer.ts";
import { type Passage, type Search, search } from "./query.ts";
import { keepVectors, passagesWithoutVector } from "./vectors.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";

const everyone: Caller = { user: "reader", role: "ordinary", groups: [], documentSets: null };
const anonymous: Caller = { user: "anonymous", role: "anonymous", groups: [], documentSets: [] };

const opened: Database[] = [];
afterEach(() => {
  for (const db of opened.splice(0)) db.close();
});

function emptyDatabase(): Database {
  const db = new Database(":memory:");
  opened.push(db);
  return db;
}

type Draft = Partial<IngestionDocument> & { id: string; text?: string; pair?: number; at?: string };

async function databaseOf(drafts: readonly Draft[], db = emptyDatabase()): Promise<Database> {
  for (const { text, pair, at, ...draft } of drafts) {
    const sections = [{ text: text ?? "" }];
    const document = { semantic_identifier: draft.id, sections, source: "web", metadata: {}, ...draft };
    db.transact(upsertDocument(document, pair ?? 1, Date.parse(at ?? "2026-01-01")));
  }
  await startIndexer({ db, log: createLog("warn") }).drain();
  return db;
}

/** How many rows the index has in a table. */
function rowsOf(db: Database, table: "passages" | "vectors"): unknown {
  return indexOf(db).here.sqlite.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"];
}

async function passagesFor(db: Database, text: string, more: Partial<Search> = {}): Promise<readonly Passage[]> {
  return (await search({ db, store: new SqliteStore(db) }, { text, caller: everyone, limit: 10, ...more })).passages;
}

async function find(db: Database, text: string, more: Partial<Search> = {}): Promise<string[]> {
  return (await passagesFor(db, text, more)).map(({ documentId }) => documentId);
}

describe("search", () => {
  it("finds by any of the words, in any form, best first", async () => {
    const db = await databaseOf([
      { id: "leave", text: "Parents take sixteen weeks of parental leave." },
      { id: "lift", text: "The lifts are serviced weekly." },
      { id: "canteen", text: "Soup is served at noon." },
    ]);
    expect((await find(db, "How many weeks of leave do parents get?"))[0]).toBe("leave");
    expect(await find(db, "Who is servicing the lift?")).toEqual(["lift"]);
    expect(await find(db, "zebra")).toEqual([]);
    expect(await find(db, "")).toEqual([]);
    expect(await find(db, "?!")).toEqual([]);
  });

  it("drops function words while others remain, and finds titles by them when nothing else is asked", async () => {
    const db = await databaseOf([
      { id: "to", title: "What it is", text: "To do, and who is to do it." },
      { id: "lift", text: "Lift" },
    ]);
    expect(await find(db, "what is the lift")).toEqual(["lift"]);
    expect(await find(db, "what is it")).toEqual(["to"]);
  });

  it("weighs titles and headings more than text", async () => {
    const filler = "The desk answers on the first working day of the week and not before noon. ".repeat(3);
    const db = await databaseOf([
      { id: "text", text: `${filler} A badge opens it.` },
      { id: "heading", text: `# Badge\n${filler} It opens doors.` },
      { id: "title", title: "Badge", text: `${filler} It opens doors at night.` },
    ]);
    expect(await find(db, "badge")).toEqual(["title", "heading", "text"]);
  });

  it("searches by the title and shows the semantic identifier", async () => {
    const db = await databaseOf([
      { id: "x", title: "Holiday rules", semantic_identifier: "HR-17", text: "Ask first." },
    ]);
    const [passage] = await passagesFor(db, "holiday", { limit: 1 });
    expect(passage).toMatchObject({ title: "Holiday rules", semanticIdentifier: "HR-17", text: "Ask first." });
    expect(await find(db, "HR-17")).toEqual([]);
  });

  it("finds documents by their owners, metadata and the title alone", async () => {
    const ada = { first_name: "Ada", middle_initial: null, last_name: "Lovelace", email: "ada@example.com" };
    const db = await databaseOf([
      { id: "owned", text: "Notes", primary_owners: [ada], secondary_owners: [{ display_name: "Grace H." }] },
      { id: "tagged", text: "Other", metadata: { team: "Facilities", area: ["north", "south"] } },
      { id: "bare", semantic_identifier: "Evacuation plan", sections: [] },
    ]);
    expect(await find(db, "lovelace")).toEqual(["owned"]);
    expect(await find(db, "grace")).toEqual(["owned"]);
    expect(await find(db, "facilities")).toEqual(["tagged"]);
    expect(await find(db, "evacuate")).toEqual(["bare"]);
    const [passage] = await passagesFor(db, "lovelace", { limit: 1 });
    expect(passage).toMatchObject({ primaryOwners: ["Ada Lovelace"], secondaryOwners: ["Grace H."] });
  });

  it("gives each passage the link of its own section", async () => {
    const sections = [
      { text: "Ovens", link: "https://x.test/#a" },
      { text: "Fridges", link: "https://x.test/#b" },
    ];
    const db = await databaseOf([{ id: "kitchen", sections }]);
    expect(await passagesFor(db, "fridge", { limit: 5 })).toEqual([
      expect.objectContaining({ link: "https://x.test/#b", ordinal: 1 }),
    ]);
  });

  it("replaces what a document said before, and forgets deleted ones", async () => {
    const db = await databaseOf([{ id: "a", text: "zebra" }]);
    await databaseOf([{ id: "a", text: "giraffe" }], db);
    expect(await find(db, "zebra")).toEqual([]);
    expect(await find(db, "giraffe")).toEqual(["a"]);
    db.transact(deleteDocument("a"));
    expect(await find(db, "giraffe")).toEqual([]);
    await startIndexer({ db, log: createLog("warn") }).drain();
    expect(rowsOf(db, "passages")).toBe(0);
  });

  it("filters by source, tag and date, and reads an empty list as no restriction", async () => {
    const db = await databaseOf([
      { id: "old", text: "lift", source: "web", metadata: { team: "A" }, at: "2025-01-01T00:00:00Z" },
      { id: "new", text: "lift", source: "file", metadata: { team: ["B", "C"] }, at: "2026-06-01T00:00:00Z" },
    ]);
    const filtered = async (filters: Search["filters"]): Promise<string[]> =>
      (await find(db, "lift", { filters })).toSorted();
    expect(await filtered({ source_type: ["file"] })).toEqual(["new"]);
    expect(await filtered({ tags: [{ tag_key: "team", tag_value: "C" }] })).toEqual(["new"]);
    const either = [
      { tag_key: "team", tag_value: "A" },
      { tag_key: "team", tag_value: "B" },
    ];
    expect(await filtered({ tags: either })).toEqual(["new", "old"]);
    expect(await filtered({ tags: [{ tag_key: "A", tag_value: "team" }] })).toEqual([]);
    expect(await filtered({ time_cutoff: "2026-06-01" })).toEqual(["new"]);
    expect(await filtered({ time_cutoff: "2026-06-01T00:00:01" })).toEqual([]);
    const between = (start: string | null, end: string | null) => filtered({ updated_at_range: { start, end } });
    expect(await between("2026-06-01", null)).toEqual(["new"]);
    expect(await between(null, "2026-05-31T23:59:59Z")).toEqual(["old"]);
    expect(await between("2025-01-01", "2026-06-01")).toEqual(["new", "old"]);
    expect(await between("2026-06-02", "2025-01-01")).toEqual([]);
    expect(await filtered({ source_type: [], tags: [], document_set: [], time_cutoff: null })).toEqual(["new", "old"]);
    expect(await filtered({ source_type: ["file"], time_cutoff: "2027-01-01" })).toEqual([]);
  });

  it("shows a caller only what is theirs to see, whatever they filter by", async () => {
    const db = emptyDatabase();
    const connectorId = db.transact(addConnector({ name: "Wiki", source: "web" }));
    const credentialId = db.transact(addCredential({ name: "none", source: "web" }));
    const pair = (name: string, access: "public" | "private"): number =>
      db.transact(addPair({ name, connectorId, credentialId, access }));
    const open = pair("open", "public");
    const staff = pair("staff", "private");
    db.transact(addDocumentSet({ name: "Staff", pairIds: [staff] }));
    db.transact(addDocumentSet({ name: "Open", pairIds: [open] }));
    await databaseOf(
      [
        { id: "open", text: "lift", pair: open },
        { id: "staff", text: "lift", pair: staff },
        { id: "default", text: "lift" },
      ],
      db,
    );
    const seen = async (caller: Caller, document_set?: string[]): Promise<string[]> =>
      (await find(db, "lift", { caller, filters: { document_set } })).toSorted();
    const bound: Caller = { ...everyone, documentSets: ["Staff"] };
    expect(await seen(everyone)).toEqual(["default", "open", "staff"]);
    expect(await seen(everyone, ["Staff"])).toEqual(["staff"]);
    expect(await seen(anonymous)).toEqual(["open"]);
    expect(await seen(anonymous, ["Staff"])).toEqual([]);
    expect(await seen(bound)).toEqual(["staff"]);
    expect(await seen(bound, ["Open"])).toEqual([]);
    expect(await seen({ ...bound, documentSets: [] })).toEqual([]);
    expect(await seen(everyone, ["no such set"])).toEqual([]);
  });

  it("shows near-copies once, but not texts that differ in a figure", async () => {
    const page = "Please book the meeting room at the desk two days before you need it, and tell us who will come.";
    const db = await databaseOf([
      { id: "a", title: "Rooms", text: page },
      { id: "b", title: "Rooms", text: page.replace("Please book", "Book") },
      { id: "c", title: "Rooms", text: `${page} Floor 3` },
      { id: "d", title: "Rooms", text: `${page} Floor 4` },
    ]);
    const found = await find(db, "meeting room");
    expect(found).toHaveLength(3);
    expect(found).toEqual(expect.arrayContaining(["c", "d"]));
  });

  it("finds what names a subject otherwise, by the words that the best finds share", async () => {
    const drafts = [
      { id: "a", text: "Vacation: the annual furlough of a sabbatical must be planned by quarter." },
      { id: "b", text: "Vacation and furlough, also the sabbatical, are entered in the planner." },
      { id: "c", text: "A furlough or sabbatical ends with a talk." },
      ...Array.from({ length: 60 }, (_, index) => ({ id: `other${index}`, text: `Room ${index} has a projector.` })),
    ];
    const db = await databaseOf(drafts);
    expect((await find(db, "vacation")).toSorted()).toEqual(["a", "b", "c"]);
    expect((await find(db, "vacation", { feedbackUpTo: 10 })).toSorted()).toEqual(["a", "b"]);
    expect(await find(db, "vacation", { filters: { source_type: ["file"] } })).toEqual([]);
  });

  it("puts words that stand side by side before the same words apart", async () => {
    const db = await databaseOf([
      { id: "apart", text: "The desk of the office: help is not to be had here today." },
      { id: "together", text: "Here is not the office: today go to the help desk, to be had of the." },
    ]);
    expect(await find(db, "help desk")).toEqual(["together", "apart"]);
  });

  it("keeps a document's passages together, and gives others their turn after three", async () => {
    const paragraph = (index: number): string => `The lift ${"stops at many doors ".repeat(50)} number ${index}.`;
    const db = await databaseOf([
      { id: "long", title: "Lift", text: Array.from({ length: 6 }, (_, index) => paragraph(index)).join("\n\n") },
      { id: "short", text: `${"Stairs and ramps are open. ".repeat(40)} A lift, too.` },
    ]);
    expect(await find(db, "lift", { limit: 5 })).toEqual(["long", "long", "long", "short", "long"]);
    expect(await find(db, "lift", { limit: 2 })).toEqual(["long", "long"]);
  });

  it("lets older documents count less only when asked", async () => {
    const db = await databaseOf([
      { id: "old", title: "Lift", text: "Lift rules", at: "2020-01-01" },
      { id: "new", text: "Rules of the house and its lift, which everybody should know", at: "2026-01-01" },
    ]);
    expect(await find(db, "lift")).toEqual(["old", "new"]);
    const decay = { now: Date.parse("2026-01-02"), halfLifeMs: 90 * 86_400_000 };
    expect(await find(db, "lift", { decay })).toEqual(["new", "old"]);
  });

  it("ends a search that takes longer than its budget, with a reason", async () => {
    const db = await databaseOf(
      Array.from({ length: 200 }, (_, index) => ({ id: `d${index}`, text: `lift ${index}` })),
    );
    await expect(find(db, "lift", { budgetMs: -1 })).rejects.toThrow("The search took too long");
    expect(await find(db, "lift")).toHaveLength(10);
  });

  it("takes as long as whoever works with it has patience, and a question its own", async () => {
    const db = await databaseOf([{ id: "a", text: "lift" }]);
    const asked = { text: "lift", caller: everyone, limit: 1 };
    const impatient = { db, store: new SqliteStore(db), patienceMs: -1 };
    await expect(search(impatient, asked)).rejects.toThrow("The search took too long");
    expect((await search(impatient, { ...asked, budgetMs: 10_000 })).passages).toHaveLength(1);
    expect((await search({ ...impatient, patienceMs: 10_000 }, asked)).passages).toHaveLength(1);
  });

  it("T29 takes any text for words, never for operators, and at most 64 of them", async () => {
    const db = await databaseOf([{ id: "a", text: "lift NEAR title" }]);
    for (const text of [
      '"',
      "lift AND",
      "NEAR(a b)",
      "title:lift",
      "-lift",
      "lift*",
      "a OR",
      "^lift",
      "(lift",
      "\0lift",
      "lift\ud800",
    ]) {
      await expect(find(db, text)).resolves.toBeInstanceOf(Array);
    }
    expect(await find(db, Array.from({ length: 100_000 }, (_, index) => `word${index}`).join(" "))).toEqual([]);
    const random = seededRandom(7);
    for (let round = 0; round < 1_000; round++) {
      const length = Math.floor(random() * 12);
      await find(
        db,
        String.fromCharCode(...Array.from({ length }, () => Math.floor(random() * (round % 2 ? 128 : 65_536)))),
      );
    }
  });

  const vectors = sharedFolder("vectors/blns.json");
  it.runIf(vectors)("T29 survives every naughty string, asked and ingested", async () => {
    const strings = JSON.parse(readFileSync(join(vectors ?? ""), "utf8")) as string[];
    const db = await databaseOf(strings.map((text, index) => ({ id: `n${index}`, semantic_identifier: text, text })));
    for (const text of strings) await expect(find(db, text)).resolves.toBeInstanceOf(Array);
    expect(db.get("SELECT count(*) AS n FROM documents WHERE status = 'pending'")?.["n"]).toBe(0);
  });
});

describe("search by meaning", () => {
  const model = "meanings";
  const vector = (...values: number[]): Float32Array => Float32Array.from(values);

  async function withVectors(): Promise<Database> {
    const db = await databaseOf([
      { id: "vacations", text: "Thirty days of vacation.", source: "web" },
      { id: "canteen", text: "Soup at noon.", source: "file" },
    ]);
    const vectors = passagesWithoutVector(db, model, 10).map(
      (passage) => [passage, passage.text.includes("vacation") ? vector(1, 0) : vector(0, 1)] as const,
    );
    await keepVectors(db, model, vectors);
    return db;
  }

  it("finds what no word of the question names, within what may be seen", async () => {
    const db = await withVectors();
    const meaning = { model, vector: vector(0.8, -0.6) };
    expect(await find(db, "holidays")).toEqual([]);
    expect(await find(db, "holidays", { meaning })).toEqual(["vacations"]);
    expect(await find(db, "holidays", { meaning, filters: { source_type: ["file"] } })).toEqual([]);
    expect(await find(db, "holidays", { meaning, caller: anonymous })).toEqual([]);
  });

  it("is fused with what the words find", async () => {
    const db = await withVectors();
    expect((await find(db, "soup", { meaning: { model, vector: vector(0.9, 0.1) } })).toSorted()).toEqual([
      "canteen",
      "vacations",
    ]);
  });

  it("compares nothing of another model, and keeps no vector of a passage that is gone", async () => {
    const db = await withVectors();
    expect(await find(db, "holidays", { meaning: { model: "other", vector: vector(1, 0) } })).toEqual([]);
    expect(await find(db, "holidays", { meaning: { model, vector: vector(1, 0, 0) } })).toEqual([]);
    const [gone] = passagesWithoutVector(db, "other", 1);
    db.transact(deleteDocument("vacations"));
    await startIndexer({ db, log: createLog("warn") }).drain();
    if (gone !== undefined) await keepVectors(db, model, [[gone, vector(1, 0)]]);
    expect(rowsOf(db, "vectors")).toBe(1);
  });
});
