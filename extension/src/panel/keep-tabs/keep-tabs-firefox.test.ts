import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FirefoxBrowser, hasFirefox, launchFirefox } from "../../testing/firefox.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { pairFirefox, startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";

describe.runIf(await hasFirefox())("keeping all tabs of a window in Firefox", { timeout: 240_000 }, () => {
  let firefox: FirefoxBrowser;
  let service: TestService;
  let pages: TestPages;

  beforeAll(async () => {
    service = await startService();
    pages = await servePages((path) => article(`Plan ${path.slice(1)}`, `What is planned stands under ${path}.`));
    firefox = await launchFirefox({ allowedSites: ["http://pages.example/*"] });
    await pairFirefox(firefox, service);
  }, 240_000);
  afterAll(async () => {
    await firefox?.close();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  const shows = (words: RegExp, isThere = true) =>
    until(`the sidebar shows ${words}: ${isThere}`, () =>
      firefox.inSidebar(
        (document, wanted, wished) => new RegExp(wanted).test(document.body.innerText) === wished,
        words.source,
        isThere,
      ),
    );

  it("takes many back by one button, or one of them by its own", async () => {
    for (const path of ["/one", "/two", "/three"]) await firefox.openTab(`${pages.url}${path}`);
    await firefox.window.clickAction();
    await firefox.sidebarIsOpen();
    const keepAll = async () => {
      await firefox.clickInSidebar(".page-chip .page");
      await firefox.pressInSidebar("Keep all tabs of this window");
      await firefox.pressInSidebar("Keep 3 pages");
      await shows(/Keeping 3 pages in \d+ s/);
    };
    await keepAll();
    await firefox.pressInSidebar("Undo all");
    await shows(/Keeping (\d+ pages )?in/, false);

    await keepAll();
    await firefox.pressInSidebar("Show each of them");
    await firefox.pressInSidebar("Undo");
    await shows(/Keeping 3 pages/, false);
    await until("the others are sent", async () => (await service.documents()).length === 2);
    await service.drain();
    expect(await service.documents()).toHaveLength(2);
  });
});
