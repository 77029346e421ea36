import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { temporaryFolder } from "@threadlore/testkit";
import { afterEach, expect, it, vi } from "vitest";
import { openStore, type Store } from "./open.ts";

afterEach(() => vi.restoreAllMocks());

/** How SQLite finds the rows of whatever `work` asks, step by step. */
async function plansOf(work: (store: Store) => Promise<unknown>): Promise<string[]> {
  const path = join(temporaryFolder(), "bot.db");
  const store = await openStore(path);
  const asked = vi.spyOn(DatabaseSync.prototype, "prepare");
  await work(store);
  const statements = asked.mock.calls.map(([sql]) => sql);
  asked.mockRestore();
  const database = new DatabaseSync(path);
  const steps = statements.flatMap((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all());
  database.close();
  await store.close();
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
