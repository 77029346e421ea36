import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium } from "../../testing/chromium.ts";
import { until } from "../../testing/until.ts";
import { clickMenu, outboxOf, takeAllBack } from "../../testing/worker-state.ts";
import { violationsOf } from "./axe.harness.ts";
import { keepMany, openWindowOfTabs, type WindowOfTabs } from "./keep-tabs.harness.ts";

describe.runIf(await hasChromium())("keeping all tabs of a window", { timeout: 300_000 }, () => {
  let opened: WindowOfTabs;
  let browser: ExtensionBrowser;
  let front: Page;
  let panel: Page;

  beforeAll(async () => {
    opened = await openWindowOfTabs();
    ({ browser, front, panel } = opened);
  }, 300_000);
  afterAll(() => opened?.close(), 60_000);

  const box = (name: RegExp) => panel.getByRole("checkbox", { name });
  const waiting = async () => (await outboxOf(browser)).map(({ title }) => title).toSorted();
  const isRead = () => opened.isRead();

  it("is one list: each page once, the private one not chosen and why, and what cannot be seen", async () => {
    await clickMenu(browser, front, "keep-tabs");
    await isRead();
    expect(await box(/^Plan one/).count()).toBe(1);
    expect(await box(/^Plan one/).isChecked()).toBe(true);
    expect(await box(/^Payroll/).isChecked()).toBe(false);
    await panel.getByText("A password can be typed into the page.").waitFor();
    await panel.getByText(/tabs? may not be read, and the browser does not tell/).waitFor();
    await panel.getByRole("button", { name: "Allow all sites" }).waitFor();
    expect(await outboxOf(browser)).toEqual([]);
    expect(await violationsOf(panel)).toEqual([]);
  });

  it("keeps what is chosen, and takes all of it back by one button", async () => {
    await panel.getByRole("button", { name: "Keep 3 pages" }).click();
    await until("they wait", async () => (await outboxOf(browser)).length === 3);
    expect(await waiting()).toEqual(["Plan one", "Plan three", "Plan two"]);
    await panel.getByRole("textbox", { name: "Your question" }).waitFor();
    // All of them, that in front too, are one line, which opens to one for each.
    await panel.getByText(/^Keeping 3 pages in \d+ s$/).waitFor();
    const undo = panel.getByRole("button", { name: "Undo", exact: true });
    expect(await undo.count()).toBe(0);
    await panel.getByRole("button", { name: "Show each of them" }).click();
    expect(await violationsOf(panel)).toEqual([]);
    expect(await undo.count()).toBe(3);
    await panel.getByRole("button", { name: "Undo all" }).click();
    await until("all of it is taken back", async () => (await outboxOf(browser)).length === 0);
    await panel.getByText(/Keeping \d+ pages/).waitFor({ state: "detached" });
  });

  it("takes one of many back, and sends the others", async () => {
    await clickMenu(browser, front, "keep-tabs");
    await isRead();
    await panel.getByRole("button", { name: "Keep 3 pages" }).click();
    await panel.getByRole("button", { name: "Show each of them" }).click();
    await panel.locator(".keep-line", { hasText: "Plan two" }).getByRole("button", { name: "Undo" }).click();
    await until("the others wait", async () => (await outboxOf(browser)).length === 2);
    expect(await waiting()).toEqual(["Plan one", "Plan three"]);
    await takeAllBack(browser);
  });

  it.each([
    ["New conversation", "Your question"],
    ["Earlier conversations", "Search questions and answers"],
  ])("makes way for what the bar opens: %s", async (button, field) => {
    await panel.getByRole("button", { name: "What is asked of the page" }).click();
    await panel.getByRole("button", { name: "Keep all tabs of this window" }).click();
    await box(/^Plan two/).waitFor();
    await panel.getByRole("button", { name: button }).click();
    await panel.getByRole(field === "Your question" ? "textbox" : "searchbox", { name: field }).waitFor();
    await panel.getByRole("button", { name: "New conversation" }).click();
    expect(await outboxOf(browser)).toEqual([]);
  });

  it("leaves by Escape, and nothing is kept", async () => {
    await panel.getByRole("button", { name: "What is asked of the page" }).click();
    await panel.getByRole("button", { name: "Keep all tabs of this window" }).click();
    await box(/^Plan two/).waitFor();
    await panel.keyboard.press("Escape");
    await panel.getByRole("textbox", { name: "Your question" }).waitFor();
    expect(await outboxOf(browser)).toEqual([]);
  });

  it("takes a dozen tabs more through the end of the worker to the service", async () => {
    await keepMany(opened, 12);
    expect(await outboxOf(browser)).toEqual([]);
  });
});
