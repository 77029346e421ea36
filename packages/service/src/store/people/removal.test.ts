import { expect, it } from "vitest";
import { Database } from "../sqlite/database.ts";
import { values } from "../steps.ts";
import { SHOWN_PICTURES } from "./removal.ts";

/** Tables that say whose a row is: each is looked after by `removePerson`, or goes with the person. */
const OF_PEOPLE = [
  "audit",
  "authorization_codes",
  "browser_sessions",
  "device_requests",
  "feedback",
  "files",
  "keys",
  "memberships",
  "persons",
  "sessions",
];

it("looks after every table that says whose a row is", () => {
  const db = new Database(":memory:");
  const found = db.perform(
    values<string>(
      `SELECT DISTINCT tables.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
       WHERE tables.type = 'table' AND columns.name IN ('user', 'person') ORDER BY tables.name`,
    ),
  );
  db.close();
  expect(found).toEqual(OF_PEOPLE);
});

it("looks for pictures in those documents alone that show some, however many there are", () => {
  const db = new Database(":memory:");
  const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${SHOWN_PICTURES}`, "[]").map(({ detail }) => detail);
  db.close();
  expect(plan.filter((line) => line.includes("documents"))).toEqual([
    expect.stringContaining("USING INDEX documents_with_pictures"),
  ]);
});
