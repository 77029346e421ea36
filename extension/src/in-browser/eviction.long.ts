import { describe, expect, it } from "vitest";
import { killWhileSending } from "./browser-kills.harness.ts";
import { keepWhileEvicted } from "./eviction.harness.ts";
import { raceCaptures } from "./capture-race.harness.ts";
import { hasChromium, launchExtension } from "../testing/chromium.ts";
import { article, servePages } from "../testing/pages.ts";
import { pairExtension, startService } from "../testing/service.ts";

const there = await hasChromium();

describe.runIf(there)("a worker that is ended every 200 ms", () => {
  it("loses and doubles none of 200 pages", { timeout: 3_000_000 }, async () => {
    const report = await keepWhileEvicted({ pages: 200, kills: 200 });

    const titles = Array.from({ length: report.pages }, (_, index) => `Page ${String(index).padStart(3, "0")}`);
    expect(report).toMatchObject({ documents: titles, ledger: report.pages, waiting: 0 });
    expect(report.pages).toBeGreaterThanOrEqual(200);
    expect(report.kills).toBeGreaterThan(200);
  });
});

describe.runIf(there)("a browser that is killed 30 times with a full outbox", () => {
  it("loses and doubles nothing", { timeout: 3_000_000 }, async () => {
    const report = await killWhileSending(30);

    expect(report).toMatchObject({ arrived: report.queued, ledger: report.queued });
    expect(report.killsWhileSending).toBeGreaterThan(20);
  });
});

describe.runIf(there)("a page that is left in the moment of the click, 500 times", () => {
  it("is never kept with another page's content", { timeout: 3_000_000 }, async () => {
    const pages = await servePages((path) => article("Race", `Whoever reads this is told that it says ${path}.`));
    const service = await startService();
    const browser = await launchExtension();
    try {
      await pairExtension(browser, service);
      const { kept, gone, wrong } = await raceCaptures(browser, pages.url, 500);
      expect(wrong).toEqual([]);
      expect(kept + gone).toBe(500);
      expect(kept).toBeGreaterThan(0);
    } finally {
      await browser.close();
      await service.close();
      await pages.close();
    }
  });
});
