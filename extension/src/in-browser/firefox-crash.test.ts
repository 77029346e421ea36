import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FirefoxBrowser, type FirefoxPlace, hasFirefox, launchFirefox } from "../testing/firefox.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { pairFirefox, startService, type TestService } from "../testing/service.ts";
import { tracesOf } from "../testing/traces.ts";
import { until } from "../testing/until.ts";

/** Words of the private window's page that stand nowhere else. */
const CANARIES = { title: "Quazzlemire", text: "vortannisk", address: "plimberdook" } as const;
/** The same of the ordinary window's: what the search for traces must find. */
const ORDINARY = "dwelmorphant";

describe.runIf(await hasFirefox())("a Firefox that is killed while pages wait", { timeout: 240_000 }, () => {
  let firefox: FirefoxBrowser;
  let service: TestService;
  let pages: TestPages;

  beforeAll(async () => {
    service = await startService();
    pages = await servePages((path) => {
      if (path === "/ordinary") return article(ORDINARY, "The canteen opens at noon.");
      if (path !== `/${CANARIES.address}`) return undefined;
      return article(CANARIES.title, `The code of the gate is ${CANARIES.text}.`);
    });
    firefox = await launchFirefox({ allowedInPrivate: true, keepProfile: true });
    await pairFirefox(firefox, service);
  }, 240_000);
  afterAll(async () => {
    await firefox?.close().catch(() => {});
    if (firefox !== undefined) await rm(firefox.profile, { recursive: true, force: true, maxRetries: 10 });
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  const says = ({ inSidebar }: FirefoxPlace, words: string) =>
    until(`it says “${words}”`, () =>
      inSidebar((document, wanted) => document.body.innerText.includes(wanted), words).catch(() => false),
    );
  const named = async () => (await service.documents()).map(({ semantic_id }) => semantic_id);

  it("has written nothing of the private one, and what it was asked about", async () => {
    await firefox.openTab(`${pages.url}/ordinary`);
    await firefox.window.clickAction();
    await firefox.sidebarIsOpen();
    const hidden = await firefox.openPrivate(`${pages.url}/${CANARIES.address}`);
    await hidden.window.clickAction();
    await hidden.sidebarIsOpen();
    // Both are within their ten seconds when the browser ends.
    await service.close();
    await firefox.pressInSidebar("Keep this page");
    await says(firefox, "Keeping in");
    await hidden.pressInSidebar("Keep this page");
    await says(hidden, "The page is open in a private window.");
    await hidden.pressInSidebar("Keep it");
    await says(hidden, "Keeping in");
    await firefox.kill();
    const ordinary = await tracesOf(firefox.profile, [ORDINARY]);
    expect(ordinary.filter((trace) => trace.includes("moz-extension"))).not.toEqual([]);
    expect(await tracesOf(firefox.profile, Object.values(CANARIES))).toEqual([]);
  });

  it("sends the ordinary one after its next start, once the service is there, and never the private one", async () => {
    const port = Number(new URL(service.url).port);
    service = await startService({ database: service.database, port });
    firefox = await launchFirefox({ profile: firefox.profile, allowedInPrivate: true, keepProfile: true });
    await until("the ordinary page has arrived", async () => (await named()).includes(ORDINARY));
    await firefox.openTab(`${pages.url}/ordinary`);
    await firefox.window.clickAction();
    await firefox.sidebarIsOpen();
    await until("its button says so", () =>
      firefox.inSidebar((document) => document.querySelector('button[aria-label^="Kept since"]') !== null),
    );
    const hidden = await firefox.openPrivate(`${pages.url}/${CANARIES.address}`);
    await hidden.window.clickAction();
    await hidden.sidebarIsOpen();
    await until("the private page is offered to be kept", () =>
      hidden.inSidebar((document) => document.querySelector('button[aria-label="Keep this page"]:enabled') !== null),
    );
    expect(await named()).toEqual([ORDINARY]);
  });
});
