import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, launchExtension, type ExtensionBrowser } from "../testing/chromium.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../testing/service.ts";
import { tracesOf } from "../testing/traces.ts";
import { until } from "../testing/until.ts";
import { clickMenu, outboxOf, questionsOf, storageOf, storeOf } from "../testing/worker-state.ts";

/** Words that stand nowhere else; each is one place where a private window could leave a trace. */
const CANARIES = {
  title: "Quazzlemire",
  text: "vortannisk",
  address: "plimberdook",
  question: "grobbenfalt",
  draft: "shuvenkrill",
  unsent: "trelvoxima",
} as const;
/** The same in an ordinary window: what the search for traces must find. */
const ORDINARY = "dwelmorphant";

/** Lets the time pass in which a page of a private window can be taken back. A worker that is just ending cannot. */
function passTime(browser: ExtensionBrowser): Promise<unknown> {
  return until("the time has passed", () =>
    passTimeOnce(browser).then(
      () => true,
      () => false,
    ),
  );
}

async function passTimeOnce(browser: ExtensionBrowser): Promise<void> {
  const worker = await browser.worker();
  await worker.evaluate(async () => {
    const { chrome } = globalThis as unknown as {
      chrome: {
        storage: { session: { get(keys: null): Promise<Record<string, unknown>>; set(values: object): Promise<void> } };
        alarms: { onAlarm: { dispatch(alarm: object): void } };
      };
    };
    for (const [key, held] of Object.entries(await chrome.storage.session.get(null))) {
      if (!key.startsWith("private-page:")) continue;
      const { entry, ...rest } = held as { entry: object };
      await chrome.storage.session.set({ [key]: { ...rest, entry: { ...entry, sendAfter: 0 } } });
    }
    chrome.alarms.onAlarm.dispatch({ name: "outbox" });
  });
}

