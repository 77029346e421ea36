import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { raceCaptures } from "./capture-race.harness.ts";
import type { ConsentQuestion } from "../keep/consent.ts";
import type { LedgerRecord } from "../outbox/ledger.ts";
import type { Notice } from "../keep/notices.ts";
import { hasChromium, launchExtension, type ExtensionBrowser } from "../testing/chromium.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import {
  badgeOf,
  changeStored,
  clickMenu,
  letTimePass,
  type MenuClick,
  outboxOf,
  panelsOf,
  pressShortcut,
  questionsOf,
  readEntries,
  storageOf,
  storeOf,
} from "../testing/worker-state.ts";

// Asked here, where no time limit counts: it may install a browser first.
const there = await hasChromium();

describe.runIf(there)("the extension in a real browser", { timeout: 240_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  /** What pages say beyond their own name. */
  let more = "";
  /** Addresses that were asked for, by the browser or by the extension. */
  const asked: string[] = [];

  beforeAll(async () => {
    pages = await servePages((target, { headers }) => {
      asked.push(`http://${headers.host}${target}`);
      const path = target.split("?", 1)[0] ?? "";
      if (path.endsWith(".svg")) return { type: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg"/>' };
      const login = path.includes("private") ? '<form><input type="password" value="canary-in-field"></form>' : "";
      const text = [`Thirty days of holiday, says ${path}. Ask your team before you book anything.`, more + login];
      return article(`Holiday rules ${path}`, ...text);
    });
    service = await startService();
    browser = await launchExtension({ allowedSites: ["http://allowed.example/*"] });
    await pairExtension(browser, service);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
    await pages?.close();
  }, 60_000);

  async function open(path: string, clicked: boolean = true) {
    const page = await browser.context.newPage();
    const going = page.goto(/^[a-z-]+:/.test(path) ? path : `${pages.url}${path}`);
    // The browser's store is not found here; its error page has that address all the same.
    await (path.includes("chromewebstore") ? going.catch(() => {}) : going);
    if (clicked) await browser.giveAccess(page);
    return page;
  }
  /** Does something to a tab, and gives what the person is told came of it. */
  async function toldOf(act: () => Promise<number>): Promise<Notice> {
    const before = (await storageOf(browser, "session"))["notice"] as Notice | undefined;
    const tabId = await act();
    return until("it is told what became of the click", async () => {
      const told = (await storageOf(browser, "session"))["notice"] as Notice | undefined;
      // A link that may not be followed is opened in a tab of its own, and told of there.
      const isItsOwn = told?.tabId === tabId || told?.why === "link-not-allowed";
      return told?.at !== before?.at && isItsOwn && told;
    });
  }
  const choose = (page: Page, entry: string, click?: MenuClick) => toldOf(() => clickMenu(browser, page, entry, click));
  const arrived = async (path: string) => {
    await letTimePass(browser);
    return until(`the document of ${path} has arrived`, async () =>
      (await service.documents()).find(({ semantic_id }) => semantic_id.includes(path)),
    );
  };

  it("storage quota: says that the browser has no room, and keeps nothing half-written", async () => {
    const own = await browser.openOwnPage("options.html");
    const devtools = await browser.context.newCDPSession(own);
    await devtools.send("Storage.overrideQuotaForOrigin", { origin: browser.origin, quotaSize: 1 });
    const page = await open("/too-much");
    expect(await choose(page, "keep-page")).toMatchObject({ kind: "refused", why: "storage" });
    expect([await storeOf(browser, "outbox"), await storeOf(browser, "documents")]).toEqual([[], []]);
    await devtools.send("Storage.overrideQuotaForOrigin", { origin: browser.origin });
    expect(await choose(page, "keep-page")).toMatchObject({ kind: "queued" });
    await arrived("/too-much");
    await Promise.all([own.close(), page.close()]);
  });

  it("opens the real side panel by a click on its icon", async () => {
    const page = await open("/panel", false);
    const panel = await browser.openPanel(page);
    expect(await panel.evaluate(() => document.readyState)).not.toBe("loading");
    expect(await panelsOf(browser)).toHaveLength(1);
    await page.close();
  });

  it("ingests the page it was asked to, marks it, and says when it has changed since; again is the same document", async () => {
    const page = await open("/holidays");
    expect(await choose(page, "keep-page")).toMatchObject({ kind: "queued" });
    const { document_id } = await arrived("/holidays");
    expect(document_id).toMatch(/^web_/);
    await until("the icon has a tick", async () => (await badgeOf(browser, page)) === "✓");
    expect(await outboxOf(browser)).toEqual([]);

    more = "Since today it is thirty-one days, and nobody has to ask for the last one of them.";
    await page.reload();
    await until("the icon has an arrow", async () => (await badgeOf(browser, page)) === "↻");
    expect(await toldOf(() => pressShortcut(browser, page, "keep-page"))).toMatchObject({ kind: "queued" });
    await letTimePass(browser);
    await until("it was sent again", async () =>
      (await storeOf(browser, "ledger")).some((record) => (record as LedgerRecord).times === 2),
    );
    expect((await service.documents()).filter(({ semantic_id }) => semantic_id.includes("/holidays"))).toHaveLength(1);
    await until("the icon has a tick again", async () => (await badgeOf(browser, page)) === "✓");
    await page.close();
  });

  it("ingests what is marked as a document of its own", async () => {
    const page = await open("/marked");
    expect(await choose(page, "keep-selection")).toMatchObject({ kind: "refused", why: "nothing-marked" });
    await page.locator("p").first().selectText();
    expect(await choose(page, "keep-selection")).toMatchObject({ kind: "queued" });
    const [waiting] = await readEntries(browser);
    expect(waiting?.document).toContain("Thirty days of holiday");
    expect(waiting?.entry.documentId).toMatch(/^web_\S+_[0-9a-f]{12}$/);
    await arrived("/marked");
    await page.close();
  });

  it("ingests the page behind a link where its site is allowed, and opens it for the person where it is not", async () => {
    const page = await open("/links");
    const to = (host: string) => pages.url.replace("pages.example", host);
    const before = browser.context.pages().length;
    const linkUrl = `${to("allowed.example")}/behind`;
    expect(await choose(page, "keep-link", { linkUrl })).toMatchObject({ kind: "queued" });
    await arrived("/behind");
    expect(browser.context.pages()).toHaveLength(before);

    const other = `${to("other.example")}/stranger`;
    const opening = browser.context.waitForEvent("page");
    const told = await choose(page, "keep-link", { linkUrl: other });
    expect(told).toMatchObject({ kind: "refused", why: "link-not-allowed" });
    const opened = await opening;
    await opened.waitForURL(other);
    await expect.poll(async () => (await outboxOf(browser)).map(({ title }) => title)).toEqual([]);
    await browser.giveAccess(opened);
    // The access that the click gives can come a moment after it.
    await expect.poll(() => choose(opened, "keep-page")).toMatchObject({ kind: "queued", tabId: told.tabId });
    await Promise.all([opened.close(), page.close()]);
  });

  it("T12 sends no private page unasked, and of none what was typed into it", async () => {
    const page = await open("/private?token=canary-in-address-123456");
    expect(await choose(page, "keep-page")).toMatchObject({ kind: "asked" });
    const questions = (await questionsOf(browser)) as ConsentQuestion[];
    expect(questions).toHaveLength(1);
    expect(questions[0]?.reasons).toEqual(expect.arrayContaining(["password-field", "token-in-address"]));
    expect(questions[0]?.beginning).toContain("Thirty days");
    expect(JSON.stringify(questions)).not.toContain("canary");
    expect((await outboxOf(browser)).filter(({ link }) => link.includes("/private"))).toEqual([]);
    await page.close();
  });

  it("T12 takes pages of this machine and of the company's network for private", async () => {
    const page = await open(`${pages.privateUrl}/intranet`);
    expect(await choose(page, "keep-page")).toMatchObject({ kind: "asked" });
    const questions = (await questionsOf(browser)) as ConsentQuestion[];
    expect(questions.map(({ reasons }) => reasons)).toContainEqual(["intranet-host"]);
    await page.close();
  });

  it.each([
    ["no pair is set", { pairId: null }, "no-pair"],
    ["the pair is public", { pairIsPublic: true }, "public-pair"],
    ["nobody knows who sees the pair", { pairIsPublic: null }, "unknown-audience"],
  ])("T12 asks first where %s", async (_, change, reason) => {
    await changeStored(browser, "settings", change);
    const page = await open(`/${reason}`);
    expect(await choose(page, "keep-page")).toMatchObject({ kind: "asked" });
    const questions = (await questionsOf(browser)) as ConsentQuestion[];
    expect(questions.find(({ entry }) => entry.link.includes(reason))?.reasons).toEqual([reason]);
    expect((await outboxOf(browser)).filter(({ link }) => link.includes(reason))).toEqual([]);
    await changeStored(browser, "settings", { pairId: 1, pairIsPublic: false });
    await page.close();
  });

  it("keeps pages with the key that is for that, where there is one", async () => {
    const { askKey } = (await storageOf(browser, "local"))["keys"] as { askKey: string };
    await changeStored(browser, "keys", { askKey: ["tl", "TEST", "worthless"].join("_"), ingestKey: askKey });
    const page = await open("/second-key");
    expect(await choose(page, "keep-page")).toMatchObject({ kind: "queued" });
    await arrived("/second-key");
    await changeStored(browser, "keys", { askKey, ingestKey: "" });
    await page.close();
  });

  it("leaves alone what is on the deny-list: nothing is read there, nothing asked of the site", async () => {
    await changeStored(browser, "settings", { denyList: ["denied.example"] });
    const url = `${pages.url.replace("pages.example", "www.denied.example")}/accounts`;
    const page = await open(url);
    expect(await choose(page, "keep-page")).toMatchObject({ kind: "refused", why: "denied" });
    expect(asked.filter((one) => one === url)).toHaveLength(1);
    expect(await page.evaluate(() => document.documentElement.outerHTML.includes("threadlore"))).toBe(false);
    await changeStored(browser, "settings", { denyList: [] });
    await page.close();
  });

  it("T11 reads no page whose icon was not clicked", async () => {
    const page = await open("/never-clicked", false);
    const clickedUrl = `${pages.url}/never-clicked`;
    expect(await choose(page, "keep-page", { clickedUrl })).toMatchObject({ kind: "refused", why: "not-allowed" });
    await page.close();
  });

  it.each([
    ["chrome://version/", "browser-page"],
    ["about:blank", "browser-page"],
    ["view-source:", "browser-page"],
    ["data:text/html,<p>Words of a page that came from nowhere.</p>", "browser-page"],
    ["https://chromewebstore.google.com/detail/some-extension", "browser-page"],
    [new URL("../../entrypoints/options/index.html", import.meta.url).href, "not-web"],
    ["/picture.svg", "no-text"],
  ])("says why %s cannot be kept, in no words of the browser's own", async (address, why) => {
    const page = await open(address === "view-source:" ? `view-source:${pages.url}/source` : address);
    const told = await toldOf(() => pressShortcut(browser, page, "keep-page"));
    expect(told).toEqual({ at: told.at, tabId: told.tabId, kind: "refused", why });
    await until("the icon says so", async () => {
      if ((await badgeOf(browser, page)) === "!") return true;
      // A page that did not load is loaded again by the browser, whose icon then says nothing.
      await pressShortcut(browser, page, "keep-page");
      return false;
    });
    await page.close();
  });

  it("tab closed, navigated, or discarded during capture: never keeps another page under the one that was clicked on", async () => {
    const page = await open("/clicked");
    const told = await choose(page, "keep-page", { clickedUrl: `${pages.url}/before` });
    expect(told).toMatchObject({ kind: "refused", why: "gone" });

    await letTimePass(browser);
    await until("nothing waits", async () => (await outboxOf(browser)).length === 0);
    const { kept, gone, wrong } = await raceCaptures(browser, pages.url, 10);
    expect(wrong).toEqual([]);
    expect(kept + gone).toBe(10);

    await page.bringToFront();
    await page.goto(`${pages.url}/closed`);
    const closed = await toldOf(async () => {
      const tabId = await clickMenu(browser, page, "keep-page");
      await page.close();
      return tabId;
    });
    expect(closed.kind === "queued" || closed.why === "gone", `${closed.kind} ${closed.why}`).toBe(true);
  });
});
