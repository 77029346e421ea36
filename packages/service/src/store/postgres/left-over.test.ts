import { setTimeout as pause } from "node:timers/promises";
import { testWithPostgres } from "@threadlore/testkit/postgres";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createLog } from "../../log.ts";
import { values } from "../steps.ts";
import { LOOSE } from "../files.ts";
import { beginTurn, findMessage, markInterrupted, saveAnswer } from "../sessions.ts";
import { startTidying } from "./left-over.ts";
import { PostgresStore } from "./postgres-store.ts";

await testWithPostgres((postgres) => {
  const cleanups: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  async function two() {
    const url = await postgres.createDatabase();
    const [first, second] = [await PostgresStore.open(url), await PostgresStore.open(url)];
    cleanups.push(() => second.close());
    cleanups.push(() => first.close());
    const session = {
      id: crypto.randomUUID(),
      user: "ann",
      personaId: 0,
      description: null,
      projectId: null,
      createdAt: 1,
    };
    const turn = { sessionId: session.id, parentId: null, text: "Q", origin: "api", files: [], now: 1 };
    const { assistantMessageId } = await first.write(() => beginTurn(turn, session));
    const statusOf = async () => (await second.read(findMessage(assistantMessageId)))?.status;
    return { first, second, id: assistantMessageId, statusOf };
  }

  describe("what a process had begun", () => {
    it("is left alone while it lives, and ended by another one when it is gone", async () => {
      const { first, second, statusOf } = await two();
      cleanups.push(startTidying(second, createLog("silent"), { lookEveryMs: 20, goneAfterMs: 200 }));
      await pause(600);
      expect(await statusOf()).toBe("running");
      await first.close();
      await vi.waitFor(async () => expect(await statusOf()).toBe("interrupted"), { timeout: 5_000 });
    });

    it("is not ended by looks that were all answered at one moment", async () => {
      const { first, second, statusOf } = await two();
      const asked: (() => void)[] = [];
      let isStalled = true;
      const read = second.read.bind(second);
      vi.spyOn(second, "read").mockImplementation(async (steps) => {
        if (isStalled) await new Promise<void>((resolve) => void asked.push(resolve));
        return read(steps);
      });
      cleanups.push(startTidying(second, createLog("silent"), { lookEveryMs: 10, goneAfterMs: 400 }));
      await first.close();
      await pause(600);
      expect(asked).toHaveLength(1);
      isStalled = false;
      asked[0]?.();
      await pause(150);
      expect(await statusOf()).toBe("running");
      vi.restoreAllMocks();
    });

    it("is looked for without going through all files for each piece of one", async () => {
      const { second } = await two();
      const plan = await second.read(values<string>(`EXPLAIN SELECT process FROM file_pieces WHERE ${LOOSE}`));
      // A list that each row is not in would be a plan of its own, which is gone through for each row once it is long.
      expect(plan.filter((line) => /SubPlan|Anti Join/.test(line))).toEqual([expect.stringContaining("Anti Join")]);
    });

    it("is still its own to end where others took it for gone", async () => {
      const { first, second, id, statusOf } = await two();
      await second.write(markInterrupted);
      await second.write(() => saveAnswer(id, { text: "not mine", status: "done" }));
      expect(await statusOf()).toBe("interrupted");
      await first.write(() => saveAnswer(id, { text: "the whole answer", status: "done" }));
      expect(await second.read(findMessage(id))).toMatchObject({ status: "done", text: "the whole answer" });
    });
  });
});
