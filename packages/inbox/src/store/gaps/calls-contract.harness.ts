import { describe, expect, it } from "vitest";
import type { Databases } from "../contract.harness.ts";
import type { Store } from "../open.ts";
import type { CallRecord, KeptAnswer, PinRecord } from "../store.ts";

/** What every engine must do with questions people were asked, and with their replies that became documents. */
export function callsContract(engine: string, databases: Databases): void {
  describe(`questions people were asked in ${engine}`, () => {
    const call = (task: string, over: Partial<CallRecord> = {}): CallRecord => ({
      task,
      channel: "C",
      thread: "1.1",
      ts: "1.2",
      by: "ADA",
      asker: "ADA",
      question: "Wo ist der Schlüssel? 🗝",
      helpers: ["BO", "S1"],
      closest: [{ title: "Keys", link: "https://handbook.example/keys" }],
      replies: [],
      state: "open",
      askedAt: 10,
      updatedAt: 10,
      ...over,
    });
    const kept = (ts: string, over: Partial<KeptAnswer> = {}): KeptAnswer => ({
      channel: "C",
      ts,
      task: "a",
      owner: "BO",
      thread: "1.1",
      until: ts,
      question: "Where?",
      keptAt: 10,
      confirmedAt: 10,
      ...over,
    });
    const pin = (ts: string, over: Partial<PinRecord> = {}): PinRecord => ({
      team: "T",
      channel: "C",
      ts,
      documentId: `document_${ts}`,
      by: "BO",
      title: "Where?",
      state: "indexed",
      how: "answer",
      moment: 10,
      updatedAt: 10,
      ...over,
    });

    async function withStore(work: (store: Store, other: Store) => Promise<void>): Promise<void> {
      const url = await databases.create();
      const [store, other] = [await databases.open(url), await databases.open(url)];
      await work(store, other).finally(() => Promise.all([store.close(), other.close()]));
    }

    it("are found by their answer and their thread, whichever instance kept them", () =>
      withStore(async (store, other) => {
        await store.saveCall(call("b", { askedAt: 20 }));
        await store.saveCall(call("a"));
        await store.saveCall(call("c", { thread: undefined, ts: undefined }));
        expect(await other.findCall("a")).toEqual(call("a"));
        expect((await other.callsOfThread("C", "1.1")).map(({ task }) => task)).toEqual(["a", "b"]);
        await other.saveCall(call("a", { state: "resolved", resolvedBy: "BO" }));
        expect(await store.findCall("a")).toMatchObject({ state: "resolved", resolvedBy: "BO" });
        await store.forgetCall("a");
        expect(await other.findCall("a")).toBeUndefined();
      }));

    it("are told of when those who were asked are to be reminded, the longest waiting first", () =>
      withStore(async (store) => {
        await store.saveCall(call("a", { remindAt: 30 }));
        await store.saveCall(call("b", { remindAt: 20.6 }));
        await store.saveCall(call("c"));
        expect(await store.callsToRemind(20)).toEqual([]);
        expect((await store.callsToRemind(30)).map(({ task }) => task)).toEqual(["b", "a"]);
        await store.saveCall(call("b"));
        expect((await store.callsToRemind(30)).map(({ task }) => task)).toEqual(["a"]);
      }));

    it("have answers that are found by their message, and by when their owners last said that they hold", () =>
      withStore(async (store) => {
        for (const [ts, confirmedAt] of [
          ["2.1", 30],
          ["3.1", 10],
          ["4.1", 20],
        ] as const)
          await store.saveKeptAnswer(kept(ts, { confirmedAt }));
        expect(await store.findKeptAnswer("C", "3.1")).toEqual(kept("3.1"));
        expect((await store.keptAnswersBefore(30, 9)).map(({ ts }) => ts)).toEqual(["3.1", "4.1"]);
        await store.saveKeptAnswer(kept("3.1", { confirmedAt: 40 }));
        expect((await store.keptAnswersBefore(30, 9)).map(({ ts }) => ts)).toEqual(["4.1"]);
        await store.forgetKeptAnswer("C", "4.1");
        expect(await store.findKeptAnswer("C", "4.1")).toBeUndefined();
      }));

    it("are forgotten when they are old, while their answers stay as long as their documents do", () =>
      withStore(async (store) => {
        await store.saveCall(call("a", { state: "kept", keeps: "2.1" }));
        await store.saveCall(call("b", { updatedAt: 30 }));
        for (const ts of ["2.1", "3.1", "4.1"]) await store.saveKeptAnswer(kept(ts));
        // Not sent yet: its document may still come.
        await store.saveKeptAnswer(kept("5.1", { confirmedAt: 30 }));
        await store.savePin(pin("2.1"));
        await store.savePin(pin("3.1", { state: "tombstone", title: "" }));
        await store.forgetBefore(20);
        expect([await store.findCall("a"), (await store.findCall("b"))?.task]).toEqual([undefined, "b"]);
        const left = ["2.1", "3.1", "4.1", "5.1"].map((ts) => store.findKeptAnswer("C", ts));
        expect((await Promise.all(left)).map((one) => one?.ts)).toEqual(["2.1", undefined, undefined, "5.1"]);
        await store.forgetEverything();
        expect([await store.findCall("b"), await store.findKeptAnswer("C", "2.1")]).toEqual([undefined, undefined]);
      }));

    it("are found by whoever asked, and by whoever wanted a person", () =>
      withStore(async (store) => {
        await store.saveCall(call("a"));
        await store.saveCall(call("b", { by: "ADA", asker: "MIA", updatedAt: 20 }));
        await store.saveCall(call("c", { by: "MIA", asker: "MIA", helpers: ["ADA"] }));
        await store.saveCall(call("d", { by: "ADA2", asker: "MIA", question: '"asker":"ADA"' }));
        expect((await store.callsAskedBy("ADA")).map(({ task }) => task)).toEqual(["a", "b"]);
        expect((await store.callsAskedBy("MIA")).map(({ task }) => task)).toEqual(["c", "d", "b"]);
        expect(await store.callsAskedBy("%")).toEqual([]);
      }));
  });
}
