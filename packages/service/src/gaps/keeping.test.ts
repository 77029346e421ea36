import { afterThisTest } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { Database } from "../store/sqlite/database.ts";
import { SqliteStore } from "../store/sqlite/sqlite-store.ts";
import { forgetTooMany, listGaps } from "./book.ts";
import { questionOf } from "./gap.harness.ts";
import { forgetOld } from "./keeping.ts";
import { noteQuestion } from "./noting.ts";
import { GapComparison } from "./comparison.ts";

const DAY_MS = 86_400_000;
const KEY = "Where is the spare key of the boat house?";

function opened() {
  const db = new Database(":memory:");
  afterThisTest(() => db.close());
  const comparison = new GapComparison();
  const note = (ref: string, words: string, askedAt: number, caller = "bot") =>
    db.transact(noteQuestion(questionOf({ ref, caller, asker: ref, words, askedAt, isShared: true }), comparison));
  return { db, store: new SqliteStore(db), note };
}

it("questions are forgotten when their days are over, however many, and a gap without questions is gone", async () => {
  const { db, store, note } = opened();
  for (let at = 0; at < 1_100; at++) note(`old ${at}`, KEY, DAY_MS);
  note("new", KEY, 200 * DAY_MS);
  note("other", "Who signs the travel form for Norway?", DAY_MS);
  await forgetOld({ store, now: () => 367 * DAY_MS, days: 365 });
  expect(db.perform(listGaps("open", 9))).toMatchObject([{ people: 1, questions: 1, first_asked_at: 200 * DAY_MS }]);
  await forgetOld({ store, now: () => 600 * DAY_MS, days: 365 });
  expect(db.perform(listGaps("open", 9))).toEqual([]);
});

it("of a caller who tells of more than is kept the first questions are forgotten, and nobody else's", () => {
  const { db, note } = opened();
  for (let at = 0; at < 12; at++) note(`spam ${at}`, `What is behind the door number ${at} of the ${at}th ferry?`, at);
  note("first of all", KEY, 0, "other");
  while (db.transact(forgetTooMany(10)));
  const left = db.all<{ asked_at: number }>("SELECT asked_at FROM gap_questions ORDER BY asked_at");
  expect(left.map(({ asked_at: at }) => at)).toEqual([0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(db.perform(listGaps("open", 20)).reduce((sum, gap) => sum + gap.questions, 0)).toBe(11);
});

it("of many alike questions the newest are kept with their words, and all are counted", () => {
  const { db, note } = opened();
  for (let at = 0; at < 230; at++) note(`q${at}`, `${KEY} ${" ".repeat(at)}`, at);
  expect(db.perform(listGaps("open", 9))).toMatchObject([{ people: 230, questions: 230 }]);
  expect(db.get("SELECT count(*) AS kept FROM gap_questions WHERE question IS NOT NULL")).toEqual({ kept: 200 });
  expect(db.get("SELECT count(*) AS compared FROM gap_questions WHERE traits IS NOT NULL")).toEqual({ compared: 48 });
});
