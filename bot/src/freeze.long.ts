import { describe, expect, it } from "vitest";
import { type FreezeOptions, freezeLoop } from "./freeze.harness.ts";
import { testWithPostgres } from "./testing/postgres.ts";

const WELL = { wrong: [], busy: [], unanswered: [], refusals: [] };

/** Two loops at once: together they make so many freezes. */
async function expectWell(options: Omit<FreezeOptions, "seed">, seeds: readonly number[]): Promise<void> {
  const reports = await Promise.all(seeds.map((seed) => freezeLoop({ ...options, seed })));
  for (const report of reports) expect(report).toMatchObject({ freezes: options.freezes, ...WELL });
  expect(reports.reduce((sum, { midway }) => sum + midway, 0)).toBeGreaterThan(options.freezes / 4);
}

const SHORT = { questions: 4, leaseMs: 1_000, freezeMs: 1_300 };
/** As installed: a lease of fifteen seconds. */
const SHIPPED = { questions: 4, leaseMs: 0, freezeMs: 20_000, freezes: 3 };

describe("two bots on one SQLite file", () => {
  it("7D frozen 100 times, with streaming", () => expectWell({ ...SHORT, freezes: 50 }, [101, 102]), 3_600_000);
  it(
    "7D frozen 50 times, without",
    () => expectWell({ ...SHORT, freezes: 25, streaming: "off" }, [103, 104]),
    3_600_000,
  );
  it("7D frozen 3 times for twenty seconds, as installed", () => expectWell(SHIPPED, [105]), 3_600_000);
});

await testWithPostgres((postgres) => {
  const on = async (options: Omit<FreezeOptions, "seed" | "database">, seed: number): Promise<void> =>
    expectWell({ ...options, database: await postgres.createDatabase() }, [seed]);
  it("7D frozen 100 times on one PostgreSQL, with streaming", () => on({ ...SHORT, freezes: 100 }, 111), 3_600_000);
  it(
    "7D frozen 50 times on one PostgreSQL, without",
    () => on({ ...SHORT, freezes: 50, streaming: "off" }, 112),
    3_600_000,
  );
  it("7D frozen 3 times for twenty seconds on one PostgreSQL, as installed", () => on(SHIPPED, 113), 3_600_000);
});
