import { handbookPages } from "@threadlore/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../../testing/service.ts";
import { violationsOf } from "../in-browser/axe.harness.ts";

describe.runIf(await hasChromium())("questions to ask next", { timeout: 180_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let panel: Page;
  const asked: string[] = [];

  beforeAll(async () => {
    [service, pages] = await Promise.all([
      startService(),
      servePages(() => article("Minutes", "The release is planned for the twelfth of March.")),
    ]);
    for (const page of handbookPages()) await service.add(page);
    await service.drain();
    browser = await launchExtension();
    await pairExtension(browser, service);
    const page = await browser.context.newPage();
    await page.goto(`${pages.url}/minutes`);
    panel = await browser.openPanel(page);
    panel.on("request", (request) => {
      if (request.url().includes("follow-ups")) asked.push(request.url());
    });
    await panel.locator(".tab-name", { hasText: "Minutes" }).waitFor();
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  const lastTurn = () => panel.locator(".turn").last();
  const isOver = () => lastTurn().and(panel.locator('[aria-busy="false"]')).waitFor();
  const ask = async (question: string) => {
    await panel.getByRole("textbox", { name: "Your question" }).fill(question);
    await panel.keyboard.press("Enter");
    await lastTurn().getByRole("heading", { name: question }).waitFor();
    await isOver();
  };
  const offered = () => panel.getByRole("region", { name: "Ask next" }).getByRole("button");

  it("are not asked for behind an answer about the page alone", async () => {
    await panel.getByRole("switch", { name: "Company knowledge" }).click();
    await ask("When is the release planned?");
    await expect.poll(() => lastTurn().innerText()).toContain("twelfth of March");
    await panel.getByRole("switch", { name: "Company knowledge" }).click();
    expect(asked).toEqual([]);
  });

  it("stand below the newest answer, and one press asks one, which is answered with a source", async () => {
    await ask("How many days of holiday do I get?");
    await offered().first().waitFor();
    expect(asked.map((url) => new URL(url).search)).toEqual([expect.stringMatching(/^\?chat_message_id=\d+$/)]);
    expect(await violationsOf(panel)).toEqual([]);
    const question = (await offered().first().innerText()).trim();
    await offered().first().click();
    await lastTurn().getByRole("heading", { name: question }).waitFor();
    await isOver();
    await lastTurn()
      .getByRole("button", { name: /^Source 1/ })
      .first()
      .waitFor();
    // Those of an older answer are gone: they would be asked behind another one.
    expect(await panel.locator(".turn").nth(-2).locator(".follow-ups").count()).toBe(0);
  });

  it("come again with a conversation that is opened again", async () => {
    await ask("Who pays for train tickets?");
    await offered().first().waitFor();
    const before = await offered().allInnerTexts();
    await panel.reload();
    await offered().first().waitFor();
    expect(await offered().allInnerTexts()).toEqual(before);
  });
});
