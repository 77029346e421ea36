import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../../testing/chromium.ts";
import { conversationsIn, outboxOf } from "../../testing/worker-state.ts";
import { type LongUsed, startLongUsed } from "./endurance.harness.ts";
import { useScriptedService } from "./scripted-service.harness.ts";

describe.runIf(await hasChromium())("a panel that something is taken from", { timeout: 240_000 }, () => {
  let used: LongUsed;
  beforeAll(async () => {
    used = await startLongUsed();
  }, 240_000);
  afterAll(() => used?.close(), 60_000);

  it("goes on where its databases are deleted, with what comes after that", async () => {
    const { panel, browser, ask } = used;
    await ask("Before it");
    await panel.evaluate(() =>
      Promise.all(
        ["threadlore", "threadlore-conversations"].map(
          (name) =>
            new Promise((resolve, reject) => {
              const deleting = indexedDB.deleteDatabase(name);
              deleting.addEventListener("success", resolve);
              deleting.addEventListener("error", () => reject(deleting.error));
            }),
        ),
      ),
    );
    await ask("After it");
    await expect.poll(async () => JSON.stringify(await conversationsIn(panel))).toContain("After it");
    await panel.getByRole("button", { name: "Keep this page" }).first().click();
    await panel.getByText(/^Keeping in \d+ seconds?$/).waitFor();
    expect(await outboxOf(browser)).toHaveLength(1);
    await panel.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => outboxOf(browser)).toEqual([]);
  });

  it.each([
    ["no object at all", "nonsense", 7],
    ["lists", [1, 2, 3], []],
    ["values of other kinds", { baseUrl: 5, denyList: "x", askPage: null, documentSets: [{}] }, { origin: null }],
    ["an address that is none", { version: 99, baseUrl: "http://" }, { origin: "http://", askKey: {}, ingestKey: 1 }],
  ])("asks to be set up where its settings are damaged, and works once it is: %s", async (name, settings, keys) => {
    const { panel, browser, service, ask } = used;
    const worker = await browser.worker();
    await worker.evaluate(
      (stored) =>
        (
          globalThis as unknown as { chrome: { storage: { local: { set(values: object): Promise<void> } } } }
        ).chrome.storage.local.set(stored),
      { settings, keys, address: "x", pause: [], "memory-agreed": 3, "known-version": { a: 1 } },
    );
    await panel.reload();
    await panel.getByRole("heading", { name: "Set up Threadlore" }).waitFor();
    await useScriptedService(browser, service);
    const before = service.questions.length;
    await ask(`Does it work after ${name}?`);
    expect(service.questions).toHaveLength(before + 1);
  });
});
