import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../testing/chromium.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { storageOf } from "../testing/worker-state.ts";

/** What stands in one window each. */
const ONE = { word: "vortannisk", draft: "shuvenkrill" } as const;
const TWO = { word: "dwelmorphant", draft: "brintlewisp" } as const;

describe.runIf(await hasChromium())("two windows at once", { timeout: 240_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let pageOfTwo: Page;
  let [one, two]: (Page | undefined)[] = [];

  beforeAll(async () => {
    service = await startService();
    pages = await servePages((path) => {
      const { word } = path === "/one" ? ONE : TWO;
      return article(`Page ${path.slice(1)}`, `The word of this page is ${word}.`);
    });
    browser = await launchExtension();
    await pairExtension(browser, service);
    const page = await browser.context.newPage();
    await page.goto(`${pages.url}/one`);
    one = await browser.openPanel(page);
    pageOfTwo = await browser.openWindow(`${pages.url}/two`);
    two = await browser.openPanel(pageOfTwo);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  const fieldOf = (panel: Page | undefined) => panel?.getByRole("textbox", { name: "Your question" });
  async function ask(panel: Page | undefined, word: string): Promise<void> {
    await fieldOf(panel)?.fill("What is the word of this page?");
    await fieldOf(panel)?.press("Enter");
    await panel?.locator('.turn[aria-busy="false"]').getByText(word).first().waitFor();
  }
  const heldIn = async () => JSON.stringify(await storageOf(browser, "session"));

  it("have each a conversation and a draft of their own, which the other does not show", async () => {
    await ask(one, ONE.word);
    await ask(two, TWO.word);
    await fieldOf(one)?.fill(ONE.draft);
    await fieldOf(two)?.fill(TWO.draft);
    await until("both drafts are held", async () => {
      const held = await heldIn();
      return held.includes(ONE.draft) && held.includes(TWO.draft);
    });
    for (const [panel, own, other] of [
      [one, ONE, TWO],
      [two, TWO, ONE],
    ] as const) {
      // As it is shown, and as it comes back.
      for (const again of [false, true]) {
        if (again) await panel?.reload();
        await panel?.locator(".turn").getByText(own.word).first().waitFor();
        await expect.poll(() => fieldOf(panel)?.inputValue()).toBe(own.draft);
        expect(await panel?.locator(".turn").count()).toBe(1);
        expect(await panel?.locator(".panel").innerText()).not.toContain(other.word);
      }
    }
  });

  it("leave each other alone: closing one takes its draft and what it showed out of memory, and nothing of the other", async () => {
    await pageOfTwo.close();
    await until("what was held for it is forgotten", async () => !(await heldIn()).includes(TWO.draft));
    expect(await heldIn()).toContain(ONE.draft);
    await one?.locator(".turn").getByText(ONE.word).first().waitFor();
    expect(await fieldOf(one)?.inputValue()).toBe(ONE.draft);
    await ask(one, ONE.word);
  });
});
