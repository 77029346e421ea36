import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Notice } from "../keep/notices.ts";
import { hasChromium, launchExtension, type ExtensionBrowser } from "../testing/chromium.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { hasScreen, startScreen, type Screen } from "../testing/screen.ts";
import { pairExtension, startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { outboxOf, panelsOf, storageOf } from "../testing/worker-state.ts";

/** A point of the window where test pages are white, and dimmed while the browser asks for a permission. */
const PAPER = [300, 650] as const;

/** The browser takes no answer in the first half second, so that nobody agrees by accident; milliseconds. */
const ACCIDENT_MS = 1_000;

// Asked here, where no time limit counts: it may install them first.
const there = (await hasChromium()) && (await hasScreen());

describe.runIf(there)("the browser's own menu, keys and dialogs", { timeout: 240_000 }, () => {
  let screen: Screen;
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;

  beforeAll(async () => {
    pages = await servePages((path) => {
      const text = "The release is planned for the twelfth of March.";
      const link = `<a href="http://wiki.example:${new URL(pages.url).port}/behind">Rules</a>`;
      return article(`Plan ${path}`, path === "/links" ? link : `<b>${text}</b>`, "And nothing else.");
    });
    [service, screen] = await Promise.all([startService(), startScreen()]);
    browser = await launchExtension({ display: screen.display });
    await pairExtension(browser, service);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close(), screen?.close()]);
  }, 60_000);

  async function open(path: string): Promise<Page> {
    const page = await browser.context.newPage();
    await page.goto(`${pages.url}${path}`);
    await page.bringToFront();
    await until("the page is on the screen", async () => (await screen.brightness(...PAPER)) === 255);
    return page;
  }
  /** Chooses the entry so many steps from the end of the menu that a right click opens, or the first of those below it. */
  async function choose(page: Page, selector: string, fromTheEnd: number, isBelow = false): Promise<void> {
    const before = await screen.windows();
    const isOpen = async () => [...(await screen.windows())].some((name) => !before.has(name));
    for (let attempt = 1; !(await isOpen()); attempt++) {
      await page.locator(selector).click({ button: "right" });
      await until("the menu is open", isOpen, 20_000).catch((error) =>
        attempt < 3 ? undefined : Promise.reject(error),
      );
    }
    await screen.press(...Array.from({ length: fromTheEnd }, () => "Up"), ...(isBelow ? ["Right"] : []), "Return");
    await until("the menu is gone", async () => !(await isOpen()));
  }
  /** Presses keys until something has come of them, at most three times. */
  async function press(keys: string, what: string, look: () => Promise<boolean>): Promise<void> {
    for (let attempt = 1; !(await look()); attempt++) {
      await screen.press(keys);
      await until(what, look, 20_000).catch((error) => (attempt < 3 ? undefined : Promise.reject(error)));
    }
  }
  async function answer(...keys: string[]): Promise<void> {
    await until("the browser asks", async () => (await screen.brightness(...PAPER)) < 200);
    await pause(ACCIDENT_MS);
    await screen.press(...keys);
    await until("the browser has its answer", async () => (await screen.brightness(...PAPER)) === 255);
  }
  async function toldAfter(since: number): Promise<Notice> {
    return until("it is told what became of the click", async () => {
      const told = (await storageOf(browser, "session"))["notice"] as Notice | undefined;
      return told !== undefined && told.at >= since && told;
    });
  }
  /** Of what was kept, whether it still waits or has arrived. */
  const titles = async () => [
    ...(await outboxOf(browser)).map(({ title }) => title),
    ...(await service.documents()).map(({ semantic_id }) => semantic_id),
  ];

  it("keep a page by the menu's entry alone, and open the panel", async () => {
    const page = await open("/menu");
    expect(await panelsOf(browser)).toEqual([]);
    const since = Date.now();
    // Below it are the page's source and the inspector.
    await choose(page, "b", 3);
    expect(await toldAfter(since)).toMatchObject({ kind: "queued" });
    expect(await titles()).toContain("Plan /menu");
    expect(await panelsOf(browser)).toHaveLength(1);
    await page.close();
  });

  it("keep a page by its shortcut, and give access to it by the panel's", async () => {
    const kept = await open("/keys");
    await press("alt+shift+k", "the page waits", async () => (await titles()).includes("Plan /keys"));
    await kept.close();

    const shown = await open("/shown");
    const isReadable = async () => {
      const worker = await browser.worker();
      return worker.evaluate(async () => {
        const { chrome } = globalThis as unknown as {
          chrome: { tabs: { query(filter: object): Promise<{ url?: string }[]> } };
        };
        const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
        return tab?.url !== undefined;
      });
    };
    expect(await isReadable()).toBe(false);
    await press("alt+shift+y", "the page can be read", isReadable);
    await shown.close();
  });

  it("ask about what is selected by the menu's entry and by its shortcut; the panel's shortcut closes and opens it", async () => {
    const page = await open("/marked");
    const panel = await browser.openPanel(page);
    await panel.locator(".tab-name", { hasText: "Plan /marked" }).waitFor();
    await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("b") ?? document.body));
    const note = panel.locator(".tab-note", { hasText: "selection" });
    // Only the inspector is below the entries, of which there are several.
    await choose(page, "b", 2, true);
    await note.waitFor();
    await panel.getByRole("button", { name: "What is asked of the page" }).click();
    await panel.getByRole("radio", { name: "The whole page" }).check();
    await panel.keyboard.press("Escape");
    await note.waitFor({ state: "detached" });
    await page.bringToFront();
    await press("alt+shift+q", "the selection is asked", async () => (await note.count()) > 0);
    const isClosed = async () => (await panelsOf(browser)).length === 0;
    await press("alt+shift+y", "the panel is closed", isClosed);
    await pause(1_000);
    expect(await isClosed()).toBe(true);
    await press("alt+shift+y", "the panel is open", async () => !(await isClosed()));
    await page.close();
  });

  it("allow a site for good from the panel, and give it back and allow another one in the settings", async () => {
    const page = await open("/allowed");
    const panel = await browser.openPanel(page);
    const menu = panel.getByRole("button", { name: "What is asked of the page" });
    const always = panel.getByRole("switch", { name: /^Always allow pages\.example/ });
    await menu.click();
    await always.click();
    await answer("Tab", "Return");
    await always.and(panel.locator(":checked")).waitFor();
    await panel.keyboard.press("Escape");
    // Another tab of the site needs no click.
    const another = await open("/another");
    await panel.locator(".tab-name", { hasText: "Plan /another" }).waitFor();
    await another.close();

    const settings = await browser.openOwnPage("options.html");
    const giveBack = settings.getByRole("button", { name: "Take back access to http://pages.example/*" });
    await giveBack.click();
    await giveBack.waitFor({ state: "detached" });
    await settings.getByLabel("Site to allow").fill("nowhere");
    await settings.getByRole("button", { name: "Allow", exact: true }).click();
    await settings.getByText("This is no site.").waitFor();
    await settings.getByLabel("Site to allow").fill("handbook.example");
    await settings.getByRole("button", { name: "Allow", exact: true }).click();
    await pause(ACCIDENT_MS);
    await screen.press("Tab", "Return");
    const listed = settings.getByText("https://handbook.example/*", { exact: true });
    await expect.poll(() => listed.count()).toBe(1);
    await settings.close();
    await page.close();
  });

  it("ask for the site of a link: denied, its page is opened and not kept; allowed, it is kept", async () => {
    const page = await open("/links");
    let since = Date.now();
    // Only the inspector is below it.
    await choose(page, "a", 2);
    await answer("Return");
    expect(await toldAfter(since)).toMatchObject({ kind: "refused", why: "link-not-allowed" });
    expect(await titles()).not.toContain("Plan /behind");
    const opened = await until("the page behind the link is opened for the person", () =>
      browser.context.pages().find((one) => one.url().endsWith("/behind")),
    );
    await opened.close();
    await page.bringToFront();

    since = Date.now();
    await choose(page, "a", 2);
    await answer("Tab", "Return");
    expect(await toldAfter(since)).toMatchObject({ kind: "queued" });
    expect(await titles()).toContain("Plan /behind");
    await page.close();
  });
});
