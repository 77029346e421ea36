import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { KeptAdditions } from "../../keep/additions.ts";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { type FirefoxBrowser, hasFirefox, launchFirefox } from "../../testing/firefox.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { pairExtension, pairFirefox, startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { letTimePass, outboxOf, questionsOf, storageOf, storeOf } from "../../testing/worker-state.ts";

interface MemoryScope {
  readonly browser: {
    readonly storage: {
      readonly session: { get(keys: null): Promise<Record<string, { entry: { additions?: KeptAdditions } }>> };
    };
  };
}

/** What was added to the page in an ordinary window. */
const ADDED = { title: "The shed", tags: ["garden"], note: "Rui has the key." };
const page = (path: string) => article(`Plan ${path.slice(1)}`, "The shed is opened with the code on the board.");

describe.runIf(await hasChromium())("a page kept before, in a private window", { timeout: 240_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let side: Page;

  beforeAll(async () => {
    service = await startService();
    pages = await servePages(page);
    browser = await launchExtension({ allowedInPrivate: true, allowedSites: ["http://pages.example/*"] });
    await pairExtension(browser, service);
    const tab = await browser.context.newPage();
    await tab.goto(`${pages.url}/one`);
    const panel = await browser.openPanel(tab);
    await panel.getByRole("button", { name: "Keep this page" }).click();
    await panel.getByRole("button", { name: "Note, tags…" }).click();
    await panel.getByLabel("Title", { exact: true }).fill("The shed");
    await panel.getByRole("textbox", { name: "Tags" }).fill("garden");
    await panel.getByLabel("Note", { exact: true }).fill("Rui has the key.");
    await panel.getByRole("button", { name: "Done" }).click();
    await panel.getByText(/^Keeping in/).waitFor();
    await panel.getByRole("textbox", { name: "Your question" }).fill("What is the code on the board?");
    await panel.keyboard.press("Enter");
    await panel.locator('.turn[aria-busy="false"]').waitFor();
    await letTimePass(browser);
    await until("it is kept", async () => (await storeOf(browser, "ledger")).length === 1);
    // Another place on it, so that a test can tell the two tabs apart.
    const hidden = await browser.openPrivate(`${pages.url}/one#again`);
    side = await browser.openPanel(hidden);
    await side.getByText("This is a private window").waitFor();
    await side.getByRole("button", { name: /^Kept since/ }).waitFor();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  /** What waits from private windows. */
  const heldIn = async () =>
    Object.entries(await storageOf(browser, "session")).flatMap(([key, one]) =>
      key.startsWith("private-page:") ? [one] : [],
    );
  const card = () => side.getByRole("region", { name: "Keep this page?" });

  it("is kept again with what was added to it, which is shown before, and nothing of that is written down", async () => {
    const ledger = JSON.stringify(await storeOf(browser, "ledger"));
    await side.getByRole("button", { name: /^Kept since/ }).click();
    const menu = side.getByRole("dialog", { name: "What can be done with this page" });
    // What is changed of the page itself would be written to the disk.
    await expect.poll(() => menu.getByRole("button").allInnerTexts()).toEqual(["Update"]);
    await menu.getByRole("button", { name: "Update" }).click();
    for (const words of ["The shed", "garden", "Rui has the key."]) await card().getByText(words).first().waitFor();
    expect(await questionsOf(browser)).toMatchObject([{ entry: { additions: ADDED } }]);
    await card().getByRole("button", { name: "Keep it", exact: true }).click();
    await side.getByText(/^Keeping in/).waitFor();
    expect(await heldIn()).toMatchObject([{ entry: { additions: ADDED } }]);
    expect(await outboxOf(browser)).toEqual([]);
    await side.getByText("Sent. Nothing of it is kept in this browser.").waitFor();
    expect((await service.documents()).map(({ semantic_id }) => semantic_id)).toEqual(["The shed"]);
    expect(JSON.stringify(await storeOf(browser, "ledger"))).toBe(ledger);
  });

  it("is read and opened from the list of kept pages, and nothing is changed there, nor of earlier conversations", async () => {
    const [entries, ledger] = [await outboxOf(browser), JSON.stringify(await storeOf(browser, "ledger"))];
    await side.getByRole("button", { name: "Earlier conversations" }).click();
    await side.getByRole("tab", { name: "Kept pages" }).click();
    const list = side.getByRole("tabpanel");
    await list.getByText("To change it, use an ordinary window.").waitFor();
    const row = list.getByRole("link", { name: "The shed" });
    expect(await row.getAttribute("href")).toBe(`${pages.url}/one`);
    expect(await list.getByRole("button").allInnerTexts()).toEqual(["garden"]);
    await side.getByRole("searchbox").fill("Rui");
    await row.waitFor();
    await side.getByRole("tab", { name: "Conversations" }).click();
    await list.getByRole("button", { name: /^What is the code/ }).waitFor();
    expect(await list.getByRole("button", { name: /^(?:Rename|Forget)/ }).count()).toBe(0);
    expect([await outboxOf(browser), JSON.stringify(await storeOf(browser, "ledger"))]).toEqual([entries, ledger]);
    await side.getByRole("button", { name: "Back to the conversation" }).click();
  });

  it("goes with them from the list of the window's tabs as well", async () => {
    await side.getByRole("button", { name: /^What is asked of the page/ }).click();
    await side.getByRole("button", { name: "Keep all tabs of this window" }).click();
    await side.getByRole("checkbox", { name: /^Plan one/ }).check();
    await side.getByRole("button", { name: "Keep 1 page" }).click();
    await side.getByText(/^Keeping in/).waitFor();
    expect(await heldIn()).toMatchObject([{ entry: { additions: ADDED } }]);
    expect(await outboxOf(browser)).toEqual([]);
  });
});

describe.runIf(await hasFirefox())("a page in a private window of Firefox", { timeout: 240_000 }, () => {
  let firefox: FirefoxBrowser;
  let service: TestService;
  let pages: TestPages;

  beforeAll(async () => {
    service = await startService();
    pages = await servePages(page);
    firefox = await launchFirefox({ allowedInPrivate: true, allowedSites: ["http://pages.example/*"] });
    await pairFirefox(firefox, service);
  }, 240_000);
  afterAll(async () => {
    await firefox?.close();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  /** A private window with a page, and the panel beside it. */
  const openBeside = async (path: string) => {
    const side = await firefox.openPrivate(`${pages.url}/${path}`);
    await side.window.clickAction();
    await side.sidebarIsOpen();
    const says = (words: string) =>
      until(`it says “${words}”`, () =>
        side.inSidebar((document, wanted) => document.body.innerText.includes(wanted), words),
      );
    return { side, says };
  };

  // Firefox opens no database in a private window.
  it("is kept by the bookmark, which asks first, and can be taken back", async () => {
    const { side, says } = await openBeside("one");
    await side.pressInSidebar("Keep this page");
    await says("The page is open in a private window.");
    await side.pressInSidebar("Keep it");
    await says("Keeping in");
    await side.pressInSidebar("Undo");
    await side.pressInSidebar("Keep this page");
    await side.pressInSidebar("Keep it");
    await says("Sent. Nothing of it is kept in this browser.");
    expect((await service.documents()).map(({ semantic_id }) => semantic_id)).toEqual(["Plan one"]);
  });

  it("is found in no list there, which says why", async () => {
    const { side, says } = await openBeside("three");
    const unseen = "In a private window this browser shows nothing that ordinary windows have kept.";
    for (const list of ["Earlier conversations", "Kept pages"]) {
      await side.pressInSidebar(list);
      await says(unseen);
    }
    const shown = await side.inSidebar((document) => document.body.innerText);
    expect(shown).not.toMatch(/failed|No page was kept|Nothing was asked/);
    await side.window.close();
  });

  it("is kept with a highlight and a note, and a highlight is taken back alone", async () => {
    const { side, says } = await openBeside("two");
    const [tab] = await firefox.tabsAt(`${pages.url}/two`);
    const highlight = async (from: number, to: number) => {
      await firefox.inPage(
        tab ?? "",
        (first, last) => {
          const text = document.querySelector("p")?.firstChild;
          if (text) getSelection()?.setBaseAndExtent(text, first, text, last);
        },
        from,
        to,
      );
      // A panel that is opened looks at the page.
      await side.window.hideSidebar();
      await side.window.clickAction();
      await side.sidebarIsOpen();
      await side.pressInSidebar("Highlight the selection");
    };
    /** What was added to the page that waits in memory. */
    const added = () =>
      firefox.inExtension(async () => {
        const { session } = (globalThis as unknown as MemoryScope).browser.storage;
        const held = Object.entries(await session.get(null)).find(([key]) => key.startsWith("private-page:"));
        return held?.[1].entry.additions;
      });
    await highlight(0, 18);
    await says("The page is open in a private window.");
    await side.pressInSidebar("Keep it");
    await says("Keeping in");
    await side.pressInSidebar("Note, tags…");
    await side.clickInSidebar(".additions textarea");
    await side.window.press([..."Rui has the key."]);
    await side.pressInSidebar("Done");
    await until("the note is noted", async () => (await added())?.note !== undefined);
    await highlight(28, 45);
    await says("code on the board");
    expect(await added()).toMatchObject({
      note: "Rui has the key.",
      highlights: [{ text: "The shed is opened" }, { text: "code on the board" }],
    });
    await side.pressInSidebar("Undo");
    await until("one highlight is left", async () => (await added())?.highlights.length === 1);
    await says("Sent. Nothing of it is kept in this browser.");
    await service.drain();
    expect(await side.ask("Who has the key?")).toContain("Rui has the key.");
  });
});
