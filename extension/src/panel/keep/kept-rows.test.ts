import { expect, it } from "vitest";
import type { LedgerRecord } from "../../outbox/ledger.ts";
import type { OutboxEntry } from "../../outbox/outbox-entry.ts";
import { rowsOf, rowsWith, withRow, withSame } from "./kept-rows.ts";
import { togetherOf } from "./tab-view.ts";

const ORIGIN = "http://127.0.0.1:8411";

const page = (name: string, origin = ORIGIN) => ({
  key: `${origin} ${name}`,
  origin,
  documentId: name,
  title: name,
  link: `https://wiki.example/${name}`,
  addresses: [],
  hash: "0",
  characters: 1,
  pairId: 1,
});
const sent = (name: string, sentAt: number): LedgerRecord => ({
  ...page(name),
  serverDocumentId: name,
  firstSentAt: 0,
  sentAt,
  times: 1,
});
const waits = (name: string, more: Partial<OutboxEntry> = {}): OutboxEntry => ({
  ...page(name, more.origin),
  size: 1,
  queuedAt: 5,
  sendAfter: 5,
  attempts: 0,
  revision: name,
  state: "waiting",
  ...more,
});

it("a list has what was sent and what waits, once each, and nothing of private windows or other services", () => {
  const records = [sent("new", 3), sent("old", 2), sent("gone", 1)];
  const rows = rowsOf(ORIGIN, records, [
    waits("old", { additions: { title: "Renamed", tags: ["t"], highlights: [] } }),
    waits("gone", { removal: { serverDocumentId: "gone" } }),
    waits("first"),
    waits("sought", { unconfirmed: { since: 1, times: 1 } }),
    waits("refused", { state: "stopped" }),
    waits("secret", { isPrivate: true }),
    waits("elsewhere", { origin: "https://other.example" }),
  ]);
  expect(rows.map(({ title, state }) => `${title}: ${state}`)).toEqual([
    "refused: stopped",
    "sought: unconfirmed",
    "first: waiting",
    "new: sent",
    "Renamed: waiting",
    "gone: removing",
  ]);
  expect(rowsWith(rows, [], "t").map(({ pageTitle }) => pageTitle)).toEqual(["old"]);
  expect(rowsWith(rows, ["wiki", "ren"], undefined)).toHaveLength(1);
});

it("a list is searched by title, site, tags, note and highlights", () => {
  const additions = { tags: ["garden"], note: "Ask Mia about the shed.", highlights: [{ text: "開場は十時です" }] };
  const rows = rowsOf(ORIGIN, [{ ...sent("one", 1), additions }, sent("two", 2)], []);
  for (const words of [["one"], ["garden"], ["mia", "shed"], ["十時"]])
    expect(rowsWith(rows, words, undefined).map(({ title }) => title)).toEqual(["one"]);
  expect(rowsWith(rows, ["wiki.example"], undefined)).toHaveLength(2);
});

it("many pages that are about to be kept are one line, that in front among them, and what goes is another", () => {
  const at = Date.now();
  const [one, two, three] = ["one", "two", "three"].map((name) =>
    waits(name, { queuedAt: at, sendAfter: at + 10_000 }),
  );
  const removed = waits("gone", { removal: { serverDocumentId: "gone" } });
  if (one === undefined || two === undefined || three === undefined) throw new Error("There are three.");
  expect(togetherOf([one, removed, two], { state: "undo", entry: three })).toEqual([one, two, three]);
  expect(togetherOf([one, removed], { state: "undo", entry: three })).toEqual([]);
  expect(togetherOf([one, two, three], { state: "absent" })).toHaveLength(3);
});

it("a row is the same object as before where nothing of it was sent anew, and never one that waits", () => {
  const before = rowsOf(ORIGIN, [sent("new", 3), sent("old", 2), sent("gone", 1)], [waits("gone")]);
  const after = withSame(rowsOf(ORIGIN, [sent("new", 4), sent("old", 2), sent("gone", 1)], [waits("gone")]), before);
  expect(after.map((row) => before.includes(row))).toEqual([false, true, false]);
  expect(after).toEqual(rowsOf(ORIGIN, [sent("new", 4), sent("old", 2), sent("gone", 1)], [waits("gone")]));
});

it("the row that is written on stays, first of all where it is not among those found", () => {
  const [one, other] = rowsOf(ORIGIN, [sent("one", 2), sent("other", 1)], []);
  if (one === undefined || other === undefined) throw new Error("There are two rows.");
  expect(withRow([one, other], { ...other, title: "as it was" })).toEqual([one, other]);
  expect(withRow([one], other)).toEqual([other, one]);
});
