import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { temporaryFolder } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { openStore } from "./open.ts";

/** A database as a former version left it; its path. */
function formerDatabase(fixture: string): string {
  const file = join(temporaryFolder(), "bot.db");
  const former = new DatabaseSync(file);
  former.exec(readFileSync(join(import.meta.dirname, "fixtures", fixture), "utf8"));
  former.close();
  return file;
}

it("a bot's database of the version before goes on: what was asked is answered, what was kept is known", async () => {
  const file = formerDatabase("schema-2.sql");
  const at = Date.UTC(2026, 9, 1) + 120_000;
  const store = await openStore(`sqlite:${file}`, { clock: () => at });
  // One was being answered when the former version ended, the other waited.
  const lease = { now: at, leaseMs: 60_000 };
  const tasks = [await store.claim("now", lease), await store.claim("now", lease)];
  expect(tasks.map((task) => [task?.key, task?.body])).toEqual([
    ["question:T1:C1:1.1", { text: "How many bar?" }],
    ["question:T1:C1:2.1", { text: "門は何時?" }],
  ]);
  expect(await store.claim("now", lease)).toBeUndefined();
  expect(await store.accept({ key: "question:T1:C1:1.1", kind: "question", partitionKey: "C1", body: {} }, at)).toBe(
    false,
  );
  expect(await store.findAnswer("C1", "1.2")).toMatchObject({ taskId: tasks[0]?.id, messages: ["1.2"] });
  expect(await store.findPin("C1", "3.1")).toMatchObject({
    documentId: "slack_T1_C1_3.1",
    state: "indexed",
    title: "The pump",
  });
  expect(await store.recall("conversation:T1:C1:1.1")).toBe("9c55d158");
  expect(await store.traceOf("T1:C1:1.1")).toMatchObject([{ words: "asked, answered" }]);
  await store.close();
});

it("a bot's database without gaps and calls gets them, and what it has stays", async () => {
  const store = await openStore(`sqlite:${formerDatabase("schema-4.sql")}`);
  expect(await store.traceOf("T1:C1:1.1")).toMatchObject([{ words: "asked, answered" }]);
  expect(await store.account("0a1b")).toMatchObject({ holder: "T1:U1", facts: { name: "Ada" } });
  // Whose a document is that comes close is known of what was kept before.
  expect(await store.pinOfDocument("slack_T1_C1_3.1")).toMatchObject({ ts: "3.1", title: "The pump" });
  const asked = {
    asker: "T1:U1",
    place: "T1:C1:1.1",
    askedAt: 10,
    isShared: true,
    reasons: ["nothing"],
    words: "Where?",
  };
  const { gap } = await store.saveOwnWaiting({ ...asked, ref: "a" }, "where", () => ({ gap: undefined, also: [] }));
  expect(await store.gapsWaitedFor(9)).toMatchObject([{ gap, people: 1 }]);
  const call = {
    task: "a",
    channel: "C1",
    by: "U1",
    asker: "U1",
    question: "Where?",
    helpers: [],
    closest: [],
    replies: [],
  };
  await store.saveCall({ ...call, thread: "1.1", ts: "1.2", state: "open", askedAt: 10, updatedAt: 10, remindAt: 20 });
  expect(await store.callsToRemind(20)).toMatchObject([{ task: "a" }]);
  const kept = { channel: "C1", ts: "1.3", task: "a", owner: "U2", thread: "1.1", until: "1.3", question: "Where?" };
  await store.saveKeptAnswer({ ...kept, keptAt: 30, confirmedAt: 30 });
  expect(await store.keptAnswersBefore(31, 9)).toMatchObject([{ owner: "U2" }]);
  await store.close();
});
