import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Inbox } from "./inbox.ts";
import type { InboxOptions, RunResult, TaskTools } from "./task-tools.ts";
import { type Interruption, interruptionOf } from "./interruption.ts";
import { openStore, type Store } from "./store/open.ts";
import type { NewTask, Outcome, Task } from "./store/store.ts";

let folder: string;
let store: Store;
let inboxes: Inbox[];
let owners = 0;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "threadlore-inbox-"));
  store = await openStore(join(folder, "bot.db"));
  inboxes = [];
});
afterEach(async () => {
  await Promise.all(inboxes.map((inbox) => inbox.drain(0)));
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

type Needed = Pick<InboxOptions, "run"> & Partial<InboxOptions>;

function newInbox(options: Needed): Inbox {
  const inbox = new Inbox({
    store,
    owner: `instance ${++owners}`,
    giveUp: async () => undefined,
    pollMs: 20,
    renewMs: 20,
    backoffMs: () => 0,
    ...options,
  });
  inboxes.push(inbox);
  return inbox;
}

function question(ts: string, partitionKey = `partition ${ts}`): NewTask {
  return { key: `question:T:C:${ts}`, kind: "question", partitionKey, body: { ts } };
}

const keptAs = async (ts: string): Promise<Task | undefined> => store.findByKey(question(ts).key);

/** Awaits a condition, for as long as a slow machine may need. */
const WAIT = { timeout: 20_000, interval: 5 };
async function ended(ts: string, outcome: Outcome): Promise<void> {
  await expect.poll(async () => (await keptAs(ts))?.outcome, WAIT).toBe(outcome);
}

/** Resolves when the task is to be left, with why. */
function interrupted({ signal }: TaskTools): Promise<Interruption | undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(interruptionOf(signal));
    signal.addEventListener("abort", () => resolve(interruptionOf(signal)));
  });
}

