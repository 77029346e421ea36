import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../../testing/service.ts";

/** As low as a line with buttons is, in points. */
const ONE_LINE = 30;

describe.runIf(await hasChromium())("the line while a page can be taken back", { timeout: 120_000 }, () => {
  let service: TestService;
  let pages: TestPages;

  beforeAll(async () => {
    service = await startService();
    pages = await servePages(() => article("Plan", "The shed is opened with the code on the board."));
  });
  afterAll(() => Promise.all([service?.close(), pages?.close()]));

  it.each(["de", "en-US", "es", "fr", "ja"])(
    "is one line in a panel of 240 points and of 360: %s",
    async (language) => {
      const browser = await launchExtension({ language, allowedSites: ["http://pages.example/*"] });
      try {
        await pairExtension(browser, service);
        const page = await browser.context.newPage();
        await page.goto(`${pages.url}/${language}`);
        const panel = await browser.openPanel(page);
        // The first of four, in any language.
        await panel.locator(".bar > .icon-button:enabled:nth-last-child(4)").click();
        const line = panel.locator(".undo-line");
        await line.waitFor();
        for (const width of [240, 360]) {
          await panel.setViewportSize({ width, height: 596 });
          const shown = await line.evaluate((element) => ({
            height: element.getBoundingClientRect().height,
            isWide: element.scrollWidth > element.clientWidth,
            names: Array.from(element.querySelectorAll("button"), ({ innerText }) => innerText.trim() !== ""),
          }));
          expect(shown.height, `${width}`).toBeLessThanOrEqual(ONE_LINE);
          // Where their words have no room, they are still called by them.
          expect(shown).toMatchObject({ isWide: false, names: [true, true] });
        }
      } finally {
        await browser.close();
      }
    },
  );
});
