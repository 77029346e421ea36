import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../../testing/service.ts";

describe.runIf(await hasChromium())("the empty panel of a service without a model", { timeout: 120_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let panel: Page;

  beforeAll(async () => {
    [service, pages] = await Promise.all([
      startService(),
      servePages(() => article("Plan", "The release is planned for the twelfth of March. Ada leads it.")),
    ]);
    browser = await launchExtension();
    await pairExtension(browser, service);
    const page = await browser.context.newPage();
    await page.goto(pages.url);
    panel = await browser.openPanel(page);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  it("offers only what is answered", async () => {
    const offered = panel.locator(".suggestion");
    const told = panel.waitForResponse((reply) => reply.url().endsWith("/me"));
    await panel.reload();
    await told;
    await offered.first().waitFor();
    const names = await offered.allInnerTexts();
    expect(names).toEqual(["Summarise this page"]);
    for (const name of names) {
      await panel.getByRole("button", { name }).click();
      const turn = panel.locator(".turn").last();
      await turn.and(panel.locator('[aria-busy="false"]')).waitFor();
      await expect.poll(() => turn.innerText()).toContain("twelfth of March");
      expect(await turn.innerText()).not.toMatch(/found nothing|There is no answer/);
      await panel.getByRole("button", { name: "New conversation" }).click();
    }
  });
});
