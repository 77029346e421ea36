import { describe, expect, it } from "vitest";
import { type FreezeOptions, freezeLoop, type FreezeReport } from "./freeze.harness.ts";
import { testWithPostgres } from "@threadlore/testkit/postgres";

const WELL = { wrong: [], busy: [], unanswered: [], refusals: [] };

/** Loops at the same time, one for each seed. */
function freezes(options: Omit<FreezeOptions, "seed">, ...seeds: readonly number[]): Promise<readonly FreezeReport[]> {
  return Promise.all(seeds.map((seed) => freezeLoop({ ...options, seed })));
}

const midwayOf = (reports: readonly FreezeReport[]): number => reports.reduce((sum, { midway }) => sum + midway, 0);

const SHORT = { questions: 4, leaseMs: 1_000, freezeMs: 1_300 };
/** As installed: a lease of fifteen seconds. */
const SHIPPED = { questions: 4, leaseMs: 0, freezeMs: 20_000, freezes: 3 };

describe("two bots on one SQLite file", () => {
  it("7D frozen 100 times, with streaming", async () => {
    const reports = await freezes({ ...SHORT, freezes: 50 }, 101, 102);
    expect(reports).toMatchObject([WELL, WELL]);
    expect(midwayOf(reports)).toBeGreaterThan(25);
  });

  it("7D frozen 50 times, without", async () => {
    expect(await freezes({ ...SHORT, freezes: 25, streaming: "off" }, 103, 104)).toMatchObject([WELL, WELL]);
  });

  it("7D frozen 3 times for twenty seconds, as installed", async () => {
    expect(await freezes(SHIPPED, 105)).toMatchObject([WELL]);
  });
});

await testWithPostgres((postgres) => {
  it("7D frozen 100 times on one PostgreSQL, with streaming", async () => {
    const reports = await freezes({ ...SHORT, freezes: 100, database: await postgres.createDatabase() }, 111);
    expect(reports).toMatchObject([WELL]);
    expect(midwayOf(reports)).toBeGreaterThan(25);
  });

  it("7D frozen 50 times on one PostgreSQL, without", async () => {
    const database = await postgres.createDatabase();
    expect(await freezes({ ...SHORT, freezes: 50, streaming: "off", database }, 112)).toMatchObject([WELL]);
  });

  it("7D frozen 3 times for twenty seconds on one PostgreSQL, as installed", async () => {
    const database = await postgres.createDatabase();
    expect(await freezes({ ...SHIPPED, database }, 113)).toMatchObject([WELL]);
  });
});
