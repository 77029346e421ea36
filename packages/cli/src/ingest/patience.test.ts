import { AuthError, RateLimitError, UnavailableError } from "@threadlore/client";
import { describe, expect, it } from "vitest";
import { patient } from "./patience.ts";

const busy = (status = 503) => new UnavailableError("busy", false, { status });
const limited = (seconds: number) =>
  new RateLimitError("used up", { retryAt: new Date(Date.now() + seconds * 1_000) }, { status: 429 });

/** Calls a server that fails like this until so many seconds have passed, on a clock that waits take forward. */
function meet(error: () => Error, untilMs: number, patienceMs = 120_000) {
  let now = 0;
  const waits: number[] = [];
  const controller = new AbortController();
  const call = patient({
    patienceMs,
    signal: controller.signal,
    onWait: (ms) => waits.push(ms),
    now: () => now,
    wait: async (ms) => void (now += ms),
  });
  const ask = () =>
    call(async () => {
      if (now < untilMs) throw error();
      return "taken";
    });
  return { ask, waits, call, controller, pass: (ms: number) => (now += ms) };
}

describe("a server that has no time", () => {
  it.each([429, 502, 503, 504])("is waited for a minute and longer, ever more seldom: %i", async (status) => {
    const { ask, waits } = meet(
      () => (status === 429 ? new RateLimitError("x", {}, { status }) : busy(status)),
      70_000,
    );
    expect(await ask()).toBe("taken");
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 15_000]);
  });

  it("is given the time it asks for, and given up where that is more than is left", async () => {
    const { ask, waits } = meet(() => limited(30), 55_000);
    expect(await ask()).toBe("taken");
    expect(waits.map((ms) => Math.round(ms / 1_000))).toEqual([30, 30]);
    await expect(meet(() => limited(7_200), 60_000).ask()).rejects.toThrow("used up");
  });

  it("is given up after that, counted from when it last took something, and at once with no patience", async () => {
    const { ask, waits, pass } = meet(() => busy(), 100_000);
    expect(await ask()).toBe("taken");
    pass(500_000);
    expect(await ask()).toBe("taken");
    expect(waits.length).toBeGreaterThan(8);
    await expect(meet(() => busy(), 130_000).ask()).rejects.toThrow("busy");
    const none = meet(() => busy(), 1, 0);
    await expect(none.ask()).rejects.toThrow("busy");
    expect(none.waits).toEqual([]);
  });

  it("is not taken for one that fails, refuses or is not there", async () => {
    for (const error of [new AuthError("key"), new UnavailableError("gone", false), busy(500), new Error("mistake")]) {
      const { ask, waits } = meet(() => error, 1_000);
      await expect(ask()).rejects.toBe(error);
      expect(waits).toEqual([]);
    }
  });

  it("is waited for no longer than until Ctrl-C", async () => {
    const { call, controller } = meet(() => busy(), 1);
    let calls = 0;
    const asked = call(() => {
      calls += 1;
      controller.abort();
      return Promise.reject(busy());
    });
    await expect(asked).rejects.toThrow("busy");
    expect(calls).toBe(1);
  });
});
