import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Caller } from "../context.ts";
import { createLog } from "../log.ts";
import { endThreads, indexOf } from "../search/hosting/index-host.ts";
import { startIndexer } from "../search/indexer.ts";
import { temporaryFolder } from "../service.harness.ts";
import { upsertDocument } from "../store/documents.ts";
import { Database } from "../store/sqlite/database.ts";
import { deliberate, work } from "./deliberation.ts";
import { understand } from "./extracted/asked.ts";
import { searchEvidence, statisticsOf } from "./retrieve.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const caller: Caller = { user: "reader", role: "ordinary", groups: [], documentSets: null };

/** On a machine that does much else a search may be given up for its time. */
function patiently<Result>(ask: () => Promise<Result>): Promise<Result> {
  return vi.waitFor(ask, { timeout: 20_000 });
}

describe("what evidence comes to", () => {
  it("is the same wherever it is thought about", { timeout: 90_000 }, async () => {
    const folder = temporaryFolder();
    cleanups.push(folder.remove);
    const db = new Database(join(folder.path, "a.db"));
    cleanups.push(async () => {
      await endThreads(db);
      db.close();
    });
    const log = createLog("warn");
    db.transaction(() => {
      for (let index = 0; index < 450; index++) {
        const sections = Array.from({ length: 5 }, (_, part) => ({
          text: `The valve v${index}p${part} opens at ${part + 2} bar. It was serviced by Ada Lovelace in ${1990 + part}.`,
        }));
        const document = {
          id: `d${index}`,
          semantic_identifier: `Valve ${index}`,
          sections,
          source: "web",
          metadata: {},
        };
        db.transact(upsertDocument(document, 1, 0));
      }
    });
    await startIndexer({ db, log }).drain();
    expect(indexOf(db).isElsewhere(false)).toBe(true);
    for (const text of [
      "At how many bar does the valve v77p3 open?",
      "Who serviced v8p1?",
      "What does the canteen cost?",
    ]) {
      const question = understand(
        text,
        await patiently(() => statisticsOf({ db, store: new SqliteStore(db) }, caller, text)),
      );
      const context = { db, store: new SqliteStore(db), log, now: Date.now, embeddings: undefined };
      const found = await patiently(() => searchEvidence(context, text, null, caller));
      const given = { question, local: [], found };
      const elsewhere = await deliberate({ db }, caller, given);
      const here = work(given);
      expect(elsewhere.decision).toEqual(here.decision);
      expect(elsewhere.relevant).toEqual(here.relevant.map((place) => found[place]));
    }
  });
});
