import { describe, expect, it } from "vitest";
import type { Caller } from "../context.ts";
import { evenly, isLimited } from "./even.ts";

const everything: Caller = { user: "all", role: "ordinary", groups: [], documentSets: null };
const limited: Caller = { user: "some", role: "ordinary", groups: [], documentSets: ["Seen"] };
const anybody: Caller = { user: "anonymous", role: "anonymous", groups: [], documentSets: null };

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work().catch(() => undefined);
  return performance.now() - begun;
}

describe("moments at which is answered what grows with hidden documents", () => {
  it("are few: each twice the one before", async () => {
    const after = (ms: number) => () => new Promise((resolve) => setTimeout(resolve, ms));
    const times = await Promise.all([5, 60, 130].map((ms) => timeOf(() => evenly(limited, 50, after(ms)))));
    // A timer may be a millisecond early.
    for (const [at, least] of [50, 100, 200].entries()) expect(times[at]).toBeGreaterThanOrEqual(least - 4);
  });

  it("do not shift with work that lets nothing else happen", async () => {
    const busy = (ms: number) => () => {
      const begun = performance.now();
      while (performance.now() - begun < ms);
      return Promise.resolve();
    };
    const timeOfBusy = (ms: number) => timeOf(() => evenly(limited, 50, busy(ms)));
    // Of several, as a busy machine is late now and then.
    const least = async (ms: number) => Math.min(await timeOfBusy(ms), await timeOfBusy(ms), await timeOfBusy(ms));
    expect((await least(40)) - (await least(1))).toBeLessThan(20);
    expect(await timeOfBusy(60)).toBeGreaterThanOrEqual(98);
  });

  it("are never before the work is done, and hold for what fails as well", async () => {
    expect(await evenly(limited, 5, () => Promise.resolve("done"))).toBe("done");
    expect(await timeOf(() => evenly(limited, 40, () => Promise.resolve()))).toBeGreaterThanOrEqual(38);
    const failing = () => evenly(limited, 40, () => Promise.reject(new Error("out of time")));
    await expect(failing()).rejects.toThrow("out of time");
    expect(await timeOf(failing)).toBeGreaterThanOrEqual(38);
  });

  it("are for those alone from whom something may be hidden", async () => {
    expect([everything, limited, anybody].map(isLimited)).toEqual([false, true, true]);
    const LONG = 20_000;
    expect(await timeOf(() => evenly(everything, LONG, () => Promise.resolve()))).toBeLessThan(LONG);
    expect(await timeOf(() => evenly(limited, 0, () => Promise.resolve()))).toBeLessThan(LONG);
  });

  it("are waited for once where one thing is part of another", async () => {
    const LONG = 20_000;
    const both = () => evenly(limited, 30, () => evenly(limited, LONG, () => Promise.resolve()));
    const took = await timeOf(both);
    expect(took).toBeGreaterThanOrEqual(28);
    expect(took).toBeLessThan(LONG);
  });
});
