import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../../testing/service.ts";
import { violationsOf } from "../in-browser/axe.harness.ts";

/** Titles as pages have them; what the chip calls them by. */
const TITLES = {
  long: ["Rules for travelling ".repeat(15).slice(0, 300), /^Rules for travelling/],
  arabic: ["دليل نفقات السفر لجميع الموظفين في الشركة", "دليل نفقات السفر لجميع الموظفين في الشركة"],
  chinese: ["关于员工差旅费用报销的详细规定和说明文件", "关于员工差旅费用报销的详细规定和说明文件"],
  emoji: ["🎉🥳👨‍👩‍👧‍👦", "🎉🥳👨‍👩‍👧‍👦"],
  turned: ["Report \u202Efdp.exe", "Report fdp.exe"],
  unseen: ["\u200B\u2060", /^pages\.example:/],
  none: ["", /^pages\.example:\d+\/none$/],
} as const;

describe.runIf(await hasChromium())("the page of a question, in the box it is written in", { timeout: 180_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let page: Page;
  let panel: Page;

  beforeAll(async () => {
    service = await startService();
    pages = await servePages((path) => {
      const [title] = TITLES[path.slice(1) as keyof typeof TITLES] ?? ["Plan"];
      return article(title, "The shed is opened with the code on the board.");
    });
    browser = await launchExtension({ allowedSites: ["http://pages.example/*"] });
    await pairExtension(browser, service);
    page = await browser.context.newPage();
    await page.goto(`${pages.url}/plan`);
    panel = await browser.openPanel(page);
    panel.setDefaultTimeout(60_000);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  const chip = () => panel.locator(".switch.page");
  const focused = () => panel.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");

  it.each(Object.entries(TITLES))("is called by what is seen of its title, and fits: %s", async (path, [, called]) => {
    await page.goto(`${pages.url}/${path}`);
    const name = () => panel.locator(".tab-name").textContent();
    await expect.poll(name).toMatch(called);
    const label = (await chip().getAttribute("aria-label")) ?? "";
    expect(label).toMatch(/^What is asked of the page: \S/);
    // Whoever hears it does not want to hear all of a title that nobody reads to its end.
    expect(label.length).toBeLessThan(120);
    // As narrow as it is at 200 %, too.
    for (const width of [360, 240, 180]) {
      await panel.setViewportSize({ width, height: 480 });
      const cross = await panel.getByRole("button", { name: "Leave this page out" }).boundingBox();
      expect((cross?.x ?? width) + (cross?.width ?? 0), `at ${width}`).toBeLessThan(width);
      expect(await panel.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    }
    expect(await violationsOf(panel)).toEqual([]);
  });

  it("is named somehow where it could not be read and the browser does not tell what it is called", async () => {
    await page.goto("about:blank");
    await panel.locator(".tab-name", { hasText: "This page" }).waitFor();
    await panel.getByRole("textbox", { name: "Your question" }).fill("What is the code of the shed?");
    await panel.keyboard.press("Enter");
    await expect
      .poll(() => panel.locator(".page-notes").allInnerTexts())
      .toEqual([expect.stringMatching(/^“This tab” was not read\. /)]);
  });

  it("is opened, left, left out and taken along again with the keyboard alone", async () => {
    await page.goto(`${pages.url}/plan`);
    await panel.locator(".tab-name", { hasText: "Plan" }).waitFor();
    await panel.getByRole("textbox", { name: "Your question" }).focus();
    await panel.keyboard.press("Tab");
    expect(await focused()).toBe("What is asked of the page: Plan");
    await panel.keyboard.press("Enter");
    const menu = panel.getByRole("dialog", { name: "What is asked of the page" });
    await menu.waitFor();
    await expect.poll(() => chip().getAttribute("aria-expanded")).toBe("true");
    await expect.poll(() => menu.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await panel.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await expect.poll(focused).toBe("What is asked of the page: Plan");
    await panel.keyboard.press("Tab");
    expect(await focused()).toBe("Leave this page out");
    await panel.keyboard.press("Enter");
    await expect.poll(focused).toBe("Ask this page too");
    await panel.keyboard.press("Enter");
    await expect.poll(focused).toBe("What is asked of the page: Plan");
  });
});
