import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { seededRandom } from "@threadlore/testkit";
import { afterEach, describe, expect, it } from "vitest";
import type { Caller } from "../context.ts";
import { listKeys } from "../http/keys.ts";
import { createLog } from "../log.ts";
import { startIndexer } from "../search/indexer.ts";
import { search } from "../search/query.ts";
import { findDocument, temporaryFolder } from "../service.harness.ts";
import { Database } from "./sqlite/database.ts";
import { deleteDocument, listDocuments, pairsOfDocument, upsertDocument } from "./documents.ts";
import { listHeldDocuments } from "./held-documents.ts";
import { migrate, SCHEMA_VERSION } from "./sqlite/migrations.ts";
import { listSessions } from "./sessions.ts";
import { SqliteStore } from "./sqlite/sqlite-store.ts";

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0).toReversed()) cleanup();
});

/** The last version whose documents were united over pairs. */
const UNITED = 5;

const everyone: Caller = { user: "owner", role: "admin", groups: [], documentSets: null };
const seeing = (...documentSets: string[]): Caller => ({ user: "some", role: "editor", groups: [], documentSets });

/** A database as the version before left it: `one` under a pair, `both` under two, and an unfinished `new`. */
function united(more = ""): string {
  const folder = temporaryFolder();
  cleanups.push(folder.remove);
  const file = join(folder.path, "a.db");
  const older = new DatabaseSync(file);
  migrate(older, UNITED);
  older.exec(`
    INSERT INTO pairs VALUES (2, 'Site', 1, 1, 'public'), (3, 'HR', 1, 1, 'private');
    INSERT INTO document_sets VALUES (1, 'Site', ''), (2, 'Staff', '');
    INSERT INTO document_set_pairs VALUES (1, 2), (2, 3);
    INSERT INTO documents VALUES
      ('one', 1, 'One', 'One', 'web', '[{"text":"The lift stops."}]', '{"team":"A"}', NULL, NULL, 3, 1, 5, 'indexed', NULL),
      ('both', 2, 'Both', 'Both', 'web', '[{"text":"The salaries rise."}]', '{"team":"B"}', NULL, NULL, NULL, NULL, 6,
       'indexed', NULL),
      ('new', 3, 'New', 'New', 'web', '[{"text":"The roof is new."}]', '{}', NULL, NULL, NULL, NULL, 7, 'pending', NULL);
    INSERT INTO document_pairs VALUES ('one', 2), ('both', 2), ('both', 3), ('new', 3);
    INSERT INTO tags VALUES ('one', 'team', 'A'), ('both', 'team', 'B');
    INSERT INTO queue VALUES ('new', 3, 1);
    INSERT INTO passages VALUES
      (4, 'one', 0, 'One', '', 'The lift stops.', '', NULL), (9, 'both', 0, 'Both', '', 'The salaries rise.', '', NULL);
    INSERT INTO passages_index (rowid, title, heading, text, about)
      VALUES (4, 'One', '', 'The lift stops.', ''), (9, 'Both', '', 'The salaries rise.', '');
    INSERT INTO vectors VALUES (4, 'm', x'0000803f');
    ${more}`);
  older.close();
  return file;
}

function open(file: string): Database {
  const db = new Database(file);
  cleanups.push(() => db.close());
  return db;
}

async function found(db: Database, text: string, caller: Caller): Promise<string[]> {
  await startIndexer({ db, log: createLog("warn") }).drain();
  return (await search({ db, store: new SqliteStore(db) }, { text, caller, limit: 5 })).passages.map(
    ({ sourceId }) => sourceId,
  );
}

const documentOf = (id: string, text: string) => ({
  id,
  semantic_identifier: id,
  sections: [{ text }],
  source: "web",
  metadata: {},
});

