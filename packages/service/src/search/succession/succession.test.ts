import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Caller } from "../../context.ts";
import { createLog } from "../../log.ts";
import { temporaryFolder } from "../../service.harness.ts";
import { deleteDocument, listDocuments, upsertDocument } from "../../store/documents.ts";
import { Database } from "../../store/sqlite/database.ts";
import { endThreads, formersOf, indexOf } from "../hosting/index-host.ts";
import { startIndexer } from "../indexer.ts";
import { holdings, search } from "../query.ts";
import { keepVectors, passagesWithoutVector } from "../vectors.ts";
import {
  FORMER_MODEL,
  formerTablesIn,
  spoilRules,
  vectorOfText,
  writeFormerDatabase,
  writeLargeFormerDatabase,
} from "./former-database.harness.ts";
import { awaitsVectors, percentDone, startSuccession } from "./succession.ts";
import { SqliteStore } from "../../store/sqlite/sqlite-store.ts";

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const everyone: Caller = { user: "reader", role: "ordinary", groups: [], documentSets: null };
const anonymous: Caller = { user: "anonymous", role: "anonymous", groups: [], documentSets: [] };
const log = createLog("silent");

function newPath(): string {
  const folder = temporaryFolder();
  cleanups.push(folder.remove);
  return join(folder.path, "a.db");
}

function open(path: string) {
  const db = new Database(path);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await endThreads(db);
    db.close();
  };
  cleanups.push(close);
  const find = async (text: string, caller = everyone): Promise<string[]> =>
    (await search({ db, store: new SqliteStore(db) }, { text, caller, limit: 5, budgetMs: 60_000 })).passages.map(
      ({ documentId }) => documentId,
    );
  const build = (): Promise<void> => startIndexer({ db, log }).drain();
  const succeed = (): Promise<void> => startSuccession({ db, log }).drain();
  const write = (id: string, text: string): void => {
    db.transact(
      upsertDocument({ id, semantic_identifier: id, sections: [{ text }], source: "web", metadata: {} }, 1, 0),
    );
  };
  const statuses = (): string[] => [...new Set(db.perform(listDocuments(null)).map(({ status }) => status))];
  return { db, close, find, build, succeed, write, statuses };
}

const FORMER = (path: string): string => `${path}.search-former.sqlite`;

