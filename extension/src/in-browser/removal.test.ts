import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../testing/chromium.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../testing/service.ts";
import { tracesOf } from "../testing/traces.ts";
import { until } from "../testing/until.ts";
import { clickMenu, letTimePass, storeOf } from "../testing/worker-state.ts";

/** A word of what was asked and answered, and one of a page that was kept; the browser itself has neither. */
const ASKED = "grobbenfalt";
const ANSWERED = "vortannisk";

describe.runIf(await hasChromium())("removing the extension", { timeout: 240_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let key: string;

  beforeAll(async () => {
    service = await startService();
    pages = await servePages(() => article("The gate", `The word of the gate is ${ANSWERED}.`));
    browser = await launchExtension({ keepProfile: true });
    key = await pairExtension(browser, service);
  }, 240_000);
  afterAll(async () => {
    await browser?.close().catch(() => {});
    await browser?.forget();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  it("removes key, conversations and what was sent", async () => {
    const page = await browser.context.newPage();
    await page.goto(pages.url);
    const panel = await browser.openPanel(page);
    const field = panel.getByRole("textbox", { name: "Your question" });
    await field.fill(`What is the word of the gate, ${ASKED}?`);
    await field.press("Enter");
    await panel.locator('.turn[aria-busy="false"]').getByText(ANSWERED).first().waitFor();
    await clickMenu(browser, page, "keep-page");
    await panel.getByText(/^Keeping in/).waitFor();
    await letTimePass(browser);
    await until("it was sent", async () => (await storeOf(browser, "ledger")).length === 1);
    const words = [ASKED, ANSWERED, key];
    await until("all of it is on the disk", async () => {
      const traces = await tracesOf(browser.profile, words);
      return words.every((word) => traces.some((trace) => trace.startsWith(word)));
    });
    const worker = await browser.worker();
    await worker
      .evaluate(() =>
        (
          globalThis as unknown as {
            chrome: { management: { uninstallSelf(options: object): Promise<void> } };
          }
        ).chrome.management.uninstallSelf({ showConfirmDialog: false }),
      )
      .catch(() => {});
    // The page itself was never stored by the browser under these words but in its cache, which is not the extension's.
    const ours = async () =>
      (await tracesOf(browser.profile, words)).filter((trace) => !/[/\\]Cache[/\\]|Code Cache/.test(trace));
    await until("nothing of it is left", async () => (await ours()).length === 0);
    await browser.close();
    expect(await ours()).toEqual([]);
  });
});