describe("an inbox", () => {
  it("runs what was accepted, before and after it started, and ends it as the run says", async () => {
    const seen: unknown[] = [];
    const inbox = newInbox({
      async run(task) {
        seen.push(task.body);
        return task.key.endsWith("1") ? "answered" : "refused";
      },
    });
    expect(await inbox.accept(question("1"))).toBe(true);
    expect(await keptAs("1")).toMatchObject({ state: "waiting" });
    inbox.start();
    await ended("1", "answered");
    expect(await inbox.accept(question("2"))).toBe(true);
    expect(await inbox.accept(question("1"))).toBe(false);
    await ended("2", "refused");
    expect(seen).toEqual([{ ts: "1" }, { ts: "2" }]);
  });

  it("finds what another instance accepted", async () => {
    const run = vi.fn<InboxOptions["run"]>(async () => "done");
    newInbox({ run }).start();
    await store.accept(question("1"), Date.now());
    await ended("1", "done");
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("runs as many at a time as it may, and one per partition", async () => {
    const running = new Map<string, string>();
    const order: string[] = [];
    let most = 0;
    const three = Promise.withResolvers<void>();
    const inbox = newInbox({
      concurrency: 3,
      async run({ key, partitionKey }) {
        expect(running.get(partitionKey)).toBeUndefined();
        running.set(partitionKey, key);
        most = Math.max(most, running.size);
        // However slowly they are claimed, as many run at once as may.
        if (most === 3) three.resolve();
        await three.promise;
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push(key);
        running.delete(partitionKey);
        return "done";
      },
    });
    for (let n = 0; n < 20; n++) await inbox.accept(question(String(n), `partition ${n % 5}`));
    inbox.start();
    await expect.poll(() => order.length, WAIT).toBe(20);
    expect(most).toBe(3);
    for (let partition = 0; partition < 5; partition++) {
      const ofPartition = order.map((key) => Number(key.split(":").at(-1))).filter((n) => n % 5 === partition);
      expect(ofPartition).toEqual(ofPartition.toSorted((one, other) => one - other));
    }
  });

  it("begins a task that failed again, from what it had saved", async () => {
    const attempts: unknown[] = [];
    const onError = vi.fn<NonNullable<InboxOptions["onError"]>>();
    const inbox = newInbox({
      onError,
      async run({ progress }, { attempt, save }) {
        attempts.push([attempt, progress]);
        if (attempt === 3) return "answered";
        await save({ posted: attempt });
        throw new Error(`attempt ${attempt}`);
      },
    });
    await inbox.accept(question("1"));
    inbox.start();
    await ended("1", "answered");
    expect(attempts).toEqual([
      [1, null],
      [2, { posted: 1 }],
      [3, { posted: 2 }],
    ]);
    expect(onError.mock.calls.map(([error]) => String(error))).toEqual(["Error: attempt 1", "Error: attempt 2"]);
  });

  it("waits longer after each failure", async () => {
    let now = 1_000_000;
    const began: number[] = [];
    const inbox = newInbox({
      now: () => now,
      backoffMs: undefined,
      async run(_, { attempt }) {
        began.push(now);
        if (attempt < 4) throw new Error("not yet");
        return "done";
      },
    });
    await inbox.accept(question("1"));
    inbox.start();
    for (const [attempts, wait] of [
      [1, 1_000],
      [2, 2_000],
      [3, 4_000],
    ] as const) {
      await expect
        .poll(async () => (await keptAs("1"))?.state === "waiting" && began.length === attempts, WAIT)
        .toBe(true);
      now += wait - 1;
      expect(await store.claim("somebody", { now, leaseMs: 1_000 })).toBeUndefined();
      now += 1;
    }
    await ended("1", "done");
    expect(began).toEqual([1_000_000, 1_001_000, 1_003_000, 1_007_000]);
  });

  it("gives a task up after its last attempt, and says so once", async () => {
    const giveUp = vi.fn<InboxOptions["giveUp"]>(async () => undefined);
    const run = vi.fn<InboxOptions["run"]>(async () => {
      throw new Error("the service is down");
    });
    const inbox = newInbox({ run, giveUp, maxAttempts: 3 });
    await inbox.accept(question("1"));
    inbox.start();
    await ended("1", "failed");
    expect(run).toHaveBeenCalledTimes(3);
    expect(giveUp.mock.calls.map(([{ key }, error]) => [key, String(error)])).toEqual([
      ["question:T:C:1", "Error: the service is down"],
    ]);
  });

  it("begins a task again when nobody could be told that it failed, but not for ever", async () => {
    const giveUp = vi.fn<InboxOptions["giveUp"]>(async () => {
      throw new Error("nobody can be told");
    });
    const onUntold = vi.fn<NonNullable<InboxOptions["onUntold"]>>(async () => undefined);
    const inbox = newInbox({
      giveUp,
      onUntold,
      maxAttempts: 2,
      run: async () => {
        throw new Error("the service is down");
      },
    });
    await inbox.accept(question("1"));
    inbox.start();
    await ended("1", "failed");
    expect(giveUp).toHaveBeenCalledTimes(5);
    expect(onUntold.mock.calls.map(([{ key }, error]) => [key, String(error)])).toEqual([
      ["question:T:C:1", "Error: nobody can be told"],
    ]);
  });

  it("gives up a task that ended the process each time it was begun", async () => {
    await store.accept(question("1"), 0);
    for (let death = 1; death <= 8; death++) await store.claim("dead", { now: death, leaseMs: 0 });
    const run = vi.fn<InboxOptions["run"]>(async () => "done");
    const giveUp = vi.fn<InboxOptions["giveUp"]>(async () => undefined);
    newInbox({ run, giveUp, maxAttempts: 2 }).start();
    await ended("1", "failed");
    expect(run).not.toHaveBeenCalled();
    expect(String(giveUp.mock.calls[0]?.[1])).toContain("ended 8 times while it was at this task");
  });

  it("never gives up a task that asks to be begun later, however often: what it needs is away", async () => {
    const giveUp = vi.fn<InboxOptions["giveUp"]>(async () => undefined);
    let now = 0;
    const inbox = newInbox({
      giveUp,
      maxAttempts: 2,
      now: () => (now += 1_000),
      run: async (_, { attempt }): Promise<RunResult> => (attempt <= 50 ? { later: now } : "done"),
    });
    await inbox.accept(question("1"));
    inbox.start();
    await ended("1", "done");
    expect(giveUp).not.toHaveBeenCalled();
    expect(await keptAs("1")).toMatchObject({ attempts: 51, excused: 50 });
  });

  it("begins a task later when the run asks for it", async () => {
    let now = 1_000;
    const inbox = newInbox({
      now: () => now,
      run: async (_, { attempt }): Promise<RunResult> => (attempt === 1 ? { later: 5_000 } : "done"),
    });
    await inbox.accept(question("1"));
    inbox.start();
    await expect.poll(async () => keptAs("1"), WAIT).toMatchObject({ state: "waiting", attempts: 1 });
    now = 4_999;
    expect(await store.claim("somebody", { now, leaseMs: 1_000 })).toBeUndefined();
    now = 5_000;
    await ended("1", "done");
  });

  describe("asked to stop a task", () => {
    const untilStopped: InboxOptions["run"] = async (_, tools) => (await interrupted(tools)) as Outcome & Interruption;

    it("stops it at once where it runs", async () => {
      const inbox = newInbox({ run: untilStopped, renewMs: 5_000 });
      await inbox.accept(question("1", "l"));
      expect(await inbox.requestStop("l")).toBe(false);
      inbox.start();
      await expect.poll(async () => inbox.requestStop("l"), WAIT).toBe(true);
      await ended("1", "stopped");
    });

    it("stops it at another instance", async () => {
      const there = newInbox({ run: untilStopped });
      const here = newInbox({ run: untilStopped });
      await there.accept(question("1", "l"));
      there.start();
      await expect.poll(async () => here.requestStop("l"), WAIT).toBe(true);
      await ended("1", "stopped");
    });

    it("ends a run that throws because of it as stopped", async () => {
      const giveUp = vi.fn<InboxOptions["giveUp"]>(async () => undefined);
      const inbox = newInbox({
        giveUp,
        async run(_, tools) {
          await interrupted(tools);
          tools.signal.throwIfAborted();
          return "answered";
        },
      });
      await inbox.accept(question("1", "l"));
      inbox.start();
      await expect.poll(async () => inbox.requestStop("l"), WAIT).toBe(true);
      await ended("1", "stopped");
      expect(giveUp).not.toHaveBeenCalled();
    });

    it("stops it when it waits for its next attempt", async () => {
      let now = 0;
      const inbox = newInbox({
        now: () => now,
        // The next sign of life is far: it is asked at once.
        leaseMs: 180_000,
        renewMs: 60_000,
        run: async (task, tools) => (tools.attempt === 1 ? { later: 1_000 } : untilStopped(task, tools)),
      });
      await inbox.accept(question("1", "l"));
      inbox.start();
      await expect.poll(async () => keptAs("1"), WAIT).toMatchObject({ state: "waiting", attempts: 1 });
      expect(await inbox.requestStop("l")).toBe(true);
      now = 1_000;
      await ended("1", "stopped");
    });
  });

  it("leaves a task another instance has taken over, and nothing it does counts", async () => {
    let told: unknown;
    let saving: unknown;
    const inbox = newInbox({
      async run(_, tools) {
        told = await interrupted(tools);
        await tools.save({ posted: "twice" }).catch((error: unknown) => (saving = error));
        return "answered";
      },
    });
    await inbox.accept(question("1"));
    inbox.start();
    await expect.poll(async () => (await keptAs("1"))?.state, WAIT).toBe("running");
    const taken = await store.claim("another", { now: Date.now() + 60_000, leaseMs: 60_000 });
    await expect.poll(() => saving, WAIT).toMatchObject({ interruption: "lost" });
    expect(told).toBe("lost");
    expect((await inbox.drain(20_000)).finished).toBe(0);
    expect(await keptAs("1")).toMatchObject({ state: "running", progress: null });
    expect(await store.end(taken?.id ?? "", "another", "done", Date.now())).toBe(true);
  });

  it.each([120_000, -120_000])(
    "never claims what it runs, nor leaves it, when the clock is set by %d ms",
    async (jump) => {
      let now = 1_000_000;
      const events: string[] = [];
      const finish = Promise.withResolvers<void>();
      const inbox = newInbox({
        now: () => now,
        async run(_, tools) {
          events.push(`begun ${tools.attempt}`);
          await finish.promise;
          await tools.hold();
          events.push(String(interruptionOf(tools.signal)));
          return "answered";
        },
      });
      await inbox.accept(question("1"));
      inbox.start();
      await expect.poll(() => events, WAIT).toEqual(["begun 1"]);
      now += jump;
      // Long enough for many looks at what there is to do.
      await new Promise((resolve) => setTimeout(resolve, 200));
      finish.resolve();
      await ended("1", "answered");
      expect(events).toEqual(["begun 1", "undefined"]);
    },
  );

  it("holds a task only while no other instance has it, whatever this process believes of its lease", async () => {
    const held: unknown[] = [];
    const go = Promise.withResolvers<void>();
    const inbox = newInbox({
      renewMs: 60_000,
      leaseMs: 60_000,
      async run(_, tools) {
        await tools.hold();
        held.push("held");
        await go.promise;
        await tools.hold().catch((error: unknown) => held.push(error));
        return "answered";
      },
    });
    await inbox.accept(question("1"));
    inbox.start();
    await expect.poll(() => held, WAIT).toEqual(["held"]);
    await store.claim("another", { now: Number.MAX_SAFE_INTEGER - 60_000, leaseMs: 60_000 });
    go.resolve();
    await expect.poll(() => held.at(-1), WAIT).toMatchObject({ interruption: "lost" });
    expect(await keptAs("1")).toMatchObject({ state: "running" });
  });

  it.each([
    ["before its next sign of life", 60],
    ["and no sign of life is due", 60_000],
  ])("does not leave a task whose lease only seems over, because the process was paused %s", async (_when, renewMs) => {
    const told: (Interruption | undefined)[] = [];
    const inbox = newInbox({
      leaseMs: 150,
      renewMs,
      async run(_, tools) {
        // Nothing of this process runs meanwhile: neither its signs of life nor its clocks' ends.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
        await new Promise((resolve) => setTimeout(resolve, 100));
        await tools.hold();
        told.push(interruptionOf(tools.signal));
        return "answered";
      },
    });
    await inbox.accept(question("1"));
    inbox.start();
    await ended("1", "answered");
    expect(told).toEqual([undefined]);
    expect(await keptAs("1")).toMatchObject({ attempts: 1 });
  });

  it("leaves a task when the store gave no answer for as long as a lease lasts", async () => {
    let reachable = true;
    const unsteady: Store = {
      ...store,
      async renewLease(...words) {
        if (!reachable) throw new Error("no route to the database");
        return store.renewLease(...words);
      },
    };
    const told: (Interruption | undefined)[] = [];
    const onError = vi.fn<NonNullable<InboxOptions["onError"]>>();
    const inbox = newInbox({
      store: unsteady,
      onError,
      leaseMs: 200,
      async run(_, tools) {
        if (tools.attempt > 1) return "done";
        reachable = false;
        told.push(await interrupted(tools));
        reachable = true;
        return "answered";
      },
    });
    await inbox.accept(question("1"));
    inbox.start();
    await ended("1", "done");
    expect(told).toEqual(["lost"]);
    expect(onError.mock.calls.map(([, words]) => words)).toEqual([
      "The store does not take this instance's signs of life.",
    ]);
  });

  it("goes on after the store was away while it claimed and while it ended a task", async () => {
    const failures = { claim: 3, end: 2 };
    const unsteady: Store = {
      ...store,
      async claim(...words) {
        if (failures.claim-- > 0) throw new Error("no route to the database");
        return store.claim(...words);
      },
      async end(...words) {
        if (failures.end-- > 0) throw new Error("no route to the database");
        return store.end(...words);
      },
    };
    const onError = vi.fn<NonNullable<InboxOptions["onError"]>>();
    const run = vi.fn<InboxOptions["run"]>(async () => "answered");
    const inbox = newInbox({ store: unsteady, onError, run });
    await inbox.accept(question("1"));
    inbox.start();
    await ended("1", "answered");
    expect(run).toHaveBeenCalledTimes(1);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  describe("drained", () => {
    it("waits for what runs, takes nothing more, and still accepts", async () => {
      const finish = Promise.withResolvers<Outcome>();
      const inbox = newInbox({ run: () => finish.promise, concurrency: 1 });
      await inbox.accept(question("1"));
      await inbox.accept(question("2"));
      inbox.start();
      await expect.poll(async () => (await keptAs("1"))?.state, WAIT).toBe("running");
      const drained = inbox.drain(60_000);
      expect(await inbox.accept(question("3"))).toBe(true);
      finish.resolve("answered");
      expect(await drained).toEqual({ finished: 1, handedBack: 0 });
      expect(await keptAs("1")).toMatchObject({ outcome: "answered" });
      expect(await store.backlog()).toEqual({ waiting: 2, running: 0 });
    });

    it("hands back what is not done in time, which another instance goes on with at once", async () => {
      const inbox = newInbox({
        async run(_, tools) {
          await tools.save({ posted: "1.0" });
          const why = await interrupted(tools);
          if (why === "shutdown") throw new Error("left in the middle");
          return "stopped";
        },
      });
      await inbox.accept(question("1"));
      inbox.start();
      await expect.poll(async () => (await keptAs("1"))?.progress, WAIT).toEqual({ posted: "1.0" });
      expect(await inbox.drain(10)).toEqual({ finished: 0, handedBack: 1 });

      const progress: unknown[] = [];
      newInbox({
        async run(task, { attempt }) {
          progress.push([attempt, task.progress]);
          return "answered";
        },
      }).start();
      await ended("1", "answered");
      // It was begun before: whoever looks for what that run may have done knows.
      expect(progress).toEqual([[2, { posted: "1.0" }]]);
      expect(await keptAs("1")).toMatchObject({ attempts: 2, excused: 1 });
    });

    it("hands back a run that takes the shutdown for a Stop, and one that does not listen", async () => {
      const inbox = newInbox({
        async run({ key }, tools) {
          if (key.endsWith("1")) await interrupted(tools);
          else await new Promise(() => undefined);
          return "stopped";
        },
      });
      await inbox.accept(question("1"));
      await inbox.accept(question("2"));
      inbox.start();
      await expect.poll(async () => (await store.backlog()).running, WAIT).toBe(2);
      expect(await inbox.drain(0)).toEqual({ finished: 0, handedBack: 2 });
      expect(await store.backlog()).toEqual({ waiting: 2, running: 0 });
    });

    it("before it was started does nothing", async () => {
      const inbox = newInbox({ run: async () => "done" });
      expect(await inbox.drain(1_000)).toEqual({ finished: 0, handedBack: 0 });
    });
  });
});