describe("a database whose documents were united over pairs", () => {
  it("keeps what was under one pair there, with its passages, vectors, tags and place in the queue", async () => {
    const db = open(united());
    expect(findDocument(db, "one", 2)).toMatchObject({
      chunkCount: 3,
      fromIngestionApi: true,
      metadata: { team: "A" },
    });
    expect(db.perform(pairsOfDocument("new"))).toEqual([3]);
    expect(await found(db, "lift", seeing("Site"))).toEqual(["one"]);
    expect(await found(db, "lift", seeing("Staff"))).toEqual([]);
    expect(db.all("SELECT id, tag_value FROM tags JOIN documents ON number = document ORDER BY id")).toEqual([
      { id: "both", tag_value: "B" },
      { id: "one", tag_value: "A" },
    ]);
    await startIndexer({ db, log: createLog("warn") }).drain();
    expect(await found(db, "roof", seeing("Staff"))).toEqual(["new"]);
    db.transact(deleteDocument("one", 2));
    expect(await found(db, "lift", everyone)).toEqual([]);
    expect(db.all("PRAGMA foreign_key_check")).toEqual([]);
    expect(db.get("PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
  });

  it("holds back what was under several: nobody who sees only some pairs finds it, not even those pairs", async () => {
    const db = open(united());
    for (const caller of [seeing("Site"), seeing("Staff"), seeing("Site", "Staff")]) {
      expect(await found(db, "salaries", caller)).toEqual([]);
    }
    expect(await found(db, "salaries", { user: "", role: "anonymous", groups: [], documentSets: [] })).toEqual([]);
    expect(await found(db, "salaries", everyone)).toEqual(["both"]);
    expect(db.perform(listDocuments([2, 3])).map((one) => one.document_id)).toEqual(["new", "one"]);
    expect(db.perform(listDocuments(null))).toContainEqual(
      expect.objectContaining({ document_id: "both", cc_pair_id: null }),
    );
  });

  it("tells the owner which, until each was ingested again under every pair it had", async () => {
    const file = united();
    const db = open(file);
    const [site, hr] = [
      { id: 2, name: "Site" },
      { id: 3, name: "HR" },
    ];
    expect(db.perform(listHeldDocuments())).toEqual([{ id: "both", semanticIdentifier: "Both", pairs: [site, hr] }]);
    // Asked again, after another start too.
    expect(open(file).perform(listHeldDocuments())).toHaveLength(1);
    expect(db.transact(upsertDocument(documentOf("both", "The shop opens."), 2, 0))).toBe(false);
    expect(db.perform(listHeldDocuments())).toEqual([{ id: "both", semanticIdentifier: "Both", pairs: [hr] }]);
    await startIndexer({ db, log: createLog("warn") }).drain();
    expect(await found(db, "shop", seeing("Site"))).toEqual(["both"]);
    expect(await found(db, "salaries", seeing("Site", "Staff"))).toEqual([]);
    expect(await found(db, "salaries", everyone)).toEqual(["both (held back)"]);
    expect(db.transact(upsertDocument(documentOf("both", "The salaries fall."), 3, 0))).toBe(false);
    expect(db.perform(listHeldDocuments())).toEqual([]);
    await startIndexer({ db, log: createLog("warn") }).drain();
    expect(await found(db, "salaries rise", everyone)).toEqual(["both (pair 3)"]);
    expect(db.perform(pairsOfDocument("both"))).toEqual([2, 3]);
  });

  it("may be deleted instead", async () => {
    const db = open(united());
    expect(db.transact(deleteDocument("both", 2))).toBe(false);
    expect(db.transact(deleteDocument("both", null))).toBe(true);
    expect(db.perform(listHeldDocuments())).toEqual([]);
    expect(await found(db, "salaries", everyone)).toEqual([]);
  });

  it("is copied as it was first, and the copy is whole or not there", () => {
    const file = united();
    open(file);
    const copy = new DatabaseSync(`${file}.before-schema-${SCHEMA_VERSION}-was-${UNITED}`);
    expect(copy.prepare("SELECT count(*) AS n FROM document_pairs").get()).toEqual({ n: 4 });
    copy.close();
    expect(existsSync(`${file}.before-schema-${SCHEMA_VERSION}-was-${UNITED}.draft`)).toBe(false);
  });

  it("3B kill -9 while it is brought up to date: it is the old one or the new one, and the next start finishes", async () => {
    const filler = `WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
      INSERT INTO documents SELECT 'd' || i, i, 'D', 'D', 'web', '[]', '{}', NULL, NULL, NULL, NULL, 0, 'indexed', NULL FROM n;
      INSERT INTO document_pairs SELECT id, 2 FROM documents WHERE id LIKE 'd%';
      INSERT INTO passages SELECT sequence, id, 0, 'D', '', 'filler ' || hex(zeroblob(400)), '', NULL FROM documents
      WHERE id LIKE 'd%';
      INSERT INTO passages_index (rowid, title, heading, text, about)
      SELECT id, title, heading, text, about FROM passages WHERE id >= 10;`;
    const whole = united(filler);
    const random = seededRandom(4);
    for (let kill = 0; kill < 3; kill++) {
      const file = `${whole}.${kill}`;
      copyFileSync(whole, file);
      const child = spawn(process.execPath, [join(import.meta.dirname, "migrate-child.harness.ts"), file], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const exited = once(child, "exit");
      await once(child.stdout, "data");
      setTimeout(() => child.kill("SIGKILL"), random() * 120);
      await exited;
      const db = open(file);
      expect(db.get("PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
      expect(db.get("SELECT count(*) AS n FROM documents")).toEqual({ n: 3_994 });
      expect(db.perform(listHeldDocuments())).toHaveLength(1);
      db.run("INSERT INTO passages_index (passages_index, rank) VALUES ('integrity-check', 1)");
      const copy = new DatabaseSync(`${file}.before-schema-${SCHEMA_VERSION}-was-${UNITED}`);
      expect(copy.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
      expect(copy.prepare("SELECT count(*) AS n FROM documents").get()).toEqual({ n: 3_994 });
      copy.close();
    }
  });
});

describe("extensions that were paired as the owner", () => {
  const session = (id: string, origin: string): string => `
    INSERT INTO sessions VALUES ('${id}', 'owner', 0, '${id}', NULL, 0, 0);
    INSERT INTO messages (session_id, role, text, status, origin, files, created_at)
    VALUES ('${id}', 'user', 'x', 'done', '${origin}', '[{"id":"file-${id}","type":"document"}]', 0);
    INSERT INTO files VALUES ('file-${id}', 'owner', 'f', 'text/plain', 'document', x'00', 'f', 0, NULL);`;
  const key = (id: number, origin: string | null): string =>
    `INSERT INTO keys VALUES (${id}, 'h${id}', 'k', 'owner', 'editor', '[]', NULL, ${origin === null ? "NULL" : `'${origin}'`},
     '2026', NULL);`;
  const sessionsOf = (db: Database, user: string): string[] =>
    db.perform(listSessions(user, { limit: 9 })).map(({ id }) => id);

  it("become users of their own; the only one keeps what was asked from an extension", () => {
    const db = open(
      united(key(1, null) + key(2, "moz-extension://a") + session("panel", "chrome_extension") + session("cli", "api")),
    );
    expect(db.perform(listKeys()).map(({ user }) => user)).toEqual(["owner", "extension-2"]);
    expect(sessionsOf(db, "extension-2")).toEqual(["panel"]);
    expect(sessionsOf(db, "owner")).toEqual(["cli"]);
    expect(db.all("SELECT id, user FROM files ORDER BY id")).toEqual([
      { id: "file-cli", user: "owner" },
      { id: "file-panel", user: "extension-2" },
    ]);
  });

  it("see none of it where there were several: nobody knows whose it was, and it stays with the owner", () => {
    const paired = key(1, null) + key(2, "moz-extension://a") + key(3, "moz-extension://b");
    const db = open(united(paired + session("panel", "chrome_extension")));
    expect(db.perform(listKeys()).map(({ user }) => user)).toEqual(["owner", "extension-2", "extension-3"]);
    expect(sessionsOf(db, "owner")).toEqual(["panel"]);
    expect(sessionsOf(db, "extension-2")).toEqual([]);
  });
});
