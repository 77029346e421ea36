import { describe, expect, it } from "vitest";
import type { Caller } from "../context.ts";
import { evenly, isLimited, momentAfter } from "./even.ts";

const everything: Caller = { user: "all", role: "ordinary", groups: [], documentSets: null };
const limited: Caller = { user: "some", role: "ordinary", groups: [], documentSets: ["Seen"] };
const anybody: Caller = { user: "anonymous", role: "anonymous", groups: [], documentSets: null };

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work().catch(() => undefined);
  return performance.now() - begun;
}

describe("moments at which is answered what grows with hidden documents", () => {
  it("are few: each twice the one before, and in the end one after the other", () => {
    expect([0, 1, 49.9, 50].map((elapsed) => momentAfter(elapsed, 50))).toEqual([50, 50, 50, 50]);
    expect([50.1, 100, 101, 399, 401, 1_999].map((elapsed) => momentAfter(elapsed, 50))).toEqual([
      100, 100, 200, 400, 800, 2_000,
    ]);
  });

  it("are never before the work is done, and hold for what fails as well", async () => {
    expect(await evenly(limited, 5, () => Promise.resolve("done"))).toBe("done");
    expect(await timeOf(() => evenly(limited, 40, () => Promise.resolve()))).toBeGreaterThanOrEqual(40);
    const failing = () => evenly(limited, 40, () => Promise.reject(new Error("out of time")));
    await expect(failing()).rejects.toThrow("out of time");
    expect(await timeOf(failing)).toBeGreaterThanOrEqual(40);
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
    expect(took).toBeGreaterThanOrEqual(30);
    expect(took).toBeLessThan(LONG);
  });
});
