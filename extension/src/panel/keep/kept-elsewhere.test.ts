import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { clickMenu, letTimePass, outboxOf, pressShortcut } from "../../testing/worker-state.ts";

describe.runIf(await hasChromium())("a page kept outside of the open panel", { timeout: 240_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let first: Page;
  let panel: Page;

  beforeAll(async () => {
    service = await startService();
    pages = await servePages((path) => article(`Plan ${path.slice(1)}`, `The plan of ${path} is in the shed.`));
    browser = await launchExtension();
    await pairExtension(browser, service);
    first = await browser.context.newPage();
    await first.goto(`${pages.url}/one`);
    panel = await browser.openPanel(first);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  const foot = () => panel.locator(".foot");
  const countdown = () => foot().getByText(/^Keeping in \d+ seconds?$/);
  const undo = () => foot().getByRole("button", { name: "Undo" });

  it.each([
    ["the menu", () => clickMenu(browser, first, "keep-page")],
    ["the shortcut", () => pressShortcut(browser, first, "keep-page")],
  ])("by %s is shown with its time to take it back, and taken back", async (_, keep) => {
    await keep();
    await countdown().waitFor();
    await undo().click();
    await countdown().waitFor({ state: "detached" });
    expect(await outboxOf(browser)).toEqual([]);
  });

  it("is shown by its title while another tab is in front, and can be taken back when the worker has ended", async () => {
    await pressShortcut(browser, first, "keep-page");
    await countdown().waitFor();
    const second = await browser.context.newPage();
    await second.goto(`${pages.url}/two`);
    await foot().getByText("Plan one").waitFor();
    await browser.killWorker();
    await undo().click();
    await countdown().waitFor({ state: "detached" });
    expect(await outboxOf(browser)).toEqual([]);
    await second.close();
    await letTimePass(browser);
    expect(await service.documents()).toEqual([]);
  });

  it("can be taken back when its tab is closed", async () => {
    const third = await browser.context.newPage();
    await third.goto(`${pages.url}/three`);
    await foot().getByText("Click the Threadlore icon on this tab to let the panel read it.").waitFor();
    await browser.giveAccess(third);
    await pressShortcut(browser, third, "keep-page");
    await countdown().waitFor();
    await until("it waits", async () => (await outboxOf(browser)).length === 1);
    await third.close();
    // Its tab is gone, and it can still be taken back.
    await foot().getByText("Plan three").waitFor();
    await undo().click();
    await expect.poll(() => outboxOf(browser)).toEqual([]);
  });
});
