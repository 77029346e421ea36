import type { Page } from "playwright-core";
import type { StoreName } from "../storage/database.ts";
import { type ExtensionBrowser, launchExtension } from "./chromium.ts";
import { type FirefoxTab, launchFirefox } from "./firefox.ts";
import { pairExtension, pairFirefox, type TestService } from "./service.ts";
import { until } from "./until.ts";
import { clickMenu, pressShortcut, storeOf } from "./worker-state.ts";

/** A page in front with the panel beside it, in whichever browser: what a person does there, by the words they see. */
export interface Beside {
  /** Opens a page in a tab of its own, clicks on the icon there, and waits until the panel can be used. */
  open(url: string): Promise<void>;
  /** Runs a function in the page; it knows nothing but the page. */
  inPage(work: () => void): Promise<void>;
  /** Chooses this entry from the page's menu, over what the selector finds; default: its first paragraph. */
  chooseFromMenu(entry: "highlight" | "keep-page" | "keep-selection", label: string, selector?: string): Promise<void>;
  pressKeepShortcut(): Promise<void>;
  /** Presses the panel's button of this name, once there is one that can be pressed; the last of several. */
  press(name: string): Promise<void>;
  /** Types into the panel's field with this label, in place of what is there. */
  fill(label: string, text: string): Promise<void>;
  /** Addresses that the last answer links to. */
  links(): Promise<readonly string[]>;
  /** Everything in one store of the extension's database. */
  store(name: StoreName): Promise<unknown[]>;
  /** Types into the box for the question, in place of what is there. */
  write(text: string): Promise<void>;
  /** Sends what is written. */
  send(question: string): Promise<void>;
  /** Everything the panel shows, with what is written. */
  text(): Promise<string>;
  /** Waits until the last answer is whole; gives its turn's text. */
  answered(): Promise<string>;
  /** Closes the panel, and opens it again. */
  reopen(): Promise<void>;
  /** How many points of the panel lie outside of it, where it is so wide. */
  overflowAt(width: number): Promise<number>;
  close(): Promise<void>;
}

/** Waits until the panel shows these words. */
export async function shows(beside: Beside, words: string | RegExp): Promise<void> {
  await until(`the panel shows ${words}`, async () => {
    const text = await beside.text();
    return typeof words === "string" ? text.includes(words) : words.test(text);
  });
}

/** In Chromium, over its side panel. */
export async function besideInChromium(service: TestService): Promise<Beside> {
  const browser: ExtensionBrowser = await launchExtension();
  await pairExtension(browser, service);
  let page: Page | undefined;
  let panel: Page | undefined;
  const there = <One>(one: One | undefined): One => {
    if (one === undefined) throw new Error("Open a page first.");
    return one;
  };
  const field = () => there(panel).getByRole("textbox", { name: "Your question" });
  return {
    async open(url) {
      const before = page;
      page = await browser.context.newPage();
      await page.goto(url);
      panel = await browser.openPanel(page);
      panel.setDefaultTimeout(60_000);
      await field().waitFor();
      await before?.close();
    },
    inPage: (work) => there(page).evaluate(work),
    chooseFromMenu: async (entry) => {
      // As a browser with a window tells it.
      const told = await there(page).evaluate(() => ({
        selectionText: getSelection()?.toString() ?? "",
        editable: document.activeElement?.matches("input, textarea, [contenteditable]") === true,
      }));
      await clickMenu(browser, there(page), entry, told);
    },
    pressKeepShortcut: async () => void (await pressShortcut(browser, there(page), "keep-page")),
    press: (name) =>
      there(panel)
        .getByRole("button", { name, exact: true })
        .or(there(panel).getByRole("tab", { name, exact: true }))
        .and(there(panel).locator(":enabled"))
        .last()
        .click(),
    fill: (label, text) => there(panel).getByLabel(label, { exact: true }).last().fill(text),
    links: () =>
      there(panel)
        .locator(".turn")
        .last()
        .locator("a[href]")
        .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href)),
    store: (name) => storeOf(browser, name),
    write: (text) => field().fill(text),
    async send(question) {
      await field().fill(question);
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
      await there(panel).reload();
      await field().waitFor();
    },
    async overflowAt(width) {
      await there(panel).setViewportSize({ width, height: 600 });
      return there(panel).evaluate(() => document.documentElement.scrollWidth - innerWidth);
    },
    close: () => browser.close(),
  };
}

