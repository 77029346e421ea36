import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Caller } from "../../context.ts";
import { createLog } from "../../log.ts";
import { temporaryFolder } from "../../service.harness.ts";
import { deleteDocument, listDocuments, upsertDocument } from "../../store/documents.ts";
import { renewEpoch } from "../../store/instance.ts";
import { Database } from "../../store/sqlite/database.ts";
import { startIndexer } from "../indexer.ts";
import { holdings, search } from "../query.ts";
import { endThreads, indexOf } from "./index-host.ts";
import { SqliteStore } from "../../store/sqlite/sqlite-store.ts";

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const everyone: Caller = { user: "reader", role: "ordinary", groups: [], documentSets: null };

function file(): string {
  const folder = temporaryFolder();
  cleanups.push(folder.remove);
  return join(folder.path, "a.db");
}

function open(path: string) {
  const db = new Database(path);
  const close = async (): Promise<void> => {
    await endThreads(db);
    db.close();
  };
  const write = (id: string, ...texts: string[]): void => {
    const sections = texts.map((text) => ({ text }));
    db.transact(upsertDocument({ id, semantic_identifier: id, sections, source: "web", metadata: {} }, 1, 0));
  };
  const drain = (): Promise<void> => startIndexer({ db, log: createLog("warn") }).drain();
  const find = async (text: string, limit = 5): Promise<string[]> =>
    (await search({ db, store: new SqliteStore(db) }, { text, caller: everyone, limit })).passages.map(
      ({ documentId }) => documentId,
    );
  return { db, close, write, drain, find };
}

describe("an index", () => {
  it("is worked with in other threads once it is large, and answers as it did here", async () => {
    const subject = open(file());
    cleanups.push(subject.close);
    const { db, write, drain, find } = subject;
    const parts = (index: number) => Array.from({ length: 5 }, (_, part) => `The valve v${index}p${part} is serviced.`);
    db.transaction(() => {
      for (let index = 0; index < 500; index++) write(`d${index}`, ...parts(index));
    });
    expect([indexOf(db).writesHere(1), indexOf(db).writesHere(500)]).toEqual([true, false]);
    await drain();
    expect(indexOf(db).writesHere(1)).toBe(false);
    expect(indexOf(db).here.passages).toBe(2_500);
    const query = { text: "the valve v77p3", filter: {}, limit: 5, budgetMs: 10_000, feedbackUpTo: 0 };
    expect(await indexOf(db).search(query)).toEqual(indexOf(db).here.search.search(query));
    const asked = await Promise.all(Array.from({ length: 20 }, (_, index) => find(`valve v${index}p1`)));
    expect(asked.map(([first]) => first)).toEqual(Array.from({ length: 20 }, (_, index) => `d${index}`));
    await expect(
      search({ db, store: new SqliteStore(db) }, { text: "valve", caller: everyone, limit: 5, budgetMs: -1 }),
    ).rejects.toMatchObject({
      status: 503,
    });

    write("d7", "A pump.");
    db.transact(deleteDocument("d8"));
    await drain();
    expect([await find("pump"), await find("v7p1"), await find("v8p1")]).toEqual([["d7"], [], []]);
    expect(await holdings({ db, store: new SqliteStore(db) }, ["pump", "valve", "v9p1"], everyone)).toMatchObject({
      corpus: 2_491,
      holding: [1, 2_490, 1],
    });
  });

  it("is searched in other threads where few passages are written with very many words", async () => {
    const subject = open(file());
    cleanups.push(subject.close);
    const { db, write, drain, find } = subject;
    const letters = "abcdefghijklmnop";
    const word = (number: number) => Array.from({ length: 5 }, (_, at) => letters[(number >> (at * 4)) % 16]).join("");
    const words = (from: number) => Array.from({ length: 2_000 }, (_, at) => word(from + at)).join(" ");
    write("few", words(0));
    await drain();
    expect(indexOf(db).isElsewhere(false)).toBe(false);
    db.transaction(() => {
      for (let at = 0; at < 32; at++) write(`d${at}`, words(at * 2_000));
    });
    await drain();
    expect(indexOf(db).here.passages).toBeLessThan(1_000);
    expect(indexOf(db).isElsewhere(false)).toBe(true);
    expect(await find(word(4_005))).toEqual(["d2"]);
  });

  it("is made anew where its file is gone, damaged, or of other data", async () => {
    const path = file();
    const index = `${path}.search.sqlite`;
    const before = open(path);
    before.write("a", "The lift stops.");
    await before.drain();
    await before.close();
    for (const spoil of [
      () => rmSync(index),
      () => writeFileSync(index, "no database at all, ".repeat(500)),
      () => renewEpoch(path),
    ]) {
      spoil();
      const after = open(path);
      expect(await after.find("lift")).toEqual([]);
      expect(after.db.perform(listDocuments(null))).toMatchObject([{ document_id: "a", status: "pending" }]);
      await after.drain();
      expect(await after.find("lift")).toEqual(["a"]);
      expect(after.db.perform(listDocuments(null))).toMatchObject([{ document_id: "a", status: "indexed" }]);
      await after.close();
    }
  });

  it("takes in what came since, where an older copy of its file was put back", async () => {
    const path = file();
    const index = `${path}.search.sqlite`;
    const first = open(path);
    first.write("a", "The lift stops.");
    first.write("b", "The roof leaks.");
    await first.drain();
    await first.close();
    copyFileSync(index, `${path}.copy`);
    const second = open(path);
    second.write("a", "The stairs creak.");
    second.write("c", "The pump hums.");
    second.db.transact(deleteDocument("b"));
    await second.drain();
    await second.close();
    copyFileSync(`${path}.copy`, index);
    const third = open(path);
    cleanups.push(third.close);
    await third.drain();
    expect([await third.find("stairs"), await third.find("pump")]).toEqual([["a"], ["c"]]);
    expect([await third.find("lift"), await third.find("roof")]).toEqual([[], []]);
    expect(
      await holdings({ db: third.db, store: new SqliteStore(third.db) }, ["lift", "roof"], everyone),
    ).toMatchObject({ corpus: 2, holding: [0, 0] });
  });
});
