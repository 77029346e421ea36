import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { callerOf, listKeys } from "../../http/keys.ts";
import { Database } from "../sqlite/database.ts";
import { migrate } from "../sqlite/migrations.ts";
import { addLocalPerson } from "./persons.ts";

/** The last version of the tables before there were people. */
const WITHOUT_PEOPLE = 13;

it("a database of the version before gets tables for people, and whoever asked in it keeps their name for themselves", () => {
  const file = join(temporaryFolder(), "threadlore.db");
  const older = new DatabaseSync(file);
  migrate(older, WITHOUT_PEOPLE);
  expect(older.prepare("SELECT name FROM sqlite_master WHERE name = 'persons'").get()).toBeUndefined();
  const hash = createHash("sha256").update("tl_TESTold").digest("hex");
  older.exec(`
    INSERT INTO keys (hash, name, user, role, created_at) VALUES ('${hash}', 'bot', 'anna', 'editor', '2026-01-01');
    INSERT INTO sessions (id, user, persona_id, created_at, updated_at) VALUES ('s', 'gone', 0, 0, 0)`);
  older.close();
  const db = new Database(file);
  expect(db.perform(callerOf("tl_TESTold", Date.now()))).toEqual({
    user: "anna",
    role: "editor",
    groups: [],
    documentSets: null,
  });
  expect(db.perform(listKeys())).toMatchObject([{ personId: null, expiresAt: null, usedAt: null }]);
  // Whose key is gone still has conversations.
  for (const user of ["anna", "gone"]) {
    expect(() => db.transact(addLocalPerson({ user }, 0))).toThrow(`Keys have the user ${user}`);
  }
  expect(db.transact(addLocalPerson({ user: "bo" }, 0))).toMatchObject({ user: "bo" });
  db.close();
});
