import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NOTES_OF } from "../news/news.ts";
import { builtExtension } from "../testing/build-once.ts";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../testing/chromium.ts";
import { diskOf010, putDisk, setVersion } from "../testing/older-version.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { letTimePass, outboxOf, storageOf } from "../testing/worker-state.ts";
import { violationsOf } from "../panel/in-browser/axe.harness.ts";

describe.runIf(await hasChromium())("an update from the version before", { timeout: 240_000 }, () => {
  /** The extension as it is shipped, in a folder that a newer version takes the place of. */
  const folder = mkdtempSync(join(tmpdir(), "threadlore-update-"));
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;

  beforeAll(async () => {
    cpSync(await builtExtension(), folder, { recursive: true });
    setVersion(folder, "0.1.0");
    pages = await servePages((path) => article(`Page ${path}`, "The canteen opens at noon."));
    service = await startService();
    browser = await launchExtension({ folder, keepProfile: true });
    await pairExtension(browser, service);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await browser?.forget();
    await Promise.all([service?.close(), pages?.close()]);
    rmSync(folder, { recursive: true, force: true });
  }, 120_000);

  const news = (panel: Page) => panel.getByRole("region", { name: "What is new" });
  async function openPanel(path = "/front"): Promise<Page> {
    const page = await browser.context.newPage();
    await page.goto(`${pages.url}${path}`);
    const panel = await browser.openPanel(page);
    await panel.getByRole("button", { name: "Keep this page" }).first().waitFor();
    return panel;
  }
  async function becomes(version: string): Promise<void> {
    await browser.close();
    setVersion(folder, version);
    browser = await launchExtension({ folder, profile: browser.profile, keepProfile: true });
    const worker = await browser.worker();
    const runs = await worker.evaluate(
      () =>
        (
          globalThis as unknown as { chrome: { runtime: { getManifest(): { version: string } } } }
        ).chrome.runtime.getManifest().version,
    );
    expect(runs).toBe(version);
  }

  it("is not told to whoever has just installed it, and no small one is", async () => {
    const panel = await openPanel();
    expect(await news(panel).count()).toBe(0);
    await putDisk(await browser.worker(), diskOf010(service.url));
    await becomes("0.1.7");
    expect(await news(await openPanel()).count()).toBe(0);
    expect((await storageOf(browser, "local"))["known-version"]).toBe("0.1.0");
  });

  it("keeps settings, conversations, what waits and what was sent", async () => {
    await becomes(`${NOTES_OF}.0`);
    const panel = await openPanel();
    const switches = panel.getByRole("switch", { name: "Company knowledge" });
    await expect.poll(() => switches.getAttribute("aria-checked")).toBe("false");
    await panel.getByRole("button", { name: "Earlier conversations" }).click();
    await panel.getByRole("button", { name: /^What is the gate code\?/ }).click();
    const turn = panel.locator(".turn");
    await turn.getByText("The gate code of /sent is 4711.").first().waitFor();
    await turn.getByRole("button", { name: "Source 1: Page /sent" }).waitFor();
    await letTimePass(browser);
    await until("what waited has arrived", async () =>
      (await service.documents()).some(({ semantic_id }) => semantic_id === "Page /waits"),
    );
    await until("nothing waits", async () => (await outboxOf(browser)).length === 0);
    const options = await browser.openOwnPage("options.html");
    await options.getByRole("cell", { name: "Page /sent" }).waitFor();
    await expect.poll(() => options.getByLabel("Sites to leave alone").inputValue()).toBe("bank.example");
    expect((await storageOf(browser, "local"))["memory-agreed"]).toEqual({ [service.url]: "ana@tidewell.example" });
    await options.close();
  });

  it("is told once, in every window, until it is closed in one of them", async () => {
    const panel = await openPanel();
    const opening = browser.context.waitForEvent("page");
    const worker = await browser.worker();
    await worker.evaluate(async (url) => {
      const { chrome } = globalThis as unknown as {
        chrome: { windows: { create(of: object): Promise<unknown> } };
      };
      await chrome.windows.create({ url, focused: true });
    }, `${pages.url}/second`);
    const second = await opening;
    await second.waitForURL(`${pages.url}/second`);
    const other = await browser.openPanel(second);
    for (const one of [panel, other]) await news(one).getByText(`Threadlore was updated to ${NOTES_OF}.`).waitFor();
    const open = news(other).getByRole("button", { name: "What is new" });
    expect([await news(other).getByRole("listitem").count(), await open.getAttribute("aria-expanded")]).toEqual([
      0,
      "false",
    ]);
    await open.press("Enter");
    await news(other).getByRole("listitem").nth(4).waitFor();
    expect(await open.getAttribute("aria-expanded")).toBe("true");
    for (const colorScheme of ["light", "dark"] as const) {
      await other.emulateMedia({ colorScheme });
      await expect.poll(() => violationsOf(other)).toEqual([]);
    }
    await other.setViewportSize({ width: 240, height: 500 });
    expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBe(240);
    await news(other).getByRole("button", { name: "Close and do not show this again" }).click();
    await Promise.all([panel, other].map((one) => news(one).waitFor({ state: "detached" })));
    await expect.poll(() => other.evaluate(() => document.activeElement?.id)).toBe("question");
    await becomes(`${NOTES_OF}.1`);
    expect(await news(await openPanel()).count()).toBe(0);
  });
});
