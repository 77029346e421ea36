import type { Page } from "playwright-core";
import { type Beside, type BesideOptions, type OwnPage, settingsFor } from "./beside.ts";
import { type ExtensionBrowser, launchExtension } from "./chromium.ts";
import { hangPage } from "./hanging-page.ts";
import { pairExtension } from "./service.ts";
import { until } from "./until.ts";
import { clickMenu, letTimePass, panelsOf, pressShortcut, storeOf } from "./worker-state.ts";

/** A page beside its panel, over Chromium and its side panel. */
export async function besideInChromium({ service, allowedSites }: BesideOptions): Promise<Beside> {
  const browser = await launchExtension({ ...(allowedSites && { allowedSites }) });
  if (service !== undefined && "pairingCode" in service) await pairExtension(browser, service);
  const beside = windowOf(browser);
  if (service !== undefined && !("pairingCode" in service))
    await beside.setStored(settingsFor(service.url, service.settings));
  return beside;
}

/** Everything of one window; given its page, the panel is opened beside it with the first use of either. */
function windowOf(browser: ExtensionBrowser, opened?: { readonly page: Page; readonly panel: Page }): Beside {
  let page = opened?.page;
  let panel = opened?.panel;
  const tabs = new Map<string, Page>();
  const there = <One>(one: One | undefined): One => {
    if (one === undefined) throw new Error("Open a page first.");
    return one;
  };
  const field = () => there(panel).getByRole("textbox", { name: "Your question" });
  async function openPanel(): Promise<void> {
    panel = await browser.openPanel(there(page));
    // A panel without a window has no focus, and browsers let nobody copy from there.
    await panel.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await panel.locator("#question, .empty").first().waitFor();
  }
  const write = (text: string, selector?: string) =>
    (selector === undefined ? field() : there(panel).locator(selector).last()).fill(text);
  return {
    ...drawn(() => there(panel)),
    async open(url) {
      const before = page;
      page = await browser.context.newPage();
      tabs.set(url, page);
      await page.goto(url);
      // Where it is open already, the click would close it again if the page may be read.
      if (panel === undefined || panel.isClosed()) await openPanel();
      else await browser.giveAccess(page);
      await before?.close();
    },
    async openTab(url) {
      page = await browser.context.newPage();
      tabs.set(url, page);
      await page.goto(url);
      await page.bringToFront();
    },
    async goTo(url) {
      page = there(tabs.get(url));
      await page.bringToFront();
    },
    tabsAt: async (url) => browser.context.pages().filter((one) => one.url() === url).length,
    isInFront: (url) => there(tabs.get(url)).evaluate(() => document.visibilityState === "visible"),
    inPage: (work, ...words) => there(page).evaluate(`(${String(work)})(...${JSON.stringify(words)})`),
    chooseFromMenu: async (entry) => {
      // As a browser with a window tells it.
      const told = await there(page).evaluate(() => ({
        selectionText: getSelection()?.toString() ?? "",
        editable: document.activeElement?.matches("input, textarea, [contenteditable]") === true,
      }));
      await clickMenu(browser, there(page), entry, told);
    },
    pressShortcut: async (shortcut) => void (await pressShortcut(browser, there(page), shortcut)),
    clickIcon: () => browser.clickAction(there(page)),
    isOpen: async () => (await panelsOf(browser)).length > 0,
    click: (selector) => there(panel).locator(selector).last().click(),
    press: (name) =>
      there(panel)
        .getByRole("button", { name, exact: true })
        .or(there(panel).getByRole("tab", { name, exact: true }))
        .and(there(panel).locator(":enabled"))
        .last()
        .click(),
    async keys(...names) {
      for (const name of names) await there(panel).keyboard.press(name);
    },
    write,
    fill: (label, text) => there(panel).getByLabel(label, { exact: true }).last().fill(text),
    links: () =>
      there(panel)
        .locator(".turn")
        .last()
        .locator("a[href]")
        .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href)),
    store: (name) => storeOf(browser, name),
    async send(question) {
      await write(question);
      await field().press("Enter");
    },
    text: () =>
      there(panel).evaluate(() => {
        const shown = document.querySelector<HTMLElement>(".panel")?.innerText ?? "";
        return `${shown}\n${document.querySelector("textarea")?.value ?? ""}`;
      }),
    async answered() {
      const turn = there(panel).locator(".turn").last();
      await turn.and(there(panel).locator('[aria-busy="false"]')).waitFor();
      return turn.innerText();
    },
    async reopen() {
      if ((await panelsOf(browser)).length === 0) return openPanel();
      await there(panel).reload();
      await field().waitFor();
    },
    async ownPage(path) {
      const own = await browser.openOwnPage(path);
      return { ...drawn(() => own), close: () => own.close() } satisfies OwnPage;
    },
    clipboard: () => there(panel).evaluate(() => navigator.clipboard.readText()),
    hang: (ms) => hangPage(there(page), ms),
    async inAnotherWindow(url) {
      const opening = browser.context.waitForEvent("page");
      const worker = await browser.worker();
      await worker.evaluate(async (address) => {
        const { chrome } = globalThis as unknown as {
          chrome: { windows: { create(of: object): Promise<unknown> } };
        };
        await chrome.windows.create({ url: address, focused: true });
      }, url);
      const other = await opening;
      await other.waitForURL(url);
      const beside = windowOf(browser, { page: other, panel: await browser.openPanel(other) });
      await until("the panel of the other window can be used", () =>
        beside.inPanel((document) => document.querySelector("textarea") !== null),
      );
      return { ...beside, close: () => other.close() };
    },
    async letTimePass() {
      await until("something waits", async () => (await storeOf(browser, "outbox")).length > 0);
      await letTimePass(browser);
    },
    async setStored(values) {
      const worker = await browser.worker();
      await worker.evaluate((stored) => {
        const { chrome } = globalThis as unknown as {
          chrome: { storage: { local: { set(given: object): Promise<void> } } };
        };
        return chrome.storage.local.set(stored);
      }, values);
    },
    close: () => browser.close(),
  };
}

/** What is done to any page of the extension alike. */
function drawn(page: () => Page): Omit<OwnPage, "close"> {
  return {
    inPanel: (work, ...words) => page().evaluate(`(${String(work)})(document, ...${JSON.stringify(words)})`),
    resize: ({ width, height = 640 }) => page().setViewportSize({ width, height }),
    colorScheme: (look) => page().emulateMedia({ colorScheme: look }),
    picture: () => page().screenshot(),
    addScript: async (script) => void (await page().evaluate(script)),
  };
}
