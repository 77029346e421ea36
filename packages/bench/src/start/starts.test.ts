import { describe, expect, it } from "vitest";
import { benchColdStart } from "./cold-start.ts";
import { benchIngest } from "../ingest-throughput.ts";
import { benchPanel } from "./panel-weight.ts";

describe("the benches of ingestion and of starts", () => {
  it("put the same passages into every contestant and hold the service to its bar", { timeout: 300_000 }, async () => {
    const { groups, missed } = await benchIngest({ documents: 6, rounds: 1 });
    expect(groups[0]?.rows).toHaveLength(5);
    for (const { figures } of groups[0]?.rows ?? []) expect(figures["passages a second"]).toBeGreaterThan(0);
    // Six documents are far too few to be fast.
    expect(missed.every((words) => words.includes("is the least"))).toBe(true);
  });

  it("ask in the terminal and get the answer", { timeout: 300_000 }, async () => {
    const { groups } = await benchColdStart(1);
    expect(groups[0]?.rows.map(({ figures }) => (figures["ms"] ?? 0) > 0)).toEqual([true, true, true]);
  });

  it("weigh the extension and start its panel", { timeout: 300_000 }, async () => {
    const { groups, missed } = await benchPanel(1);
    // Without a Chromium there is nothing to measure, which was said, and is no pass.
    expect(groups.length > 0 || missed.includes("nothing was measured.")).toBe(true);
    expect(groups.map(({ rows }) => rows.length)).toEqual(groups.length === 0 ? [] : [3, 2, 2]);
    for (const { figures } of groups.flatMap(({ rows }) => rows)) {
      expect(Object.values(figures).every((figure) => figure > 0)).toBe(true);
    }
  });
});
