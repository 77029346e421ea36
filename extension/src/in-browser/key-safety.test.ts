import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { hasChromium, launchExtension, type ExtensionBrowser } from "../testing/chromium.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import {
  clickMenu,
  copiesOf,
  letTimePass,
  outboxOf,
  putEntries,
  readEntries,
  readStorageFromPage,
  sayFromPage,
  storageOf,
  storeOf,
} from "../testing/worker-state.ts";

const there = await hasChromium();

describe.runIf(there)("the key, in a real browser", { timeout: 120_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let page: Page;
  let key: string;
  /** Everything the hostile page's server was ever sent. */
  const heard: string[] = [];

  beforeAll(async () => {
    pages = await servePages((path, request) => {
      heard.push(path, JSON.stringify(request.headers));
      return article("Hostile", "A page that would like to have the key.");
    });
    service = await startService();
    browser = await launchExtension();
    key = await pairExtension(browser, service);
    page = await browser.context.newPage();
    await page.goto(pages.url);
    await browser.giveAccess(page);
    await clickMenu(browser, page, "keep-page");
    await until("the page waits", async () => (await outboxOf(browser)).length > 0);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await pages?.close();
  }, 60_000);

  it("T8 is kept from scripts in pages, those of the extension included", async () => {
    expect(key.length).toBeGreaterThan(30);
    expect(await readStorageFromPage(browser)).toEqual({
      local: expect.stringContaining("not allowed"),
      session: expect.stringContaining("not allowed"),
      sync: expect.stringContaining("not allowed"),
      managed: expect.stringContaining("not allowed"),
    });
  });

  it("G10 is in no synchronised area, in nothing that waits or was sent, and in no page's world", async () => {
    expect(JSON.stringify(await storageOf(browser, "sync"))).toBe("{}");
    expect(JSON.stringify(await storageOf(browser, "local"))).toContain(key);
    const [entry] = await readEntries(browser);
    if (entry === undefined) throw new Error("Nothing waits.");
    expect(JSON.stringify(entry)).not.toContain(key);
    expect(JSON.stringify(await storageOf(browser, "session"))).not.toContain(key);
    const world = await page.evaluate(() => {
      const texts = Object.getOwnPropertyNames(globalThis).map((name) => {
        const value: unknown = Reflect.get(globalThis, name);
        return `${name} ${typeof value === "string" ? value : ""}`;
      });
      const stored = JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]);
      return [document.documentElement.outerHTML, stored, ...texts].join("\n");
    });
    expect(world).toContain("would like to have the key");
    for (const text of [world, ...heard]) expect(text).not.toContain(key);
    await letTimePass(browser);
    await until("the page has arrived", async () => (await outboxOf(browser)).length === 0);
    expect(JSON.stringify(await storeOf(browser, "ledger"))).not.toContain(key);

    // What follows is about a page that waits and is due, and that nobody has sent yet.
    await putEntries(await browser.worker(), copiesOf(entry, 1, "due"));
  });

  it("T9 hears nothing that pages say, through a script of the extension or otherwise", async () => {
    const state = async () =>
      JSON.stringify([
        await storageOf(browser, "local"),
        await storageOf(browser, "session"),
        await storeOf(browser, "outbox"),
        await storeOf(browser, "ledger"),
      ]);
    const before = await state();
    const said = ["outbox-changed", "", null, 0, true, [], {}, { type: "outbox-changed" }, ["outbox-changed"], "keys"];
    await sayFromPage(
      browser,
      Array.from({ length: 200 }, (_, index) => said[index % said.length]),
    );
    const runtime = await page.evaluate(
      () => typeof (globalThis as { chrome?: { runtime?: unknown } }).chrome?.runtime,
    );
    expect(runtime).toBe("undefined");
    expect(await state()).toBe(before);
    expect(await service.documents()).toHaveLength(1);

    // The same word from a page of the extension is heard, so that the above was no deafness.
    const own = await browser.openOwnPage("options.html");
    await own.evaluate(() =>
      (
        globalThis as unknown as { chrome: { runtime: { sendMessage(message: unknown): Promise<unknown> } } }
      ).chrome.runtime
        .sendMessage("outbox-changed")
        .catch(() => {}),
    );
    await until("the page that was due has arrived", async () => (await service.documents()).length === 2);
  });
});
