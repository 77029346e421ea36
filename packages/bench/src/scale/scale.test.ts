import { describe, expect, it } from "vitest";
import { missedByOneAsker, oneAsker } from "./one-asker.ts";
import { ANEW, CROWD, INGEST } from "./scale.ts";

const group = (name: string, figure: number) => ({
  name,
  columns: [],
  rows: [{ name: "threadlore, as it answers", ours: true, figures: { "p95 ms": figure } }],
});

describe("the bench of large collections", () => {
  it("holds each collection that was measured to its own bar", () => {
    expect(missedByOneAsker([group(oneAsker(10_000), 9), group(oneAsker(100_000), 24)])).toEqual([]);
    expect(missedByOneAsker([group(oneAsker(10_000), 11), group(oneAsker(100_000), 11)])).toHaveLength(1);
    expect(missedByOneAsker([group(oneAsker(1_000_000), 61)])).toHaveLength(1);
    expect(missedByOneAsker([group(oneAsker(1_000_000), Number.NaN)])).toHaveLength(1);
  });

  it("names its groups apart", () => {
    expect(new Set([oneAsker(10_000), oneAsker(100_000), INGEST, CROWD, ANEW]).size).toBe(5);
  });
});
