import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { openStore, Store } from "./open.ts";
import type { AnswerRecord, NewTask, PinRecord, Task } from "./store.ts";

/** Databases of one engine. */
export interface Databases {
  /** Address of a new, empty one. */
  create(): Promise<string>;
  readonly open: typeof openStore;
}

const UNICODE = `žluťoučký 🇨🇿 e\u0301 \u202Eמבטא ${"𝒳".repeat(20_000)} \u{10FFFF}`;
const ODD = "nul \0, its escape \u0001, \u00010000, half a pair \ud83d, a quote ', a dollar $1 and \\";

/** What every engine must do. */
export function storeContract(engine: string, databases: Databases): void {
  describe(`a store in ${engine}`, () => {
    let url: string;
    let store: Store;
    beforeEach(async () => {
      url = await databases.create();
      store = await databases.open(url);
    });
    afterEach(() => store.close());

    describe("accepting", () => {
      it("keeps a task whole, under a short reference", async () => {
        const body = { text: UNICODE, odd: ODD, nested: [1, null, { "": -0.5 }], empty: {} };
        expect(await store.accept({ key: `question:${ODD}`, kind: "question", partitionKey: ODD, body }, 1_000)).toBe(
          true,
        );
        const found = await store.findByKey(`question:${ODD}`);
        expect(found).toEqual({
          id: expect.stringMatching(/^[2-9A-HJKMNP-TV-Z]{8}$/),
          key: `question:${ODD}`,
          kind: "question",
          partitionKey: ODD,
          body,
          acceptedAt: 1_000,
          attempts: 0,
          excused: 0,
          state: "waiting",
          progress: null,
        });
        expect(await store.find(found?.id ?? "")).toEqual(found);
        expect(await store.find("NOSUCHID")).toBeUndefined();
      });

      it("keeps a task once, however often it is delivered at the same time", async () => {
        const other = await databases.open(url);
        const deliveries = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? store : other).accept(task("1"), n));
        const answers = await Promise.all(deliveries);
        await other.close();
        expect(answers.filter((isNew) => isNew)).toHaveLength(1);
        expect(await store.backlog()).toEqual({ waiting: 1, running: 0 });
      });

      it("knows a task again after it ended", async () => {
        await store.accept(task("1"), 1);
        await finish(store, await claim(store, "a", 1));
        expect(await store.accept(task("1"), 2)).toBe(false);
      });

      it("outlives being closed and opened", async () => {
        await store.accept(task("1", { body: { text: "still here" } }), 1);
        await store.close();
        store = await databases.open(url);
        expect((await claim(store, "a", 2)).body).toEqual({ text: "still here" });
      });
    });

    describe("claiming", () => {
      it("gives the oldest first, by its moment and then by its arrival", async () => {
        for (const [ts, at] of [
          ["c", 3],
          ["a", 1],
          ["b1", 2],
          ["b2", 2],
        ] as const)
          await store.accept(task(ts), at);
        const order: string[] = [];
        for (let n = 0; n < 4; n++) order.push((await claim(store, "a", 10)).key.slice(-2));
        expect(order).toEqual([":a", "b1", "b2", ":c"]);
        expect(await store.claim("a", { now: 10, leaseMs: 10 })).toBeUndefined();
      });

      it("gives each task to one of many claimants", async () => {
        for (let n = 0; n < 30; n++) await store.accept(task(String(n)), n);
        const stores = [store, await databases.open(url), await databases.open(url)];
        const claimed = await Promise.all(
          Array.from({ length: 20 }, async (_, claimant) => {
            const mine: string[] = [];
            for (;;) {
              const from = stores[claimant % stores.length] ?? store;
              const next = await from.claim(`claimant ${claimant}`, { now: 100, leaseMs: 60_000 });
              if (next === undefined) return mine;
              mine.push(next.id);
            }
          }),
        );
        await Promise.all(stores.slice(1).map((other) => other.close()));
        expect(claimed.flat()).toHaveLength(30);
        expect(new Set(claimed.flat()).size).toBe(30);
      });

      it("runs one task of a partition at a time and in order, however many claim", async () => {
        const stores = [store, await databases.open(url)];
        for (let n = 0; n < 24; n++) await store.accept(task(String(n), { partitionKey: `partition ${n % 3}` }), n);
        const running = new Set<string>();
        const ended: { partitionKey: string; at: number }[] = [];
        await Promise.all(
          Array.from({ length: 12 }, async (_, claimant) => {
            const from = stores[claimant % 2] ?? store;
            while (ended.length < 24) {
              const next = await from.claim(`claimant ${claimant}`, { now: 100, leaseMs: 60_000 });
              if (next === undefined) {
                await new Promise((resolve) => setTimeout(resolve, 5));
                continue;
              }
              expect(running.has(next.partitionKey)).toBe(false);
              running.add(next.partitionKey);
              await new Promise((resolve) => setImmediate(resolve));
              ended.push({ partitionKey: next.partitionKey, at: next.acceptedAt });
              running.delete(next.partitionKey);
              expect(await from.end(next.id, `claimant ${claimant}`, "done", 100)).toBe(true);
            }
          }),
        );
        await stores[1]?.close();
        for (const partitionKey of ["partition 0", "partition 1", "partition 2"]) {
          const moments = ended.filter((one) => one.partitionKey === partitionKey).map(({ at }) => at);
          expect(moments).toEqual(moments.toSorted((one, other) => one - other));
          expect(moments).toHaveLength(8);
        }
      });

      it("does not begin an older task of a partition that arrives while a younger one runs", async () => {
        await store.accept(task("younger", { partitionKey: "l" }), 10);
        const younger = await claim(store, "a", 10);
        await store.accept(task("older", { partitionKey: "l" }), 5);
        expect(await store.claim("b", { now: 10, leaseMs: 10 })).toBeUndefined();
        await finish(store, younger);
        expect((await claim(store, "b", 10)).key).toBe("question:T:C:older");
      });

      it("is not kept from other partitions by an older task that has to wait", async () => {
        await store.accept(task("younger", { partitionKey: "l" }), 10);
        await claim(store, "a", 10);
        await store.accept(task("older", { partitionKey: "l" }), 5);
        await store.accept(task("elsewhere"), 20);
        expect((await claim(store, "b", 20)).key).toBe("question:T:C:elsewhere");
      });

      it("gives only the kinds that are asked for", async () => {
        await store.accept(task("1"), 1);
        await store.accept(task("2", { kind: "pin", key: "pin:T:C:2" }), 2);
        expect((await store.claim("a", { now: 3, leaseMs: 10, kinds: ["pin", "unpin"] }))?.kind).toBe("pin");
        expect(await store.claim("a", { now: 3, leaseMs: 10, kinds: ["pin", "unpin"] })).toBeUndefined();
        expect(await store.claim("a", { now: 3, leaseMs: 10, kinds: [] })).toBeUndefined();
        expect((await claim(store, "a", 3)).kind).toBe("question");
      });

      it("keeps a partition waiting behind its postponed task", async () => {
        await store.accept(task("first", { partitionKey: "l" }), 1);
        await store.accept(task("second", { partitionKey: "l" }), 2);
        const first = await claim(store, "a", 3);
        expect(await store.postpone(first.id, "a", 50, { isExcused: false })).toBe(true);
        expect(await store.claim("a", { now: 49, leaseMs: 10 })).toBeUndefined();
        const again = await claim(store, "a", 50);
        expect([again.id, again.attempts, again.excused]).toEqual([first.id, 2, 0]);
        expect(await store.postpone(first.id, "a", 60, { isExcused: true })).toBe(true);
        expect(await claim(store, "a", 60)).toMatchObject({ id: first.id, attempts: 3, excused: 1 });
      });

      it("gives a released task again at once, which says nothing against it, and knows that it was begun", async () => {
        await store.accept(task("1"), 1);
        const first = await claim(store, "a", 2);
        expect(await store.release(first.id, "b")).toBe(false);
        expect(await store.release(first.id, "a")).toBe(true);
        expect(await claim(store, "b", 2)).toMatchObject({ attempts: 2, excused: 1 });
      });
    });

    describe("a lease", () => {
      it("ends without a heartbeat, and the task is another's", async () => {
        await store.accept(task("1"), 0);
        await claim(store, "a", 0, 100);
        expect(await store.claim("b", { now: 99, leaseMs: 100 })).toBeUndefined();
        expect((await claim(store, "b", 100, 100)).attempts).toBe(2);
      });

      it("lasts as long as the heartbeat", async () => {
        await store.accept(task("1"), 0);
        const { id } = await claim(store, "a", 0, 100);
        expect(await store.renewLease(id, "a", { now: 90, leaseMs: 100 })).toEqual({
          held: true,
          stopRequested: false,
        });
        expect(await store.claim("b", { now: 150, leaseMs: 100 })).toBeUndefined();
      });

      it("that was lost changes nothing any more", async () => {
        await store.accept(task("1"), 0);
        const { id } = await claim(store, "a", 0, 100);
        expect(await store.save(id, "a", { posted: ["1.0"] })).toBe(true);
        await claim(store, "b", 200, 100);
        expect(await store.renewLease(id, "a", { now: 201, leaseMs: 100 })).toEqual({
          held: false,
          stopRequested: false,
        });
        expect(await store.save(id, "a", { posted: ["2.0"] })).toBe(false);
        expect(await store.postpone(id, "a", 300, { isExcused: false })).toBe(false);
        expect(await store.release(id, "a")).toBe(false);
        expect(await store.end(id, "a", "answered", 201)).toBe(false);
        expect(await store.find(id)).toMatchObject({ state: "running", progress: { posted: ["1.0"] } });
        expect(await store.end(id, "b", "answered", 202)).toBe(true);
        expect(await store.end(id, "b", "failed", 203)).toBe(false);
        expect(await store.find(id)).toMatchObject({ state: "ended", outcome: "answered", attempts: 2 });
      });
    });

    it("begins again what has ended, and nothing that is still under way", async () => {
      await store.accept(task("1"), 1);
      const { id } = await claim(store, "a", 2);
      expect(await store.reopen(id, { posted: ["1.0"] })).toBe(false);
      expect(await store.find(id)).toMatchObject({ state: "running", progress: null });
      expect(await store.end(id, "a", "answered", 3)).toBe(true);
      expect(await store.reopen(id, { posted: ["1.0"] })).toBe(true);
      expect(await store.reopen(id, { posted: ["2.0"] })).toBe(false);
      expect(await claim(store, "b", 4)).toMatchObject({ id, progress: { posted: ["1.0"] } });
    });

    it("counts what waits, what runs and what comes before a task", async () => {
      for (const ts of ["1", "2", "3"]) await store.accept(task(ts, { partitionKey: "l" }), Number(ts));
      await store.accept(task("elsewhere"), 0);
      const third = (await store.findByKey("question:T:C:3"))?.id ?? "";
      expect(await store.ahead(third)).toBe(2);
      await claim(store, "a", 10);
      const first = await claim(store, "a", 10);
      expect(await store.backlog()).toEqual({ waiting: 2, running: 2 });
      expect([await store.ahead(first.id), await store.ahead(third), await store.ahead("NOSUCHID")]).toEqual([0, 2, 0]);
      await finish(store, first);
      expect(await store.ahead(third)).toBe(1);
    });

    it("brings a Stop to whoever runs the partition's task, at the next heartbeat", async () => {
      const other = await databases.open(url);
      await store.accept(task("1", { partitionKey: "l" }), 0);
      expect(await other.requestStop("l")).toBe(false);
      const { id } = await claim(store, "a", 0, 100);
      expect(await other.requestStop("elsewhere")).toBe(false);
      expect(await other.requestStop("l")).toBe(true);
      expect(await store.renewLease(id, "a", { now: 1, leaseMs: 100 })).toEqual({ held: true, stopRequested: true });
      await store.postpone(id, "a", 50, { isExcused: false });
      expect(await other.requestStop("l")).toBe(true);
      await claim(other, "b", 60, 100);
      expect(await other.renewLease(id, "b", { now: 61, leaseMs: 100 })).toEqual({ held: true, stopRequested: true });
      await other.close();
    });

    it("keeps the trace of a message in order, and the last words of what was refused", async () => {
      await store.trace("T:C:1", { at: 5, words: "A question." });
      await store.trace("T:C:1", { at: 7, words: `Refused: ${ODD}` });
      await store.trace("T:C:1", { at: 6, words: "The asker is a guest." });
      await store.trace("T:C:2", { at: 6, words: "Another." });
      expect((await store.traceOf("T:C:1")).map(({ words }) => words)).toEqual([
        "A question.",
        "The asker is a guest.",
        `Refused: ${ODD}`,
      ]);
      for (const [ts, outcome] of [
        ["1", "refused"],
        ["2", "answered"],
        ["3", "failed"],
      ] as const) {
        await store.accept(task(ts), Number(ts));
        await store.end((await claim(store, "a", 10)).id, "a", outcome, 10 + Number(ts));
      }
      expect(await store.recentRefusals(5)).toEqual([
        { place: "T:C:3", words: "failed", at: 13 },
        { place: "T:C:1", words: `Refused: ${ODD}`, at: 11 },
      ]);
      expect(await store.recentRefusals(1)).toHaveLength(1);
    });

    it("keeps one conversation per place", async () => {
      const { conversations } = store;
      expect(await conversations.get("p")).toBeUndefined();
      await conversations.set("p", { chatSessionId: "1", messageId: 2 });
      await conversations.set("p", { chatSessionId: "1", messageId: 4, userMessageId: 3 });
      expect(await conversations.get("p")).toEqual({ chatSessionId: "1", messageId: 4, userMessageId: 3 });
      await conversations.delete("p");
      await conversations.delete("p");
      expect(await conversations.get("p")).toBeUndefined();
    });

    it("finds an answer by each of its messages", async () => {
      const first = answer("TASK1", ["1.1", "1.2"]);
      await store.saveAnswer(first);
      await store.saveAnswer(answer("TASK2", ["2.1"]));
      expect(await store.findAnswer("C", "1.2")).toEqual(first);
      const grown = { ...first, messages: ["1.1", "1.3", `${UNICODE}${ODD}`] };
      await store.saveAnswer(grown);
      expect(await store.findAnswer("C", "1.3")).toEqual(grown);
      expect(await store.findAnswer("C", "1.2")).toBeUndefined();
      expect(await store.findAnswer("D", "1.1")).toBeUndefined();
      expect(await store.findAnswer("C", `${UNICODE}${ODD}`)).toEqual(grown);
      expect(await store.findAnswer("C", "2.1")).toEqual(answer("TASK2", ["2.1"]));
    });

    it("keeps pins by their message", async () => {
      const pins = [pin("C", "1"), pin("C", "2"), pin("D", "1")];
      for (const one of pins) await store.savePin(one);
      const changed = { ...pin("C", "2"), state: "indexed" as const, title: ODD, serverId: "S" };
      await store.savePin(changed);
      expect(await store.findPin("C", "2")).toEqual(changed);
      expect(await store.pinsOf("C")).toEqual([pin("C", "1"), changed]);
      await store.forgetPin("C", "1");
      expect(await store.findPin("C", "1")).toBeUndefined();
      expect(await store.allPins()).toEqual([changed, pin("D", "1")]);
    });

    it("saves a pin in place of the one that was found, and of no other", async () => {
      const found = { ...pin("C", "1"), title: "What 李雷 said\u0000", state: "accepted" as const };
      await store.savePin(found);
      const read = await store.findPin("C", "1");
      if (read === undefined) throw new Error("it is not there");
      const gone = { ...read, title: "", state: "tombstone" as const };
      await store.savePin(gone);
      expect(await store.replacePin(read, { ...read, state: "indexed" })).toBe(false);
      expect(await store.findPin("C", "1")).toEqual(gone);
      expect(await store.replacePin(gone, { ...found, state: "indexed", due: 7 })).toBe(true);
      expect(await store.pinsDue(7)).toEqual([{ ...found, state: "indexed", due: 7 }]);
    });

    it("lets one alone of many be the first to remember something", async () => {
      const first = await Promise.all(["a", "b", "c"].map((value) => store.rememberFirst("told:C1:U1", value)));
      expect(first.filter(Boolean)).toHaveLength(1);
      const kept = await store.recall("told:C1:U1");
      expect(kept).toBe(["a", "b", "c"][first.indexOf(true)]);
      expect(await store.rememberFirst("told:C1:U1", "d")).toBe(false);
    });

    it("lets one alone of many remember something in place of what was", async () => {
      const since = Date.now() - 60_000;
      const begin = (value: string, from = since) =>
        store.rememberInstead("judgement:1:U1", value, { unless: "good", since: from });
      for (const value of ["begun", "begun again"]) {
        const claimed = await Promise.all([begin(value), begin(value), begin(value)]);
        expect(claimed.filter(Boolean)).toHaveLength(1);
        expect(await store.recall("judgement:1:U1")).toBe(value);
      }
      // Whoever began it is taken to be gone.
      expect(await begin("begun again", Date.now() + 60_000)).toBe(true);
      await store.remember("judgement:1:U1", "good");
      expect(await begin("begun", Date.now() + 60_000)).toBe(false);
      expect(await store.recall("judgement:1:U1")).toBe("good");
    });

    it("finds the pins of a thread, the newest of a channel, and those a server has taken", async () => {
      const old = { ...pin("C", "1"), state: "accepted" as const, updatedAt: 10 };
      const reply = { ...pin("C", "2"), state: "accepted" as const, root: "1", updatedAt: 30.4 };
      const other = { ...pin("C", "3"), state: "indexed" as const, updatedAt: 20 };
      const gone = { ...pin("C", "4"), state: "tombstone" as const, root: "1", updatedAt: 40 };
      const elsewhere = { ...pin("D", "2"), root: "1", updatedAt: 50 };
      for (const one of [old, reply, other, gone, elsewhere]) await store.savePin(one);
      expect(await store.pinsOfThread("C", { ts: "1", root: "1" })).toEqual([old, reply, gone]);
      expect(await store.pinsOfThread("C", { ts: "3", root: "2" })).toEqual([reply, other]);
      expect(await store.newestPins("C", 2)).toEqual({ newest: [reply, other], count: 3 });
      expect(await store.newestPins("E", 2)).toEqual({ newest: [], count: 0 });
      expect(await store.pinsAccepted(0)).toEqual([old, reply]);
      expect(await store.pinsAccepted(10)).toEqual([reply]);
      await store.savePin({ ...reply, state: "indexed" });
      expect(await store.pinsAccepted(0)).toEqual([old]);
    });

    it("gives the pins whose time has come, the longest waiting first, and no other", async () => {
      const waits = (ts: string, due: number) => ({ ...pin("C", ts), state: "unconfirmed" as const, sends: 2, due });
      for (const one of [waits("1", 2_000), waits("2", 1_000.4), waits("3", 3_000), pin("C", "4")])
        await store.savePin(one);
      expect(await store.pinsDue(999)).toEqual([]);
      expect(await store.pinsDue(2_000)).toEqual([waits("2", 1_000.4), waits("1", 2_000)]);
      await store.savePin(pin("C", "2"));
      expect(await store.pinsDue(2_000)).toEqual([waits("1", 2_000)]);
    });

    describe("a rate limit", () => {
      const limit = { name: "b", most: 3, windowMs: 100 };

      it("lets no more than its most through any window, and says when one is free again", async () => {
        const hits = [];
        for (const now of [0, 60, 90, 95, 100, 101, 160]) {
          hits.push([await store.hit([limit], now), await store.hitsLeft(limit, now)]);
        }
        expect(hits).toEqual([
          [{ allowed: true }, 2],
          [{ allowed: true }, 1],
          [{ allowed: true }, 0],
          [{ allowed: false, name: "b", resetAt: 100 }, 0],
          [{ allowed: true }, 0],
          [{ allowed: false, name: "b", resetAt: 160 }, 0],
          [{ allowed: true }, 0],
        ]);
        expect(await store.hit([limit], 160)).toEqual({ allowed: false, name: "b", resetAt: 190 });
      });

      it("is exact for many who come at once", async () => {
        const seven = { name: "b", most: 7, windowMs: 1_000 };
        const stores = [store, await databases.open(url), await databases.open(url)];
        const hits = await Promise.all(Array.from({ length: 30 }, (_, n) => (stores[n % 3] ?? store).hit([seven], n)));
        await Promise.all(stores.slice(1).map((other) => other.close()));
        expect(hits.filter(({ allowed }) => allowed)).toHaveLength(7);
        expect(await store.hitsLeft(seven, 30)).toBe(0);
      });

      it("is not touched by looking", async () => {
        expect(await store.hitsLeft(limit, 5)).toBe(3);
        await store.hit([limit], 5);
        expect(await store.hitsLeft(limit, 6)).toBe(2);
        expect(await store.hitsLeft(limit, 6)).toBe(2);
      });

      it("counts nothing when another one of several is reached, whatever the order", async () => {
        const wide = { name: "wide", most: 10, windowMs: 100 };
        const narrow = { name: "narrow", most: 2, windowMs: 50 };
        const stores = [store, await databases.open(url)];
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, n) =>
            (stores[n % 2] ?? store).hit(n % 3 === 0 ? [wide, narrow] : [narrow, wide], 0),
          ),
        );
        await stores[1]?.close();
        expect(answers.filter(({ allowed }) => allowed)).toHaveLength(2);
        expect(answers).toContainEqual({ allowed: false, name: "narrow", resetAt: 50 });
        expect(await store.hitsLeft(wide, 0)).toBe(8);
        expect(await store.hit([], 0)).toEqual({ allowed: true });
      });

      it("says of several that are reached which one stays so longest", async () => {
        const [soon, late] = [
          { name: "soon", most: 1, windowMs: 50 },
          { name: "late", most: 1, windowMs: 100 },
        ];
        await store.hit([soon, late], 0);
        for (const both of [
          [soon, late],
          [late, soon],
        ])
          expect(await store.hit(both, 10)).toEqual({ allowed: false, name: "late", resetAt: 100 });
      });

      it("that was lowered lets nothing through until enough left the window", async () => {
        for (const now of [0, 10, 20]) await store.hit([limit], now);
        expect(await store.hit([{ ...limit, most: 1 }], 30)).toEqual({ allowed: false, name: "b", resetAt: 120 });
        expect(await store.hitsLeft({ ...limit, most: 1 }, 30)).toBe(0);
        expect(await store.hit([{ ...limit, most: 0 }], 30)).toMatchObject({ allowed: false });
        expect(await store.hitsLeft({ ...limit, most: 0 }, 30)).toBe(0);
      });
    });

    it("gives a turn to one caller per period", async () => {
      const stores = [store, await databases.open(url)];
      const turn = (now: number): Promise<boolean[]> =>
        Promise.all(
          Array.from({ length: 10 }, (_, n) => (stores[n % 2] ?? store).claimTurn("t", { now, periodMs: 50 })),
        );
      expect((await turn(0)).filter((mine) => mine)).toHaveLength(1);
      expect((await turn(49)).filter((mine) => mine)).toHaveLength(0);
      expect((await turn(50)).filter((mine) => mine)).toHaveLength(1);
      expect(await store.claimTurn("another", { now: 50, periodMs: 50 })).toBe(true);
      await stores[1]?.close();
    });

    it("remembers settings", async () => {
      expect(await store.recall("s")).toBeUndefined();
      await store.remember("s", "one");
      await store.remember("s", ODD);
      expect(await store.recall("s")).toBe(ODD);
      await store.remember("s", "");
      expect(await store.recall("s")).toBe("");
    });

    it("remembers no longer than somebody wants it to count", async () => {
      await store.close();
      let now = 1_000;
      store = await databases.open(url, { clock: () => now });
      await store.remember("s", "one");
      expect(await store.recall("s", { since: 1_000 })).toBe("one");
      expect(await store.recall("s", { since: 1_001 })).toBeUndefined();
      now = 2_000;
      await store.remember("s", "two");
      expect(await store.recall("s", { since: 1_001 })).toBe("two");
    });

    it("forgets what people did before a moment, and not what holds until it is changed", async () => {
      const day = 86_400_000;
      await store.close();
      let now = day;
      store = await databases.open(url, { clock: () => now });
      await store.remember("looks at:U1", "C1");
      await store.remember("told:C1:U1:no pins", "10");
      await store.remember("introduced:C1", "10", { lasting: true });
      now = 3 * day;
      await store.claimTurn("help:TASK1", { now: day, periodMs: day / 2 });
      await store.remember("looks at:U1", "C2");
      await store.remember("judgement:TASK2:U1", "good");
      await store.claimTurn("help:TASK2", { now, periodMs: day / 2 });
      // What was told, and who was called for help.
      expect(await store.forgetBefore(2 * day)).toBe(2);
      expect(await store.recall("looks at:U1")).toBe("C2");
      expect(await store.recall("judgement:TASK2:U1")).toBe("good");
      expect(await store.recall("told:C1:U1:no pins")).toBeUndefined();
      expect(await store.recall("introduced:C1")).toBe("10");
      expect(await store.claimTurn("help:TASK2", { now, periodMs: day / 2 })).toBe(false);
      expect(await store.forgetBefore(4 * day)).toBe(3);
      expect(await store.recall("introduced:C1")).toBe("10");
    });

    it("forgets what ended before a moment, and nothing that is still to be done", async () => {
      for (const ts of ["1", "2", "3"]) await store.accept(task(ts), Number(ts));
      await store.end((await claim(store, "a", 10)).id, "a", "done", 10);
      await store.end((await claim(store, "a", 20)).id, "a", "done", 20);
      for (const at of [10, 20]) await store.trace("T:C:1", { at, words: "seen" });
      await store.saveAnswer({ ...answer("TASK1", ["1.1"]), createdAt: 10 });
      await store.saveAnswer({ ...answer("TASK2", ["2.1"]), createdAt: 20 });
      await store.savePin(pin("C", "1"));
      expect(await store.forgetBefore(20)).toBe(3);
      expect(await store.findByKey("question:T:C:1")).toBeUndefined();
      expect(await store.findByKey("question:T:C:2")).toMatchObject({ state: "ended" });
      expect(await store.findByKey("question:T:C:3")).toMatchObject({ state: "waiting" });
      expect(await store.traceOf("T:C:1")).toHaveLength(1);
      expect(await store.findAnswer("C", "1.1")).toBeUndefined();
      expect(await store.findAnswer("C", "2.1")).toBeDefined();
      expect(await store.allPins()).toHaveLength(1);
      await store.conversations.set("p", { chatSessionId: "1" });
      expect(await store.forgetBefore(Date.now() - 60_000)).toBe(3);
      expect(await store.conversations.get("p")).toBeDefined();
      expect(await store.forgetBefore(Date.now() + 60_000)).toBe(1);
      expect(await store.conversations.get("p")).toBeUndefined();
      expect(await store.backlog()).toEqual({ waiting: 1, running: 0 });
    });

    it("forgets everything, and goes on from there", async () => {
      await store.accept(task("1"), 1);
      await store.trace("T:C:1", { at: 1, words: "seen" });
      await store.conversations.set("p", { chatSessionId: "1" });
      await store.saveAnswer(answer("TASK1", ["1.1"]));
      await store.savePin(pin("C", "1"));
      await store.remember("s", "one");
      await store.hit([{ name: "b", most: 1, windowMs: 1_000 }], 0);
      await store.claimTurn("t", { now: 0, periodMs: 1_000 });
      await store.forgetEverything();
      expect(await store.backlog()).toEqual({ waiting: 0, running: 0 });
      expect(await store.traceOf("T:C:1")).toEqual([]);
      expect(await store.conversations.get("p")).toBeUndefined();
      expect(await store.findAnswer("C", "1.1")).toBeUndefined();
      expect(await store.allPins()).toEqual([]);
      expect(await store.recall("s")).toBeUndefined();
      expect(await store.hit([{ name: "b", most: 1, windowMs: 1_000 }], 0)).toEqual({ allowed: true });
      expect(await store.claimTurn("t", { now: 0, periodMs: 1_000 })).toBe(true);
      expect(await store.accept(task("1"), 1)).toBe(true);
      await store.check();
    });

    it("is made once by instances that start at the same moment", async () => {
      const fresh = await databases.create();
      const opened = await Promise.all([1, 2, 3, 4].map(() => databases.open(fresh)));
      await opened[0]?.accept(task("1"), 1);
      expect(await opened[3]?.findByKey("question:T:C:1")).toMatchObject({ state: "waiting" });
      await Promise.all(opened.map((one) => one.close()));
    });
  });
}

function task(ts: string, rest: Partial<NewTask> = {}): NewTask {
  return { key: `question:T:C:${ts}`, kind: "question", partitionKey: `partition of ${ts}`, body: {}, ...rest };
}

async function claim(store: Store, owner: string, now: number, leaseMs = 60_000): Promise<Task> {
  const claimed = await store.claim(owner, { now, leaseMs });
  if (claimed === undefined) throw new Error("There was nothing to claim.");
  return claimed;
}

async function finish(store: Store, { id }: Task): Promise<void> {
  expect(await store.end(id, "a", "done", 10)).toBe(true);
}

function answer(taskId: string, messages: readonly string[]): AnswerRecord {
  return { taskId, channel: "C", messages, createdAt: 5 };
}

function pin(channel: string, ts: string): PinRecord {
  return { team: "T", channel, ts, documentId: `doc ${ts}`, state: "waiting", by: "U", title: "A rule", updatedAt: 5 };
}
