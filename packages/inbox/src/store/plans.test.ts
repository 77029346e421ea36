import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { temporaryFolder } from "@threadlore/testkit";
import { afterEach, expect, it, vi } from "vitest";
import { openStore, type Store } from "./open.ts";

afterEach(() => vi.restoreAllMocks());

/** What `work` asks of a store in this file. Others of the process may be at work with theirs. */
async function statementsOf(path: string, work: (store: Store) => Promise<unknown>): Promise<string[]> {
  const store = await openStore(path);
  const own: string[] = [];
  const { prepare } = DatabaseSync.prototype;
  // At the call: afterwards that of another may be closed, and says no more where it lies.
  const asked = vi.spyOn(DatabaseSync.prototype, "prepare").mockImplementation(function (this: DatabaseSync, ...given) {
    if (this.location() === path) own.push(given[0]);
    return prepare.apply(this, given);
  });
  await work(store);
  asked.mockRestore();
  await store.close();
  return own;
}

/** How SQLite finds the rows of whatever `work` asks, step by step. */
async function plansOf(work: (store: Store) => Promise<unknown>): Promise<string[]> {
  const path = join(temporaryFolder(), "bot.db");
  const statements = await statementsOf(path, work);
  const database = new DatabaseSync(path);
  const steps = statements.flatMap((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
  database.close();
  return steps.map(({ detail }) => String(detail));
}

it("finds what was noted with an account by its id alone", async () => {
  const plans = await plansOf((store) => store.forgetNotesOf("0a1b", () => undefined));
  expect(plans).toEqual([
    "SEARCH conversations USING INDEX conversations_of_account (<expr>>? AND <expr><?)",
    "SEARCH settings USING INDEX settings_of_account (<expr>>? AND <expr><?)",
    "SEARCH tasks USING INDEX tasks_of_account (<expr>>? AND <expr><?)",
  ]);
});

it("finds what was not answered among nothing else", async () => {
  const plans = await plansOf((store) => store.recentRefusals(10));
  expect(plans[0]).toBe("SCAN t USING INDEX tasks_not_answered");
  expect(plans.slice(1).filter((step) => /^SCAN (?!t )|B-TREE/.test(step))).toEqual([]);
});

it("finds kept messages by what is asked of them, however many there are", async () => {
  const plans = await plansOf(async (store) => {
    await store.pinsOfThread("C", { ts: "1", root: "1" });
    await store.newestPins("C", 5);
    await store.pinsAccepted(1);
  });
  const reads = plans.filter((step) => /^(?:SCAN|SEARCH)/.test(step));
  expect(reads.filter((step) => step.startsWith("SCAN"))).toEqual([]);
  expect(reads).toContain("SEARCH pins USING INDEX pins_of_thread (channel=? AND root=?)");
  expect(reads).toContain("SEARCH pins USING INDEX pins_newest (channel=?)");
  expect(reads).toContain("SEARCH pins USING INDEX pins_accepted (updated_at>?)");
});

it("reads the kept messages of a channel in parts", async () => {
  const path = join(temporaryFolder(), "bot.db");
  const known = { team: "T", channel: "C", documentId: "d", state: "indexed", by: "U", title: "A rule" } as const;
  const filling = await openStore(path);
  for (let ts = 1_000; ts < 3_000; ts += 1) await filling.savePin({ ...known, ts: String(ts), updatedAt: ts });
  await filling.close();
  let read: readonly { readonly ts: string }[] = [];
  const asked = await statementsOf(path, async (store) => (read = await store.pinsOf("C")));
  expect(read.map(({ ts }) => Number(ts))).toEqual(Array.from({ length: 2_000 }, (_, index) => 1_000 + index));
  expect(asked).toHaveLength(3);
});

it("finds questions that wait by what is asked of them, however many there are", async () => {
  const plans = await plansOf(async (store) => {
    await store.waitingAt("T:C:1");
    await store.waitingOf("T:U");
    await store.waitingIn("s1");
    await store.waitingFor("telling");
    await store.markTold("telling", 1);
    await store.chooseTellings("s1", () => new Map());
    await store.saveOwnWaiting(
      { ref: "a", asker: "T:U", place: "T:C:1", askedAt: 1, isShared: false, reasons: [] },
      "traits",
      () => ({ gap: undefined, also: [] }),
    );
    await store.forgetWaiting(["a"]);
    await store.forgetBefore(1);
  });
  const waiting = plans.filter((step) => /waiting_questions/.test(step));
  expect(waiting.length).toBeGreaterThan(10);
  expect(waiting.filter((step) => step.startsWith("SCAN"))).toEqual([
    // The newest, up to a number.
    "SCAN waiting_questions USING INDEX waiting_compared",
  ]);
});
