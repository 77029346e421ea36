import { describe, expect, it } from "vitest";
import { Admission } from "./admission.ts";

const LIMITS = { running: 1, waiting: 10, waitingEach: 10, waitMs: 10_000 };

/** Keeps every round of the event loop for some time, as documents that arrive one after the other do, and counts them. */
function keepingBusy(milliseconds: number) {
  let rounds = 0;
  let isOver = false;
  const round = (): void => {
    if (isOver) return;
    rounds++;
    const until = performance.now() + milliseconds;
    while (performance.now() < until);
    setImmediate(round);
  };
  setImmediate(round);
  return {
    end(): number {
      isOver = true;
      return rounds;
    },
  };
}

describe("long work that is let in", () => {
  it("gives what arrived a breath before it", async () => {
    const admission = new Admission({ ...LIMITS, isLong: true });
    let isMet = false;
    setImmediate(() => setImmediate(() => (isMet = true)));
    const leave = await admission.enter("somebody", new AbortController().signal);
    expect(isMet).toBe(true);
    leave();
  });

  it("does not wait for dozens of rounds of a loop that others keep busy", async () => {
    const admission = new Admission({ ...LIMITS, isLong: true });
    const busy = keepingBusy(20);
    const leave = await admission.enter("somebody", new AbortController().signal);
    expect(busy.end()).toBeLessThan(6);
    leave();
  });
});