describe.runIf(await hasChromium())("a private window", { timeout: 240_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let page: Page;
  let panel: Page;

  beforeAll(async () => {
    service = await startService();
    pages = await servePages((path) => {
      if (path === "/ordinary") return article("Ordinary", `The word of this page is ${ORDINARY}.`);
      if (!path.startsWith(`/${CANARIES.address}`)) return undefined;
      return article(CANARIES.title, `The code of the gate is ${CANARIES.text}.`);
    });
    browser = await launchExtension({ allowedInPrivate: true, keepProfile: true });
    await pairExtension(browser, service);
    page = await browser.openPrivate(`${pages.url}/${CANARIES.address}`);
    panel = await browser.openPanel(page);
  }, 240_000);
  afterAll(async () => {
    await browser?.close().catch(() => {});
    await browser?.forget();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  const ask = async (view: Page, question: string) => {
    await view.getByRole("textbox", { name: "Your question" }).fill(question);
    await view.keyboard.press("Enter");
    await view.locator('.turn[aria-busy="false"]').getByRole("heading", { name: question }).waitFor();
  };

  it("is answered like any other, says that it is private, and offers nothing the browser would write down", async () => {
    await panel.getByText("This is a private window").waitFor();
    await panel.getByRole("button", { name: "What is asked of the page" }).click();
    await panel.getByRole("dialog", { name: "What is asked of the page" }).waitFor();
    for (const role of ["switch", "checkbox", "button"] as const)
      expect(await panel.getByRole(role, { name: /^(?:Always allow|Allow all)/ }).count()).toBe(0);
    await panel.keyboard.press("Escape");
    await ask(panel, `What is the code of the gate, ${CANARIES.question}?`);
    await expect.poll(() => panel.locator(".turn").innerText()).toContain(CANARIES.text);
    expect(await panel.getByRole("button", { name: "Earlier conversations" }).isEnabled()).toBe(true);
    const own = await storageOf(browser, "local");
    // Where the service answers says no more than the address that was set, and nothing of what was asked.
    expect(Object.keys(own).toSorted()).toEqual(["address", "keys", "known-version", "settings"]);
    expect(own["address"]).toEqual({ given: service.url, baseUrl: service.url });
  });

  it("opens the links of an answer in itself, and in no ordinary window", async () => {
    // Its page goes elsewhere: where it is still open, its tab is shown instead.
    await page.goto(`${pages.url}/${CANARIES.address}/elsewhere`);
    const opening = browser.context.waitForEvent("page");
    await panel.getByRole("group", { name: "Sources" }).getByRole("link").first().click();
    const opened = await opening;
    await opened.waitForLoadState();
    const worker = await browser.worker();
    const tabs = await worker.evaluate(async () => {
      const { chrome } = globalThis as unknown as {
        chrome: {
          tabs: { query(filter: object): Promise<{ url?: string; pendingUrl?: string; incognito: boolean }[]> };
        };
      };
      return chrome.tabs.query({});
    });
    expect(tabs.filter(({ incognito }) => incognito)).toHaveLength(2);
    await opened.close();
    await page.goBack();
    await page.bringToFront();
  });

  it("shows again what it showed when its panel is closed and opened", async () => {
    const field = panel.getByRole("textbox", { name: "Your question" });
    await field.fill(`And what of ${CANARIES.draft}?`);
    await until("the draft is held", async () =>
      JSON.stringify(await storageOf(browser, "session")).includes(CANARIES.draft),
    );
    await panel.reload();
    await panel.locator(".turn").getByText(CANARIES.question).first().waitFor();
    await expect.poll(() => field.inputValue()).toContain(CANARIES.draft);
  });

  it("asks before a page is kept, sends what was agreed to, can be taken back, and holds it in memory alone", async () => {
    await clickMenu(browser, page, "keep-page");
    const question = panel.getByRole("region", { name: "Keep this page?" });
    await question.getByText("The page is open in a private window.").waitFor();
    const agree = async () => {
      await question.getByRole("button", { name: "Keep it", exact: true }).click();
      await panel.getByText(/^Keeping in \d+ seconds?$/).waitFor();
      const held = await storageOf(browser, "session");
      expect(Object.keys(held).filter((key) => key.startsWith("private-page:"))).toHaveLength(1);
      expect(await outboxOf(browser)).toEqual([]);
    };
    await agree();
    await panel.getByRole("button", { name: "Undo" }).click();
    await panel.locator(".bar").getByRole("button", { name: "Keep this page" }).click();
    await agree();
    // The worker ends, and the ten seconds pass.
    await browser.killWorker();
    await passTime(browser);
    const arrived = async () => (await service.documents()).map(({ semantic_id }) => semantic_id);
    await until("the page has arrived", async () => (await arrived()).includes(CANARIES.title));
    await panel.getByText("Sent. Nothing of it is kept in this browser.").waitFor();
    expect(await storeOf(browser, "ledger")).toEqual([]);
    expect(await storeOf(browser, "documents")).toEqual([]);
  });

  it("is seen from no ordinary window, neither its conversation nor its questions", async () => {
    await page.goto(`${pages.url}/${CANARIES.address}/two`);
    await browser.giveAccess(page);
    await clickMenu(browser, page, "keep-page");
    await until("it is asked", async () => (await questionsOf(browser)).length === 1);
    await panel.getByRole("textbox", { name: "Your question" }).fill(CANARIES.unsent);
    const ordinary = await browser.context.newPage();
    await ordinary.goto(`${pages.url}/ordinary`);
    const other = await browser.openPanel(ordinary);
    await ask(other, `What is the word of this page, ${ORDINARY}?`);
    const seen = await other.locator(".panel").innerText();
    await other.getByRole("button", { name: "Earlier conversations" }).click();
    await other.getByRole("button", { name: /^What is the word of this page/ }).waitFor();
    const listed = await other.locator(".history").innerText();
    for (const word of Object.values(CANARIES)) expect(`${seen}\n${listed}`).not.toContain(word);
    expect(seen).not.toContain("Keep this page?");
    expect(await other.getByText("This is a private window").count()).toBe(0);
  });

  it("leaves no word of its conversations, drafts and pages in the profile on the disk", async () => {
    await page.close();
    await until(
      "what was held for the window is forgotten",
      async () => !JSON.stringify(await storageOf(browser, "session")).includes(CANARIES.question),
    );
    await browser.close();
    expect(await tracesOf(browser.profile, [ORDINARY])).not.toEqual([]);
    expect(await tracesOf(browser.profile, Object.values(CANARIES))).toEqual([]);
  });
});
