import { describe, expect, it } from "vitest";
import type { Databases } from "./contract.harness.ts";
import type { Store } from "./open.ts";
import type { WaitingQuestion } from "./store.ts";

type Waiting = Omit<WaitingQuestion, "telling" | "toldAt">;

/** What every engine must do with questions that wait, and with gaps of its own. */
export function gapsContract(engine: string, databases: Databases): void {
  describe(`questions that wait in ${engine}`, () => {
    const asked = (ref: string, over: Partial<Waiting> = {}): Waiting => ({
      ref,
      gap: "s1",
      asker: "T:ADA",
      place: `T:C:${ref}`,
      askedAt: 10,
      isShared: true,
      reasons: ["nothing"],
      where: { channel: "C", thread: ref },
      words: "Wo ist der Schlüssel? 🗝",
      ...over,
    });

    async function withStore(work: (store: Store, other: Store) => Promise<void>): Promise<void> {
      const url = await databases.create();
      const store = await databases.open(url);
      const other = await databases.open(url);
      await work(store, other).finally(() => Promise.all([store.close(), other.close()]));
    }
    /** Into the gap of whatever has the same traits. */
    const own = (store: Store, { gap: _gap, ...question }: Waiting, traits: string) =>
      store.saveOwnWaiting(question, traits, (known) => {
        const [gap, ...also] = new Set(
          known.filter((one) => traits.includes(String(one.traits))).map((one) => one.gap),
        );
        return { gap, also };
      });

    it("are found by themselves, their message, their asker and their gap", () =>
      withStore(async (store) => {
        await store.saveWaiting(asked("b", { askedAt: 20 }));
        await store.saveWaiting(asked("a"));
        await store.saveWaiting(
          asked("c", { gap: "s2", asker: "T:BO", words: undefined, where: undefined, isShared: false }),
        );
        expect(await store.findWaiting("a")).toEqual(asked("a"));
        expect(await store.waitingAt("T:C:b")).toEqual([asked("b", { askedAt: 20 })]);
        expect((await store.waitingOf("T:ADA")).map(({ ref }) => ref)).toEqual(["a", "b"]);
        expect((await store.waitingIn("s2")).map(({ ref }) => ref)).toEqual(["c"]);
        expect(await store.askersWaiting()).toEqual(["T:ADA", "T:BO"]);
        await store.moveWaiting("s2", "s1");
        expect((await store.waitingIn("s1")).map(({ ref }) => ref)).toEqual(["a", "c", "b"]);
        expect(await store.forgetWaiting(["a", "none"])).toBe(1);
        expect(await store.findWaiting("a")).toBeUndefined();
      }));

    it("come into one gap of the store when they are alike, whoever notes them at the same moment", () =>
      withStore(async (store, other) => {
        const noted = await Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            own(at % 2 === 0 ? store : other, asked(String(at), { asker: `T:${at % 5}` }), `about ${at % 2}`),
          ),
        );
        expect(new Set(noted.map(({ gap }) => gap)).size).toBe(2);
        expect(noted.filter(({ isNew }) => isNew)).toHaveLength(2);
        expect(await store.gapsWaitedFor(9)).toMatchObject([
          { people: 5, questions: 10 },
          { people: 5, questions: 10 },
        ]);
        expect(await store.gapsWaitedFor(9, { own: true })).toHaveLength(2);
      }));

    it("stay in their gap however often they are noted, and leave it when they say something else", () =>
      withStore(async (store) => {
        const first = await own(store, asked("a"), "keys");
        expect(await own(store, asked("a", { reasons: ["nothing", "human"] }), "keys")).toEqual({
          ...first,
          isNew: false,
        });
        expect(await store.findWaiting("a")).toMatchObject({ gap: first.gap, reasons: ["nothing", "human"] });
        await store.chooseTellings(first.gap, () => new Map([["a", "telling"]]));
        const second = await own(store, asked("a"), "forms");
        expect(second.gap).not.toBe(first.gap);
        expect(await store.ownGap(first.gap)).toBeUndefined();
        expect((await store.findWaiting("a"))?.telling).toBeUndefined();
        // The server has gaps by now.
        await store.saveWaiting(asked("a", { gap: "s7" }));
        expect(await store.ownGap(second.gap)).toBeUndefined();
        expect(await store.gapsWaitedFor(9, { own: true })).toEqual([]);
      }));

    it("close and open again with their gap, and find it closed", () =>
      withStore(async (store) => {
        const { gap } = await own(store, asked("a"), "keys");
        expect(await store.changeOwnGap(gap, "doc \0")).toBe(gap);
        expect(await own(store, asked("b"), "keys")).toEqual({
          gap,
          state: "closed",
          documentId: "doc \0",
          isNew: false,
        });
        expect(await store.gapsWaitedFor(9)).toEqual([]);
        expect(await store.changeOwnGap(gap, undefined)).toBe(gap);
        expect(await store.ownGap(gap)).toEqual({ gap, state: "open", documentId: undefined });
        expect(await store.changeOwnGap("s1", "doc")).toBeUndefined();
      }));

    it("are in one gap once somebody asks what two gaps are about, which is found by both names", () =>
      withStore(async (store) => {
        const { gap: keys } = await own(store, asked("a"), "keys");
        const { gap: doors } = await own(store, asked("b"), "doors");
        const { gap } = await own(store, asked("c"), "keys of doors");
        expect((await store.waitingIn(gap)).map(({ ref }) => ref)).toEqual(["a", "b", "c"]);
        expect(await store.gapsWaitedFor(9)).toHaveLength(1);
        for (const name of [keys, doors]) expect(await store.ownGap(name)).toMatchObject({ gap });
        expect(await store.changeOwnGap(keys === gap ? doors : keys, "doc")).toBe(gap);
        expect(await store.forgetBefore(5)).toBe(0);
        expect(await store.ownGap(doors)).toMatchObject({ state: "closed" });
        await store.forgetWaiting(["a", "b", "c"]);
        expect([await store.ownGap(keys), await store.ownGap(doors)]).toEqual([undefined, undefined]);
      }));

    it("are in the gap their asker says they are, alone where that is closed, else with all of their own", () =>
      withStore(async (store) => {
        const { gap: keys } = await own(store, asked("a"), "keys");
        const { gap: doors } = await own(store, asked("b"), "doors");
        await own(store, asked("c"), "doors");
        await store.changeOwnGap(keys, "doc");
        expect(await store.joinOwnGap("b", keys)).toMatchObject({ gap: keys, state: "closed", documentId: "doc" });
        expect((await store.waitingIn(doors)).map(({ ref }) => ref)).toEqual(["c"]);
        await store.changeOwnGap(keys, undefined);
        for (const _ of [1, 2]) expect(await store.joinOwnGap("c", keys)).toMatchObject({ gap: keys, state: "open" });
        expect((await store.waitingIn(keys)).map(({ ref }) => ref)).toEqual(["a", "b", "c"]);
        expect(await store.ownGap(doors)).toMatchObject({ gap: keys });
        expect(await store.joinOwnGap("none", keys)).toBeUndefined();
        expect(await store.joinOwnGap("c", "o99")).toBeUndefined();
      }));

    it("of a server's gaps are looked at by one of each, as long as somebody waits there", () =>
      withStore(async (store) => {
        for (const ref of ["a", "b", "c"]) await store.saveWaiting(asked(ref));
        await store.saveWaiting(asked("d", { gap: "s2", askedAt: 20 }));
        await own(store, asked("e"), "keys");
        expect((await store.gapsToLookAt(9)).map(({ gap }) => gap)).toEqual(["s1", "s2"]);
        expect((await store.gapsToLookAt(1)).map(({ ref }) => ref)).toEqual(["c"]);
        expect((await store.gapsToLookAt(1, "c")).map(({ ref }) => ref)).toEqual(["d"]);
        expect(await store.gapsToLookAt(1, "d")).toEqual([]);
        await store.chooseTellings("s2", () => new Map([["d", "telling"]]));
        expect((await store.gapsToLookAt(9)).map(({ gap }) => gap)).toEqual(["s1"]);
      }));

    it("are told of with one telling each, and once", () =>
      withStore(async (store, other) => {
        for (const ref of ["a", "b", "c"]) await store.saveWaiting(asked(ref));
        const choose = (questions: readonly WaitingQuestion[], telling: string) =>
          new Map(questions.filter((one) => one.telling === undefined).map(({ ref }) => [ref, telling]));
        await Promise.all([
          store.chooseTellings("s1", (questions) => choose(questions, "one")),
          other.chooseTellings("s1", (questions) => choose(questions, "two")),
        ]);
        const [one, two] = [await store.waitingFor("one"), await store.waitingFor("two")];
        expect([one.length, two.length].toSorted()).toEqual([0, 3]);
        const telling = one.length === 3 ? "one" : "two";
        await store.dropTelling(telling);
        expect(await store.waitingFor(telling)).toEqual([]);
        await store.chooseTellings("s1", () => new Map([["a", telling]]));
        await store.markTold(telling, 50);
        await store.markTold(telling, 60);
        expect(await store.findWaiting("a")).toMatchObject({ telling, toldAt: 50 });
        await store.dropTelling(telling);
        await store.chooseTellings("s1", () => new Map([["a", "again"]]));
        expect(await store.findWaiting("a")).toMatchObject({ telling, toldAt: 50 });
        // What had begun to tell them does not.
        await store.dropTelling(telling, { isBegun: true });
        const waiting = await store.findWaiting("a");
        expect([waiting?.telling, waiting?.toldAt]).toEqual([undefined, undefined]);
      }));

    it("are forgotten by two at once, while others are noted in the same gaps: none is lost, and each is in a gap there is", () =>
      withStore(async (store, other) => {
        for (let round = 0; round < 25; round += 1) {
          const about = `(${round})`;
          for (let at = 0; at < 3; at += 1) await own(store, asked(`old ${round} ${at}`, { askedAt: 10 }), about);
          const forgotten = Promise.all([store, other].map((one) => one.forgetBefore(20)));
          const noted = await Promise.all(
            [store, other, store, other].map((one, at) =>
              own(one, asked(`new ${round} ${at}`, { askedAt: 30 }), about),
            ),
          );
          expect((await forgotten).reduce((sum, count) => sum + count, 0)).toBe(3);
          for (const { gap } of noted) expect(await other.ownGap(gap)).toMatchObject({ state: "open" });
          expect(await store.waitingIn(noted[0]?.gap ?? "")).toHaveLength(4);
        }
        expect(await store.waitingOf("T:ADA")).toHaveLength(100);
      }));

    it("are forgotten when they are old, with gaps that hold nothing any more, and with everything", () =>
      withStore(async (store) => {
        const { gap } = await own(store, asked("a", { askedAt: 10 }), "keys");
        const { gap: kept } = await own(store, asked("b", { askedAt: 30 }), "forms");
        expect(await store.forgetBefore(20)).toBe(1);
        expect(await store.findWaiting("a")).toBeUndefined();
        expect(await store.ownGap(gap)).toBeUndefined();
        expect(await store.ownGap(kept)).toBeDefined();
        await store.forgetEverything();
        expect(await store.askersWaiting()).toEqual([]);
        expect(await store.ownGap(kept)).toBeUndefined();
      }));
  });
}