/** In Firefox, over its sidebar. */
export async function besideInFirefox(service: TestService): Promise<Beside> {
  const firefox = await launchFirefox();
  await pairFirefox(firefox, service);
  let tab: FirefoxTab | undefined;
  const there = (): FirefoxTab => {
    if (tab === undefined) throw new Error("Open a page first.");
    return tab;
  };
  async function openSidebar(): Promise<void> {
    await firefox.window.clickAction();
    await firefox.sidebarIsOpen();
  }
  async function write(text: string): Promise<void> {
    // A click puts the cursor somewhere: what is there is chosen after it.
    await firefox.type([]);
    await firefox.inSidebar((document) => document.querySelector<HTMLTextAreaElement>("textarea")?.select());
    await firefox.window.press(text === "" ? ["Backspace"] : [...text]);
  }
  return {
    async open(url) {
      await firefox.window.hideSidebar();
      const before = tab;
      tab = await firefox.openTab(url);
      await openSidebar();
      if (before !== undefined) await firefox.closeTab(before);
    },
    inPage: (work) => firefox.inPage(there(), work),
    chooseFromMenu: (_, label, selector = "p") => firefox.chooseFromMenu(there(), selector, label),
    pressKeepShortcut: () => firefox.window.pressShortcut("K"),
    press: (name) => firefox.pressInSidebar(name),
    async fill(label, text) {
      const field = await until(`there is a field “${label}”`, () =>
        firefox.inSidebar((document, wanted) => {
          const labels = Array.from(document.querySelectorAll("label"));
          return labels.findLast((one) => one.textContent === wanted)?.htmlFor;
        }, label),
      );
      await firefox.clickInSidebar(`[id="${field}"]`);
      await firefox.inSidebar(
        (document, id) => (document.getElementById(id) as HTMLInputElement | null)?.select(),
        field,
      );
      await firefox.window.press([...text]);
    },
    links: () =>
      firefox.inSidebar((document) => {
        const turn = Array.from(document.querySelectorAll(".turn")).at(-1);
        return Array.from(turn?.querySelectorAll<HTMLAnchorElement>("a[href]") ?? [], ({ href }) => href);
      }),
    store: (name) =>
      firefox.inExtension(
        (store) =>
          new Promise<unknown[]>((resolve, reject) => {
            const opening = indexedDB.open("threadlore");
            opening.addEventListener("error", () => reject(opening.error));
            opening.addEventListener("success", () => {
              const reading = opening.result.transaction(store).objectStore(store).getAll();
              reading.addEventListener("success", () => {
                resolve(reading.result);
                opening.result.close();
              });
            });
          }),
        name,
      ),
    write,
    async send(question) {
      await write(question);
      await firefox.window.press(["Enter"]);
    },
    text: () =>
      firefox.inSidebar((document) => {
        const shown = document.querySelector<HTMLElement>(".panel")?.innerText ?? "";
        return `${shown}\n${document.querySelector("textarea")?.value ?? ""}`;
      }),
    answered: () =>
      until("the answer is whole", () =>
        firefox.inSidebar((document) => {
          const turn = Array.from(document.querySelectorAll<HTMLElement>(".turn")).at(-1);
          return turn?.getAttribute("aria-busy") === "false" && turn.innerText;
        }),
      ),
    async reopen() {
      await firefox.window.hideSidebar();
      await openSidebar();
    },
    async overflowAt(width) {
      await firefox.window.widenSidebar(width);
      return until("the sidebar is as wide", () =>
        firefox.inSidebar((document, wanted) => {
          const { innerWidth = 0 } = document.defaultView ?? {};
          return Math.abs(innerWidth - wanted) <= 4 && String(document.documentElement.scrollWidth - innerWidth);
        }, width),
      ).then(Number);
    },
    close: () => firefox.close(),
  };
}