describe("a database of the version that kept its index among its own tables", () => {
  it("answers at once from there, and better when the new index is whole", async () => {
    const path = newPath();
    writeFormerDatabase(path);
    const { db, find, build, succeed, statuses } = open(path);
    expect([await find("How long is vacation?"), await find("v33"), await find("soup")]).toEqual([
      ["vacations"],
      ["long"],
      ["canteen"],
    ]);
    // Nobody waits for anything: it is found.
    expect([statuses(), indexOf(db).isWhole, percentDone(db)]).toEqual([["indexed"], false, 0]);
    expect([await find("elevator", anonymous), await find("vacation", anonymous)]).toEqual([["lifts"], []]);
    expect(await holdings({ db, store: new SqliteStore(db) }, ["the", "soup", "elevator"], anonymous)).toMatchObject({
      corpus: 1,
      holding: [0, 0, 1],
    });
    // What nobody wrote is taken for what it is nearest to, which that version could not.
    expect(await find("vacatoin")).toEqual([]);
    await build();
    expect([indexOf(db).isWhole, percentDone(db), await find("vacatoin")]).toEqual([true, 100, ["vacations"]]);
    await succeed();
    expect([formersOf(db), formerTablesIn(path), await find("v33")]).toEqual([[], [], ["long"]]);
    expect(db.get("PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
    expect(db.all("PRAGMA foreign_key_check")).toEqual([]);
  });

  it("filters what it finds there by source, tag, set and time", async () => {
    const path = newPath();
    writeFormerDatabase(path);
    const { db } = open(path);
    db.run("INSERT INTO document_sets VALUES (7, 'Site', ''); ");
    db.run("INSERT INTO document_set_pairs VALUES (7, 2)");
    const found = async (filters: object) =>
      (
        await search(
          { db, store: new SqliteStore(db) },
          { text: "soup elevator vacation", caller: everyone, limit: 5, filters },
        )
      ).passages
        .map(({ documentId }) => documentId)
        .toSorted();
    expect(await found({})).toEqual(["canteen", "lifts", "vacations"]);
    expect(await found({ tags: [{ tag_key: "team", tag_value: "kitchen" }] })).toEqual(["canteen"]);
    expect(await found({ document_set: ["Site"] })).toEqual(["lifts"]);
    expect(await found({ source_type: ["file"] })).toEqual([]);
    expect(await found({ time_cutoff: "2100-01-01T00:00:00Z" })).toEqual([]);
  });

  it("shows nothing more of what was deleted, and what is written meanwhile when the index is whole", async () => {
    const path = newPath();
    writeFormerDatabase(path);
    const { db, find, build, succeed, write, close } = open(path);
    expect(db.transact(deleteDocument("canteen"))).toBe(true);
    write("vacations", "Everybody takes a hundred days off.");
    write("new", "The roof is green.");
    expect([await find("soup"), await find("vacation")]).toEqual([[], ["vacations"]]);
    await build();
    expect([await find("roof"), await find("hundred"), await find("thirty")]).toEqual([["new"], ["vacations"], []]);
    await succeed();
    await close();
    const again = open(path);
    expect([await again.find("roof"), again.statuses()]).toEqual([["new"], ["indexed"]]);
  });

  it("gives its vectors to the new index, and only what has another text is asked for", async () => {
    const path = newPath();
    writeFormerDatabase(path);
    const { db, build, succeed, write } = open(path);
    write("canteen", "Soup is served at one.");
    expect(awaitsVectors(db)).toBe(true);
    await build();
    expect(awaitsVectors(db)).toBe(true);
    await succeed();
    expect(awaitsVectors(db)).toBe(false);
    expect(passagesWithoutVector(db, FORMER_MODEL, 99).map(({ text }) => text)).toEqual(["Soup is served at one."]);
  });

  it("is left in slices, each short, between which others write", async () => {
    const path = newPath();
    const text = (at: number): string => `The valve v${at} opens. ${`w${at % 700} `.repeat(90)}`;
    const documents = Array.from({ length: 1_200 }, (_, at) => ({ id: `d${at}`, title: "Valve", texts: [text(at)] }));
    writeLargeFormerDatabase(path, documents);
    const { db, build, find } = open(path);
    expect(await find("v934")).toEqual(["d934"]);
    await build();
    let steps = 0;
    let longest = 0;
    const ownMs = (): number => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1_000;
    };
    let since = ownMs();
    const quiet = async (): Promise<void> => {
      longest = Math.max(longest, ownMs() - since);
      steps++;
      await new Promise((resolve) => void setImmediate(resolve));
      db.run("INSERT INTO origins VALUES (?, 1) ON CONFLICT DO UPDATE SET messages = messages + 1", `o${steps}`);
      since = ownMs();
    };
    await startSuccession({ db, log }, { quiet }).drain();
    expect(formerTablesIn(path)).toEqual([]);
    expect(steps).toBeGreaterThan(10);
    // Each is to take 15 ms of this thread's own time; what the machine is at meanwhile does not count.
    expect(longest).toBeLessThan(500);
    const { here } = indexOf(db);
    const [first] = here.sqlite
      .prepare("SELECT text, vector FROM passages JOIN vectors ON passage = id WHERE text LIKE '%v77 %'")
      .all();
    expect(first?.["text"]).toBe(text(77).trim());
    expect(new Float32Array(Uint8Array.from(first?.["vector"] as Uint8Array).buffer)).toEqual(
      vectorOfText(text(77).trim()),
    );
  });
});

describe("an index of former rules", () => {
  async function indexed(path: string) {
    const first = open(path);
    first.write("a", "The lift stops.");
    first.write("b", "The roof leaks.");
    await first.build();
    await keepVectors(
      first.db,
      "m",
      passagesWithoutVector(first.db, "m", 9).map((one) => [one, new Float32Array([0.6, 0.8])] as const),
    );
    await first.close();
    spoilRules(path);
  }

  it("answers until the next one is whole, gives its vectors, and goes", async () => {
    const path = newPath();
    await indexed(path);
    const next = open(path);
    expect([await next.find("lift"), indexOf(next.db).isWhole, existsSync(FORMER(path))]).toEqual([["a"], false, true]);
    expect(next.statuses()).toEqual(["indexed"]);
    await next.build();
    await next.succeed();
    expect([await next.find("lift"), indexOf(next.db).isWhole, existsSync(FORMER(path))]).toEqual([["a"], true, false]);
    expect(passagesWithoutVector(next.db, "m", 9)).toEqual([]);
  });

  it("goes on answering where the one that was begun after it is of former rules itself by now", async () => {
    const path = newPath();
    await indexed(path);
    const second = open(path);
    expect(await second.find("lift")).toEqual(["a"]);
    await second.close();
    spoilRules(path);
    const third = open(path);
    expect([await third.find("lift"), await third.find("roof")]).toEqual([["a"], ["b"]]);
    await third.build();
    await third.succeed();
    expect([await third.find("lift"), existsSync(FORMER(path))]).toEqual([["a"], false]);
  });

  it("is not asked where it is of another state of the data, and gives its vectors all the same", async () => {
    const path = newPath();
    await indexed(path);
    const db = new Database(path);
    db.run("UPDATE instance SET epoch = 'another'");
    db.close();
    const next = open(path);
    expect([await next.find("lift"), next.statuses()]).toEqual([[], ["pending"]]);
    await next.build();
    await next.succeed();
    expect([await next.find("lift"), passagesWithoutVector(next.db, "m", 9), existsSync(FORMER(path))]).toEqual([
      ["a"],
      [],
      false,
    ]);
  });
});
