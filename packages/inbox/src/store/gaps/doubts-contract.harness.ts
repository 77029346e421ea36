import { describe, expect, it } from "vitest";
import type { Databases } from "../contract.harness.ts";
import type { Store } from "../open.ts";
import type { DoubtRecord, KeptAnswer } from "../store.ts";

/** What every engine must do with doubts about kept answers. */
export function doubtsContract(engine: string, databases: Databases): void {
  describe(`doubts in ${engine}`, () => {
    const doubt = (id: string, over: Partial<DoubtRecord> = {}): DoubtRecord => ({
      id,
      channel: "C",
      ts: "1.1",
      owner: "U",
      reason: "contradicted",
      newer: { documentId: "d", title: "Böte 🛶", says: "Four.", keptSays: "Two." },
      state: "new",
      messages: [],
      since: 10,
      updatedAt: 10,
      ...over,
    });
    async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
      const store = await databases.open(await databases.create());
      await work(store).finally(() => store.close());
    }

    it("are kept once, found by their answer, and open until they are over", () =>
      withStore(async (store) => {
        await store.addDoubt(doubt("a"));
        await store.saveDoubt(doubt("a", { state: "asked", remindAt: 30, messages: [{ channel: "D", ts: "2.1" }] }));
        await store.addDoubt(doubt("a"));
        expect(await store.findDoubt("a")).toMatchObject({ state: "asked", newer: { title: "Böte 🛶" } });
        await store.addDoubt(doubt("b", { ts: "3.1", updatedAt: 5 }));
        expect((await store.openDoubts(9)).map(({ id }) => id)).toEqual(["b", "a"]);
        expect((await store.doubtsOf("C", "1.1")).map(({ id }) => id)).toEqual(["a"]);
        expect(await store.doubtsToRemind(29)).toEqual([]);
        expect((await store.doubtsToRemind(30)).map(({ id }) => id)).toEqual(["a"]);
        await store.saveDoubt(doubt("a", { state: "over", updatedAt: 40 }));
        expect((await store.openDoubts(9)).map(({ id }) => id)).toEqual(["b"]);
        await store.forgetDoubtsOver(40);
        expect(await store.findDoubt("a")).toBeDefined();
        await store.forgetDoubtsOver(41);
        expect(await store.findDoubt("a")).toBeUndefined();
        await store.forgetEverything();
        expect(await store.findDoubt("b")).toBeUndefined();
      }));

    it("are about answers that are known by when they were kept", () =>
      withStore(async (store) => {
        const kept = { channel: "C", task: "T", owner: "U", thread: "1", until: "1", question: "?", confirmedAt: 90 };
        const all: KeptAnswer[] = [10, 20, 30].map((keptAt) => ({ ...kept, ts: `${keptAt}.1`, keptAt }));
        for (const one of all) await store.saveKeptAnswer(one);
        expect((await store.keptAnswersSince(20, 9)).map(({ keptAt }) => keptAt)).toEqual([30, 20]);
        expect(await store.keptAnswersSince(20, 1)).toHaveLength(1);
      }));
  });
}
