import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { temporaryFolder } from "@threadlore/testkit";
import { expect, it } from "vitest";
import { openStore } from "./open.ts";

it("a bot's database of the version before goes on: what was asked is answered, what was kept is known", async () => {
  const file = join(temporaryFolder(), "bot.db");
  const former = new DatabaseSync(file);
  former.exec(readFileSync(join(import.meta.dirname, "fixtures/schema-2.sql"), "utf8"));
  former.close();
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
