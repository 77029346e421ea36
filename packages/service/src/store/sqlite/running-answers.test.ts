import { expect, it } from "vitest";
import { markInterrupted } from "../sessions.ts";
import { Database } from "./database.ts";
import { sqliteText, type SqlStep } from "../steps.ts";

it("that were cut off are looked for among those that run, not among all that was ever said", () => {
  const db = new Database(":memory:");
  const { sql, given } = markInterrupted().next().value as SqlStep;
  const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sqliteText(sql)}`, ...given);
  db.close();
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining("INDEX messages_running")]);
});
