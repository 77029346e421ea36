import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { createLog } from "../../log.ts";
import { temporaryFolder } from "../../service.harness.ts";
import { upsertDocument } from "../../store/documents.ts";
import { renewEpoch } from "../../store/instance.ts";
import { Database } from "../../store/sqlite/database.ts";
import { endThreads, indexOf } from "../hosting/index-host.ts";
import { startIndexer } from "../indexer.ts";
import { spoilRules, writeFormerDatabase } from "./former-database.harness.ts";
import { inspectData } from "./inspection.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).toReversed()) cleanup();
});

function newPath(): string {
  const folder = temporaryFolder();
  cleanups.push(folder.remove);
  return join(folder.path, "a.db");
}

const log = createLog("silent");

async function withIndex(work: (db: Database) => Promise<void>): Promise<string> {
  const path = newPath();
  const db = new Database(path);
  for (const id of ["a", "b"]) {
    const sections = [{ text: `The lift ${id} stops.` }];
    db.transact(upsertDocument({ id, semantic_identifier: id, sections, source: "web", metadata: {} }, 1, 0));
  }
  await work(db);
  await endThreads(db);
  db.close();
  return path;
}

const drained = (db: Database): Promise<void> => startIndexer({ db, log }).drain();

/** What is said of the index. */
function saidOfIndex(path: string): readonly unknown[] {
  const [, index] = inspectData(path);
  return [index?.ok, index?.evidence];
}

describe("looking at the data while no service runs", () => {
  it("says that all is well, how far behind the index is, and why it will be made anew", async () => {
    const path = await withIndex(drained);
    expect(inspectData(path)).toEqual([
      { what: "database", ok: true, evidence: "It is sound, with 2 documents.", fix: "" },
      { what: "search index", ok: true, evidence: "It is sound, and has everything.", fix: "" },
    ]);
    expect(saidOfIndex(await withIndex(async (db) => void indexOf(db)))).toEqual([
      "unknown",
      "It is being made anew: 0 %.",
    ]);
    const behind = await withIndex(async (db) => {
      await drained(db);
      db.transact(
        upsertDocument({ id: "c", semantic_identifier: "c", sections: [], source: "web", metadata: {} }, 1, 0),
      );
    });
    expect(saidOfIndex(behind)).toEqual(["unknown", "It is behind: 1 documents wait for it."]);
    for (const [spoil, why] of [
      [spoilRules, "it was made by a former version"],
      [renewEpoch, "it was of other data, or a backup was put back"],
      [(file: string) => rmSync(`${file}.search.sqlite`), "there was none by today's rules"],
      [
        (file: string) => writeFileSync(`${file}.search.sqlite`, "no database at all, ".repeat(900)),
        "it was damaged or gone",
      ],
    ] as const) {
      spoil(path);
      expect(saidOfIndex(path)).toEqual(["unknown", `It is made anew at the next start, since ${why}.`]);
    }
  });

  it("finds damage that no read has met yet", async () => {
    const path = await withIndex(drained);
    const sqlite = new DatabaseSync(`${path}.search.sqlite`);
    sqlite.exec("PRAGMA journal_mode = DELETE");
    const page = Number(
      sqlite.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'endings'").get()?.["rootpage"],
    );
    sqlite.close();
    const bytes = Buffer.alloc(8_192, 0xa5);
    const file = `${path}.search.sqlite`;
    const whole = readFileSync(file);
    bytes.copy(whole, (page - 1) * 8_192);
    writeFileSync(file, whole);
    expect(saidOfIndex(path)[1]).toContain("damaged");
  });

  it("says of a former version's database that its index answers, and of a damaged one what to do", () => {
    const path = newPath();
    writeFormerDatabase(path);
    expect(saidOfIndex(path)).toEqual([
      "unknown",
      "The database is of a former version. Its index answers until a new one is whole.",
    ]);
    writeFileSync(path, "no database at all, ".repeat(900));
    expect(inspectData(path)).toMatchObject([
      { what: "database", ok: false, fix: "Restore a backup with `threadlore restore`." },
    ]);
  });
});
