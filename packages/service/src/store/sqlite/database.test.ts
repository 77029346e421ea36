import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { insertNumbered } from "../steps.ts";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { createLog } from "../../log.ts";
import { startIndexer } from "../../search/indexer.ts";
import { search } from "../../search/query.ts";
import { temporaryFolder } from "../../service.harness.ts";
import { backupDatabase, checkBackup } from "./backup.ts";
import { Database, openFile } from "./database.ts";
import { DatabaseError } from "./database-error.ts";
import { deleteDocument, listDocuments, upsertDocument } from "../documents.ts";
import { instanceOf } from "../instance.ts";
import { lockDatabase } from "./lock.ts";
import { migrate, SCHEMA_VERSION } from "./migrations.ts";
import { SqliteStore } from "./sqlite-store.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).toReversed()) cleanup();
});

function path(): string {
  const folder = temporaryFolder();
  cleanups.push(folder.remove);
  return `${folder.path}/a.db`;
}

/** A database with enough in it to be damaged in the middle. */
function filled(): string {
  const file = path();
  const db = new Database(file);
  for (let index = 0; index < 50; index++) {
    const sections = [{ text: `text ${index} `.repeat(300) }];
    db.transact(
      upsertDocument({ id: `d${index}`, semantic_identifier: "x", sections, source: "web", metadata: {} }, 1, 0),
    );
  }
  db.close();
  return file;
}

