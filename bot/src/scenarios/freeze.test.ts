import { describe, expect, it } from "vitest";
import { clockLoop, freezeLoop } from "./freeze.harness.ts";
import { testWithPostgres } from "@threadlore/testkit/postgres";

const WELL = { wrong: [], busy: [], unanswered: [], refusals: [] };

describe("two bots on one SQLite file", () => {
  it("7D frozen 5 times for longer than a lease, in mid-answer: every question has one whole answer", async () => {
    const report = await freezeLoop({ freezes: 5, seed: 71, questions: 3, leaseMs: 600, freezeMs: 800 });
    expect(report).toMatchObject({ freezes: 5, questions: 15, ...WELL });
    expect(report.midway).toBeGreaterThanOrEqual(1);
  }, 120_000);
});

await testWithPostgres((postgres) => {
  it("7D frozen 5 times for longer than a lease, on one PostgreSQL: every question has one whole answer", async () => {
    const database = await postgres.createDatabase();
    const report = await freezeLoop({ freezes: 5, seed: 72, questions: 3, leaseMs: 600, freezeMs: 800, database });
    expect(report).toMatchObject({ freezes: 5, questions: 15, ...WELL });
    expect(report.midway).toBeGreaterThanOrEqual(1);
  }, 120_000);
});

describe("a bot whose machine's clock is set", () => {
  it("by two minutes forward and back in mid-answer answers once, and records nothing as gone", async () => {
    const report = await clockLoop({ jumps: [120_000, -120_000, -120_000, 120_000], seed: 73 });
    expect(report).toMatchObject({ questions: 8, ...WELL });
    expect(report.midway).toBeGreaterThanOrEqual(3);
  }, 120_000);
});
