import { describe, expect, it } from "vitest";
import { keepWhileEvicted } from "./eviction.harness.ts";
import { hasChromium } from "../testing/chromium.ts";

const there = await hasChromium();

describe.runIf(there)("a worker that is ended every 200 ms", () => {
  it("loses and doubles none of 10 pages", { timeout: 400_000 }, async () => {
    const report = await keepWhileEvicted({ pages: 10, kills: 10 });
    const titles = Array.from({ length: report.pages }, (_, index) => `Page ${String(index).padStart(3, "0")}`);
    expect(report).toMatchObject({ documents: titles, ledger: report.pages, waiting: 0 });
    expect(report.pages).toBeGreaterThanOrEqual(10);
    expect(report.kills).toBeGreaterThan(10);
  });
});
