import { describe, expect, it } from "vitest";
import { hasChromium } from "../../testing/chromium.ts";
import { outboxOf } from "../../testing/worker-state.ts";
import { keepMany, openWindowOfTabs } from "./keep-tabs.harness.ts";

describe.runIf(await hasChromium())("keeping all tabs of a full window", { timeout: 300_000 }, () => {
  it("takes sixty tabs through the end of the worker to the service", async () => {
    const opened = await openWindowOfTabs();
    try {
      await keepMany(opened, 60);
      expect(await outboxOf(opened.browser)).toEqual([]);
    } finally {
      await opened.close();
    }
  });
});
