import { availableParallelism } from "node:os";
import { describe, expect, it } from "vitest";
import { judgeCompaniesApart } from "./companies-apart.harness.ts";

describe("what people see who sign in", () => {
  it("is in 10,000 random companies what their groups give at each moment, to the byte", async () => {
    const report = await judgeCompaniesApart(10_000, 3, Math.min(4, availableParallelism()));
    expect(report.problems).toEqual([]);
    expect(report.companies).toBe(10_000);
    expect(report.finds).toBeGreaterThan(25_000);
    expect(report.afterLoss).toBeGreaterThan(2_000);
  });
});
