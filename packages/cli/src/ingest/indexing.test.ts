import { describe, expect, it } from "vitest";
import { waitUntilIndexed } from "./indexing.ts";

/** A pair whose pending documents become fewer as this list says; the last number stays. */
function pairCounting(...counts: number[]) {
  const seen: number[] = [];
  return {
    seen,
    wait: {
      deployment: {
        pair: async () => {
          const pending = counts.length > 1 ? counts.shift() : counts[0];
          return { cc_pair_id: 3, connector: { id: 1 }, credential: { id: 1 }, documents: { pending } };
        },
      },
      fates: [{ name: "a.md", fate: "created", id: "a", pair: 3 }],
      signal: new AbortController().signal,
      onPending: (count: number) => void seen.push(count),
    },
  } as const;
}

describe("waitUntilIndexed", () => {
  it("goes on as long as the count falls, and ends at none", async () => {
    const { wait, seen } = pairCounting(9, 9, 4, 0);
    expect(await waitUntilIndexed(wait)).toEqual({ done: true, failed: [] });
    expect(seen).toEqual([9, 9, 4]);
  });

  it("gives up when the count has stood still for a while", async () => {
    const { wait } = pairCounting(9, 4);
    expect(await waitUntilIndexed({ ...wait, stalledAfterMs: 120 })).toEqual({ done: false, failed: [] });
  });

  it("waits for nothing where no pair is known", async () => {
    const { wait } = pairCounting(9);
    const fates = [{ name: "a.md", fate: "created", id: "a" }] as const;
    expect(await waitUntilIndexed({ ...wait, fates })).toEqual({ done: "unknown", failed: [] });
  });

  it("throws the signal's reason when aborted in a pause", async () => {
    const { wait } = pairCounting(9);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), 40);
    await expect(waitUntilIndexed({ ...wait, signal: stop.signal })).rejects.toThrow("enough");
  });
});
