import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../../testing/service.ts";
import { letTimePass, outboxOf } from "../../testing/worker-state.ts";
import { violationsOf } from "../in-browser/axe.harness.ts";

describe.runIf(await hasChromium())("keeping a page from the panel", { timeout: 300_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let page: Page;
  let text = "The shed is opened with the code on the board.";
  let panel: Page;

  beforeAll(async () => {
    service = await startService();
    // So far down that only a link to the passage shows it.
    const distance = '<div style="height: 6000px"></div>';
    pages = await servePages((path) => article(`Plan ${path.slice(1)}`, `${distance}<p id="passage">${text}</p>`));
    browser = await launchExtension();
    await pairExtension(browser, service, { pairId: 1, pairName: "Everyone's pages", pairIsPublic: true });
    page = await browser.context.newPage();
    await page.goto(`${pages.url}/one`);
    panel = await browser.openPanel(page);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  });

  const keep = () => panel.locator(".bar").getByRole("button", { name: "Keep this page" }).click();
  const consent = () => panel.getByRole("region", { name: "Keep this page?" });

  it.each(["light", "dark"] as const)(
    "asks first where everybody would see it, and shows what would be sent, %s",
    async (colorScheme) => {
      await panel.emulateMedia({ colorScheme });
      await keep();
      await consent().waitFor();
      const shown = await consent().innerText();
      expect(shown).toContain("Plan one");
      expect(shown).toContain("The shed is opened with the code on the board.");
      expect(shown).toContain("Everyone's pages · everyone can find it");
      expect(shown).toContain("Everyone who can ask the service will be able to find it.");
      expect(await violationsOf(panel)).toEqual([]);
      await panel.keyboard.press("Escape");
      await consent().waitFor({ state: "detached" });
      expect(await service.documents()).toEqual([]);
    },
  );

  it("takes a title and tags before the person agrees, and sends nothing by that", async () => {
    await keep();
    await consent().getByRole("button", { name: "Note, tags…" }).click();
    const form = consent().getByRole("form", { name: "Title, tags and note" });
    await form.getByLabel("Title", { exact: true }).fill("The shed");
    await form.getByRole("textbox", { name: "Tags" }).fill("garden, tools");
    await panel.keyboard.press("Enter");
    await panel.keyboard.press("Enter");
    await form.waitFor({ state: "detached" });
    await consent().getByText("garden · tools").waitFor();
    expect(await violationsOf(panel)).toEqual([]);
    await consent().getByRole("button", { name: "Keep it", exact: true }).click();
    await panel.getByText(/^Keeping in \d+ seconds?$/).waitFor();
    expect(await outboxOf(browser)).toMatchObject([{ additions: { title: "The shed", tags: ["garden", "tools"] } }]);
    await panel.getByRole("button", { name: "Undo" }).click();
    await panel.locator(".bar").getByRole("button", { name: "Keep this page" }).waitFor();
    expect(await service.documents()).toEqual([]);
  });

  it("takes along what is still being written when the person agrees", async () => {
    await keep();
    await consent().getByRole("button", { name: "Note, tags…" }).click();
    const form = consent().getByRole("form", { name: "Title, tags and note" });
    await form.getByRole("textbox", { name: "Tags" }).fill("garden");
    await form.getByLabel("Note").fill("Rui has the key.");
    await consent().getByRole("button", { name: "Keep it", exact: true }).click();
    await panel.getByText(/^Keeping in \d+ seconds?$/).waitFor();
    expect(await outboxOf(browser)).toMatchObject([{ additions: { tags: ["garden"], note: "Rui has the key." } }]);
    await panel.getByRole("button", { name: "Undo" }).click();
    await panel.locator(".bar").getByRole("button", { name: "Keep this page" }).waitFor();
  });

  it("can be taken back before it is sent", async () => {
    await keep();
    await consent().getByRole("button", { name: "Keep it", exact: true }).click();
    await panel.getByText(/^Keeping in \d+ seconds?$/).waitFor();
    expect(await violationsOf(panel)).toEqual([]);
    await panel.getByRole("button", { name: "Undo" }).click();
    await panel.locator(".bar").getByRole("button", { name: "Keep this page" }).waitFor();
    expect(await service.documents()).toEqual([]);
  });

  it("is sent when that time is over, then says since when, and is found by a question, whose citation opens at the passage", async () => {
    await keep();
    await consent().getByRole("button", { name: "Keep it", exact: true }).click();
    await panel.getByText(/^Keeping in \d+ seconds?$/).waitFor();
    expect(await service.documents()).toEqual([]);
    await letTimePass(browser);
    await panel.getByText(/^Kept since/).waitFor();
    expect(await service.documents()).toHaveLength(1);
    await service.drain();
    await panel.getByRole("button", { name: "Leave this page out" }).click();
    await panel.getByRole("textbox", { name: "Your question" }).fill("How is the shed opened?");
    await panel.keyboard.press("Enter");
    await panel
      .locator('.turn[aria-busy="false"]')
      .getByRole("group", { name: "Sources" })
      .getByText("Plan one")
      .waitFor();
    await panel.getByRole("button", { name: "Source 1: Plan one" }).first().click();
    const opening = browser.context.waitForEvent("page");
    await panel.getByRole("link", { name: "Open at the passage" }).click();
    const opened = await opening;
    await opened.waitForFunction(() => {
      const { top, bottom } = document.querySelector("#passage")?.getBoundingClientRect() ?? { top: -1, bottom: -1 };
      return scrollY > 3000 && top >= 0 && bottom <= innerHeight;
    });
    await opened.close();
    await page.bringToFront();
  });

  it("says when the page has changed since, and updates it with one click", async () => {
    text = "The shed is opened with a key now.";
    await page.reload();
    await panel.getByText(/^Changed since it was kept/).waitFor();
    expect(await violationsOf(panel)).toEqual([]);
    await panel.getByRole("button", { name: "Update" }).click();
    await consent().getByRole("button", { name: "Keep it", exact: true }).click();
    await panel.getByText(/^Keeping in \d+ seconds?$/).waitFor();
    await panel.getByRole("button", { name: "Undo" }).click();
    await panel.getByText(/^Changed since it was kept/).waitFor();
  });
});
