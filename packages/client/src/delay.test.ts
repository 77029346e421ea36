import { afterThisTest } from "@threadlore/testkit";
import { describe, expect, it, vi } from "vitest";
import { backoffMs, delay } from "./delay.ts";

describe("a delay", () => {
  it("ends after its time, and leaves no listener behind", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    afterThisTest(() => vi.useRealTimers());
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, "removeEventListener");
    let isOver = false;
    const waiting = delay(1_000, signal).then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(isOver).toBe(true);
    expect(removed).toHaveBeenCalledOnce();
  });

  it("ends with its signal, also with one that has ended already", async () => {
    const stop = new AbortController();
    const waiting = delay(600_000, stop.signal);
    stop.abort();
    await expect(waiting).resolves.toBeUndefined();
    await expect(delay(600_000, stop.signal)).resolves.toBeUndefined();
  });
});

describe("a backoff", () => {
  it("doubles up to its cap, however many attempts have failed", () => {
    const backoff = { baseMs: 200, capMs: 5_000 };
    const waits = [0, 1, 2, 3, 4, 5, 6, 5_000].map((attempt) => backoffMs(attempt, backoff));
    expect(waits).toEqual([200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
  });
});
