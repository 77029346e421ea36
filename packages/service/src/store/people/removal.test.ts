import { expect, it } from "vitest";
import { Database } from "../sqlite/database.ts";
import { sqliteText, type SqlStep, type Steps, values } from "../steps.ts";
import { addLocalPerson, disablePerson } from "./persons.ts";
import { holdingsOf, removePerson, SHOWN_PICTURES } from "./removal.ts";

/** Tables that say whose a row is, those of gaps by a hash: each is looked after by `removePerson`, or goes with the person. */
const OF_PEOPLE = [
  "audit",
  "authorization_codes",
  "browser_sessions",
  "device_requests",
  "document_keepers",
  "feedback",
  "files",
  "gap_asks",
  "gap_questions",
  "good_answers",
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
       WHERE tables.type = 'table' AND columns.name IN ('user', 'person', 'asker') ORDER BY tables.name`,
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

it("looks through no table for what is a person's", async () => {
  const db = new Database(":memory:");
  const seen: SqlStep[] = [];
  const noting = function* <Result>(steps: Steps<Result>): Steps<Result> {
    let step = steps.next();
    while (step.done !== true) {
      seen.push(step.value, ...(step.value.beside ?? []));
      step = steps.next(yield step.value);
    }
    return step.value;
  };
  const person = db.perform(addLocalPerson({ user: "anna" }, 1));
  db.perform(disablePerson(person.id, 2));
  db.perform(noting(holdingsOf(person)));
  await removePerson({ makeRoom: async (steps) => db.perform(noting(steps())) }, person);
  const plans = seen.flatMap(({ sql, given }) =>
    db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sqliteText(sql)}`, ...given).map(({ detail }) => detail),
  );
  db.close();
  expect(plans).toContainEqual(expect.stringContaining("files USING COVERING INDEX files_by_user"));
  // Of requests and codes, which are good for minutes, there are few.
  expect(
    plans.filter(
      (line) => line.startsWith("SCAN") && !/^SCAN (?:authorization_codes|device_requests|json_each)/.test(line),
    ),
  ).toEqual([]);
});

/** Rows that refer to what is deleted, of which there are few: codes and requests, and what an administrator set up. */
const FEW = ["authorization_codes.person", "device_requests.person"];

it("finds by an index what goes with another row", () => {
  const db = new Database(":memory:");
  const found = db.perform(
    values<string>(
      `SELECT tables.name || '.' || key."from" FROM sqlite_master AS tables, pragma_foreign_key_list(tables.name) AS key
       WHERE tables.type = 'table' AND key.on_delete = 'CASCADE' AND key."table" IN ('documents', 'sessions', 'messages', 'persons')
         AND NOT EXISTS (
           SELECT 1 FROM pragma_index_list(tables.name) AS list, pragma_index_info(list.name) AS of
           WHERE of.seqno = 0 AND of.name = key."from"
         )
         AND NOT EXISTS (SELECT 1 FROM pragma_table_info(tables.name) AS own WHERE own.name = key."from" AND own.pk = 1)
       ORDER BY 1`,
    ),
  );
  db.close();
  expect(found).toEqual(FEW);
});
