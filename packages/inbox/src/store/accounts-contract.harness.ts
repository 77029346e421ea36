import { describe, expect, it } from "vitest";
import type { Databases } from "./contract.harness.ts";
import type { Store } from "./open.ts";
import type { AccountRecord } from "./store.ts";

/** What every engine must do with accounts people connected. */
export function accountsContract(engine: string, databases: Databases): void {
  describe(`accounts in ${engine}`, () => {
    const ada: AccountRecord = {
      holder: "T:ADA",
      id: "0a1b",
      sealed: "sealed \0 1",
      facts: { name: "Ада 🇺🇦" },
      connectedAt: 5,
    };
    const bo: AccountRecord = { ...ada, holder: "T:BO", id: "0a1c", sealed: "sealed 2" };

    async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
      const store = await databases.open(await databases.create());
      await work(store).finally(() => store.close());
    }

    it("are found by whose they are and by their connection, one for each person", () =>
      withStore(async (store) => {
        await store.saveAccount(bo);
        await store.saveAccount(ada);
        expect(await store.accountOf("T:ADA")).toEqual(ada);
        expect(await store.account("0a1c")).toEqual(bo);
        expect(await store.allAccounts()).toEqual([ada, bo]);
        const again = { ...ada, id: "0a1d", connectedAt: 9 };
        await store.saveAccount(again);
        expect(await store.account("0a1b")).toBeUndefined();
        expect(await store.accountOf("T:ADA")).toEqual(again);
      }));

    it("are kept only while what they began with is remembered still", () =>
      withStore(async (store) => {
        const wanted = { name: "connecting:T:ADA", value: "first" };
        expect(await store.saveAccount(ada, wanted)).toBe(false);
        await store.remember(wanted.name, "first");
        expect(await store.saveAccount(ada, wanted)).toBe(true);
        await store.remember(wanted.name, "second");
        expect(await store.saveAccount({ ...ada, id: "late" }, wanted)).toBe(false);
        expect(await store.accountOf("T:ADA")).toEqual(ada);
        // Whoever takes it back at the same moment finds it, or it is never there.
        for (let round = 0; round < 20; round += 1) {
          await store.remember(wanted.name, "first");
          const takeBack = async (): Promise<void> => {
            await store.remember(wanted.name, `other ${round}`);
            const found = await store.accountOf("T:ADA");
            if (found !== undefined) await store.deleteAccount(found.id);
          };
          await Promise.all([store.saveAccount({ ...ada, id: `round ${round}` }, wanted), takeBack()]);
          expect(await store.accountOf("T:ADA")).toBeUndefined();
        }
      }));

    it("change only while they are connected", () =>
      withStore(async (store) => {
        await store.saveAccount(ada);
        await store.changeAccount(ada.id, { facts: { refused: 7 } });
        await store.changeAccount(ada.id, { sealed: "sealed anew" });
        expect(await store.accountOf("T:ADA")).toEqual({ ...ada, sealed: "sealed anew", facts: { refused: 7 } });
        expect(await store.deleteAccount(ada.id)).toBe(true);
        await store.changeAccount(ada.id, { sealed: "late" });
        expect(await store.accountOf("T:ADA")).toBeUndefined();
        expect(await store.deleteAccount(ada.id)).toBe(false);
      }));

    it("are forgotten with what is noted of them, and nothing of anybody else is", () =>
      withStore(async (store) => {
        await store.conversations.set("T:D:1:own:0a1b", { chatSessionId: "hers" });
        await store.conversations.set("T:D:1:own:0a1c", { chatSessionId: "his" });
        await store.remember("next:own:0a1b:TASK", "questions");
        await store.remember("next:own:0a1c:TASK", "questions");
        for (const [ts, id] of [
          ["1", "0a1b"],
          ["2", "0a1c"],
          ["3", "0a1b"],
        ] as const) {
          const task = { key: `question:${ts}`, kind: "question", partitionKey: ts, body: {} } as const;
          await store.accept(task, Number(ts));
          const claimed = await store.claim("a", { now: 1, leaseMs: 60_000 });
          await store.save(claimed?.id ?? "", "a", { key: `own:${id}`, session: id });
          if (ts !== "3") await store.end(claimed?.id ?? "", "a", "answered", 2);
        }
        await store.forgetNotesOf("0a1b", (progress) => ({ was: typeof progress }));
        expect(await store.conversations.get("T:D:1:own:0a1b")).toBeUndefined();
        expect(await store.conversations.get("T:D:1:own:0a1c")).toEqual({ chatSessionId: "his" });
        expect(await store.recall("next:own:0a1b:TASK")).toBeUndefined();
        expect(await store.recall("next:own:0a1c:TASK")).toBe("questions");
        const progressOf = async (ts: string) => (await store.findByKey(`question:${ts}`))?.progress;
        expect(await progressOf("1")).toEqual({ was: "object" });
        expect(await progressOf("2")).toEqual({ key: "own:0a1c", session: "0a1c" });
        // Somebody is at work at it.
        expect(await progressOf("3")).toEqual({ key: "own:0a1b", session: "0a1b" });
      }));

    it("go with everything else of the workspace", () =>
      withStore(async (store) => {
        await store.saveAccount(ada);
        await store.forgetEverything();
        expect(await store.allAccounts()).toEqual([]);
      }));
  });
}