function problemOf(work: () => unknown): DatabaseError {
  try {
    work();
  } catch (error) {
    if (error instanceof DatabaseError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** Runs as nobody where the tests run as root, whom no permission stops. */
function asOrdinaryUser<Result>(work: () => Result): Result {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}

describe("3B db locked, read-only, corrupt, newer schema", () => {
  it("says that another program holds it locked", () => {
    const file = filled();
    const other = new DatabaseSync(file);
    other.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    const error = problemOf(() => new Database(file, { lockWaitMs: 50 }));
    other.close();
    expect(error).toMatchObject({ problem: "locked", message: expect.stringContaining("Another program holds") });
  });

  it("says that it cannot be written", () => {
    const file = filled();
    chmodSync(file, 0o444);
    chmodSync(file.slice(0, -"/a.db".length), 0o555);
    const error = asOrdinaryUser(() => problemOf(() => new Database(file)));
    expect(error).toMatchObject({ problem: "read_only", message: expect.stringContaining("cannot be written") });
  });

  it("says that it is damaged, and leaves it as it is", () => {
    const whole = filled();
    const size = statSync(whole).size;
    const bytes = readFileSync(whole);
    const damages: ((file: string) => void)[] = [
      (file) => truncateSync(file, Math.floor(size / 2)),
      (file) => truncateSync(file, size - 4_096),
      (file) => writeFileSync(file, bytes.fill(0x5a, 4_096, 8_192)),
      (file) => writeFileSync(file, readFileSync(whole).fill(0xff, 100, 120)),
    ];
    for (const damage of damages) {
      const file = path();
      copyFileSync(whole, file);
      damage(file);
      const before = readFileSync(file);
      const error = problemOf(() => new Database(file));
      expect(["corrupt", "not_a_database"]).toContain(error.problem);
      expect(error.message).toMatch(/damaged|not a database/);
      expect(readFileSync(file).equals(before)).toBe(true);
    }
  });

  it("leaves the locks of this process's other connections alone when the file is opened once more", () => {
    const file = path();
    // Without a log beside it all its locks are on the file itself.
    const first = new DatabaseSync(file);
    first.exec("CREATE TABLE one (a); BEGIN IMMEDIATE");
    openFile(file).close();
    // A lock that was dropped could be taken by anybody, another process too.
    const taken = spawnSync(
      process.execPath,
      ["-e", "new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec('BEGIN IMMEDIATE')", file],
      { encoding: "utf8" },
    );
    expect(taken.stderr).toContain("database is locked");
    first.close();
  });

  it("never takes over a file that is something else", () => {
    const file = path();
    writeFileSync(file, "Dear diary, this is not a database at all.");
    expect(problemOf(() => new Database(file)).problem).toBe("not_a_database");
    expect(readFileSync(file, "utf8")).toContain("Dear diary");
    const foreign = path();
    const other = new DatabaseSync(foreign);
    other.exec("CREATE TABLE recipes (name TEXT)");
    other.close();
    expect(problemOf(() => new Database(foreign)).problem).toBe("not_a_database");
  });

  it("refuses tables of a newer version", () => {
    const file = path();
    const newer = new DatabaseSync(file);
    newer.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    newer.close();
    expect(problemOf(() => new Database(file))).toMatchObject({
      problem: "newer_schema",
      message: expect.stringContaining("Update Threadlore"),
    });
  });

  it("says that the folder is missing", () => {
    expect(problemOf(() => new Database(`${path()}/none/b.db`)).problem).toBe("missing");
  });

  it("copies an older database before its tables are brought up to date", () => {
    const file = path();
    const older = new DatabaseSync(file);
    migrate(older, 1);
    older.exec("INSERT INTO connectors VALUES (7, 'kept', 'web')");
    older.close();
    const db = new Database(file);
    expect(db.get("SELECT name FROM connectors WHERE id = 7")?.["name"]).toBe("kept");
    db.close();
    const mode = statSync(`${file}.before-schema-${SCHEMA_VERSION}-was-1`).mode;
    expect((mode & 0o777).toString(8)).toBe("600");
    const copy = new DatabaseSync(`${file}.before-schema-${SCHEMA_VERSION}-was-1`);
    expect(copy.prepare("PRAGMA user_version").get()?.["user_version"]).toBe(1);
    expect(copy.prepare("SELECT name FROM connectors WHERE id = 7").get()?.["name"]).toBe("kept");
    copy.close();
  });
});

describe("an index of an older version", () => {
  it("is kept, found in and added to", async () => {
    const file = path();
    const older = new DatabaseSync(file);
    migrate(older, 4);
    older.exec(`
      INSERT INTO documents (id, sequence, semantic_identifier, title, source, sections, metadata, updated_at, status)
      VALUES ('old', 1, 'Lift', 'Lift', 'web',
              '[{"text":"The lift stops.","link":null},{"text":"","link":"https://wiki.test/lift"}]', '{}', 0, 'indexed');
      INSERT INTO passages VALUES (1, 'old', 0, 'Lift', '', 'The lift stops.', '', NULL)`);
    older.close();
    const db = new Database(file);
    expect(db.perform(listDocuments(null))).toMatchObject([{ document_id: "old", link: "https://wiki.test/lift" }]);
    const sections = [{ text: "A lift goes on." }];
    db.transact(
      upsertDocument({ id: "new", semantic_identifier: "Lift", sections, source: "web", metadata: {} }, 1, 0),
    );
    await startIndexer({ db, log: createLog("warn") }).drain();
    const caller = { user: "reader", role: "ordinary", groups: [], documentSets: null } as const;
    const find = async (): Promise<string[]> =>
      (await search({ db, store: new SqliteStore(db) }, { text: "lift", caller, limit: 5 })).passages.map(
        ({ documentId }) => documentId,
      );
    const found = await find();
    expect(found.toSorted()).toEqual(["new", "old"]);
    db.transact(
      upsertDocument({ id: "old", semantic_identifier: "Stairs", sections: [], source: "web", metadata: {} }, 1, 0),
    );
    await startIndexer({ db, log: createLog("warn") }).drain();
    expect(await find()).toEqual(["new"]);
    db.close();
  });
});

describe("a database", () => {
  it("is readable by its owner only", () => {
    const file = filled();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("keeps text with NUL and other control characters as it is", () => {
    const db = new Database(":memory:");
    const text = "a\0b\u0001c\u2028d";
    db.transact(
      upsertDocument({ id: text, semantic_identifier: text, sections: [{ text }], source: "web", metadata: {} }, 1, 0),
    );
    expect(db.get("SELECT id, semantic_identifier FROM documents")).toEqual({ id: text, semantic_identifier: text });
    db.close();
  });

  it("undoes a transaction that fails, and can go on", () => {
    const db = new Database(":memory:");
    expect(() =>
      db.transaction(() => {
        db.run("INSERT INTO connectors VALUES (5, 'x', 'web')");
        throw new Error("stop");
      }),
    ).toThrow("stop");
    expect(db.get("SELECT 1 FROM connectors WHERE id = 5")).toBeUndefined();
    db.transaction(() => db.run("INSERT INTO connectors VALUES (5, 'y', 'web')"));
    expect(db.get("SELECT name FROM connectors WHERE id = 5")?.["name"]).toBe("y");
    db.close();
  });

  it("3B two services on one db: the second lock is refused until the first is released", () => {
    const file = path();
    const first = lockDatabase(file);
    expect(problemOf(() => lockDatabase(file))).toMatchObject({
      problem: "in_use",
      message: expect.stringContaining("Another Threadlore service"),
    });
    first.release();
    lockDatabase(file).release();
  });

  it("3B two services on one db: a second name of the file, or of its folder, is no second lock", () => {
    const file = filled();
    const [link, folder] = [`${file}.link`, `${file}.folder`];
    symlinkSync(file, link);
    symlinkSync(dirname(file), folder);
    const names = [link, join(folder, basename(file)), join(folder, basename(link))];
    for (const held of [file, ...names]) {
      const first = lockDatabase(held);
      for (const name of [file, ...names]) {
        expect(problemOf(() => lockDatabase(name))).toMatchObject({
          problem: "in_use",
          message: expect.stringContaining(`already works with ${name}. Stop it first`),
        });
      }
      first.release();
    }
  });

  it("3B two services on one db: nor are names of a file that is yet to be made", () => {
    const file = path();
    const [one, other] = [`${file}.one`, `${file}.other`];
    symlinkSync(basename(file), one);
    symlinkSync(one, other);
    for (const held of [file, one, other]) {
      const first = lockDatabase(held);
      for (const name of [file, one, other]) expect(problemOf(() => lockDatabase(name)).problem).toBe("in_use");
      first.release();
    }
    expect(existsSync(file)).toBe(false);
  });

  it("names that lead nowhere are refused in plain words", () => {
    const file = path();
    symlinkSync(file, file);
    for (const name of [file, join(file, "..", "gone", "a.db")]) {
      expect(problemOf(() => lockDatabase(name))).toMatchObject({
        problem: "read_only",
        message: expect.stringContaining(`Nothing can be written beside the database ${name}. Does its folder exist`),
      });
    }
  });
});

describe("backup", () => {
  it("copies a database that is in use into one checked file", async () => {
    const file = filled();
    const db = new Database(file);
    const target = `${file}.backup`;
    expect(await backupDatabase(file, target)).toEqual({ documents: 50 });
    expect(existsSync(`${target}-wal`)).toBe(false);
    expect((statSync(target).mode & 0o777).toString(8)).toBe("600");
    const copy = new Database(target);
    expect(copy.get("SELECT count(*) AS n FROM queue")?.["n"]).toBe(50);
    copy.close();
    db.close();
  });

  it("overwrites nothing", async () => {
    const file = filled();
    await expect(backupDatabase(file, file)).rejects.toMatchObject({
      message: expect.stringContaining("exists already"),
    });
  });

  it("refuses a copy that is damaged, foreign, newer or missing", () => {
    const damaged = filled();
    truncateSync(damaged, 40_960);
    expect(problemOf(() => checkBackup(damaged)).problem).toBe("corrupt");
    const foreign = path();
    new DatabaseSync(foreign).close();
    expect(problemOf(() => checkBackup(foreign)).problem).toBe("not_a_database");
    expect(problemOf(() => checkBackup(path())).problem).toBe("missing");
  });
});

describe("a database that is full to its last page", () => {
  it("still gives documents up, and takes others in their place", async () => {
    const db = new Database(path(), { limit: 6_000_000 });
    cleanups.push(() => db.close());
    const add = (id: string): void => {
      // Many words that differ: taking them out of the index is much to write.
      const words = Array.from({ length: 2_000 }, (_, index) => `word${id}x${index}`);
      const sections = [{ text: words.join(" ") }];
      db.transact(upsertDocument({ id, semantic_identifier: id, sections, source: "web", metadata: {} }, 1, 0));
    };
    for (let index = 0; index < 20; index++) add(`d${index}`);
    await startIndexer({ db, log: createLog("silent") }).drain();
    db.run("CREATE TABLE ballast (bytes BLOB)");
    const fill = (): void => {
      for (;;) db.run("INSERT INTO ballast VALUES (zeroblob(2000))");
    };
    for (let index = 0; index < 20; index++) {
      // What the one before gave up is taken at once, so that each finds the file full.
      expect(fill).toThrow(/full/);
      expect(await db.transact(deleteDocument(`d${index}`))).toBe(true);
    }
    db.run("DELETE FROM ballast");
    add("after");
    await startIndexer({ db, log: createLog("silent") }).drain();
    expect(db.get("SELECT status FROM documents WHERE id = 'after'")).toEqual({ status: "indexed" });
    // Room was made for taking away only.
    expect(fill).toThrow(/full/);
    expect(statSync(db.path).size).toBeLessThan(6_000_000 + 1_048_576);
  });
});

describe("what a statement gives", () => {
  it("is read once it is there: what must be there and is not is said plainly", () => {
    const db = new Database(":memory:");
    cleanups.push(() => db.close());
    const id = db.perform(insertNumbered("connectors", { name: "Wiki", source: "web" }));
    expect(db.value("SELECT name FROM connectors WHERE id = ?", id)).toBe("Wiki");
    expect(db.values("SELECT name FROM connectors WHERE id = ?", id + 1)).toEqual([]);
    expect(() => db.value("SELECT name FROM connectors WHERE id = ?", id + 1)).toThrow(
      "a row that must be there is missing",
    );
    expect(db.value("SELECT max(id) FROM messages")).toBeNull();
  });

  it("is the data's name, and never a made up one where the data has none", () => {
    const db = new Database(":memory:");
    cleanups.push(() => db.close());
    expect(db.perform(instanceOf())).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      epoch: expect.any(String),
    });
    db.run("DELETE FROM instance");
    expect(() => db.perform(instanceOf())).toThrow("does not say which data");
  });
});
