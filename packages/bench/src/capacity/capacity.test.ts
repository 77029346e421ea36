import { expect, it } from "vitest";
import { benchCapacity } from "./capacity.ts";

it(
  "the bench of capacity tells what documents take, and holds connections open while people ask",
  { timeout: 120_000 },
  async () => {
    const { groups, missed } = await benchCapacity({ collections: [50], connections: 20, askers: 4, lastsMs: 2_000 });
    const [disk, memory] = groups.map(({ rows }) => rows[0]?.figures ?? {});
    expect(disk?.["documents a GB"]).toBeGreaterThan(100);
    expect(memory?.["questions answered"]).toBeGreaterThan(4);
    expect(memory?.["MB asked"]).toBeGreaterThanOrEqual(memory?.["MB connected"] ?? 0);
    expect(missed).toEqual([]);
  },
);
