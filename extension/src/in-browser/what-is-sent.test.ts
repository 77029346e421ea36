import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../testing/chromium.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { type RecordedExchange, type RecordingProxy, startRecordingProxy } from "../testing/recording-proxy.ts";
import { pairExtension, startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { badgeOf, clickMenu, letTimePass, outboxOf } from "../testing/worker-state.ts";

/** Words that stand in one place each, to be looked for in everything that leaves the browser. */
const TEXT = "vortannisk";
const TYPED = "shuvenkrill";
const HIDDEN = "trelvoxima";
const COOKIE = "plimberdook";
const QUESTION = "grobbenfalt";
const UNCLICKED = "dwelmorphant";
/** In the page's address, as a key of whoever has it open. */
const KEY_OF_PAGE = "c0ffee77quilderam";

/** Where a service on this machine usually listens. */
const USUAL = "127.0.0.1:8411";

/** Where a service lists the places for kept pages. */
const PLACES = "/manage/admin/connector/status";

/** Where Chromium itself looks for its updates and lists, whatever is installed in it. */
const BROWSERS_OWN = /(?:^|\.)(?:google|googleapis|gstatic|gvt1)\.com(?::\d+)?$/;

describe.runIf(await hasChromium())("what leaves the browser", { timeout: 240_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let proxy: RecordingProxy;
  let key: string;
  let page: Page;
  let panel: Page;
  let more = "";

  beforeAll(async () => {
    [service, proxy] = await Promise.all([startService(), startRecordingProxy()]);
    pages = await servePages((path) => {
      if (path === "/unclicked") return article("Unclicked", `Nobody clicked on ${UNCLICKED}.`);
      const typed = `<form><label>Name <input value="${TYPED}"></label><textarea>${TYPED}</textarea></form>`;
      const hidden = `<p style="display:none">${HIDDEN}</p><p style="color:white">${HIDDEN}</p>`;
      return article("The gate", `The word of the gate is ${TEXT}.`, more, typed + hidden);
    });
    // Whatever is set up beforehand is not of the extension's own doing; the proxy hears it all the same.
    browser = await launchExtension({ flags: proxy.flags });
    key = await pairExtension(browser, service);
    page = await browser.context.newPage();
    await browser.context.addCookies([{ name: "session", value: COOKIE, url: pages.url }]);
    await page.goto(`${pages.url}/gate?view=1&access_token=${KEY_OF_PAGE}`);
    const unclicked = await browser.context.newPage();
    await unclicked.goto(`${pages.url}/unclicked`);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close(), proxy?.close()]);
  }, 60_000);

  const hostOf = (url: string) => new URL(url).host;
  const to = (url: string, from = 0): RecordedExchange[] =>
    // A browser fetches the icon of a page it shows, whatever is installed in it.
    proxy.exchanges.slice(from).filter(({ host, path }) => host === hostOf(url) && path !== "/favicon.ico");
  const toService = (from = 0) => to(service.url, from).filter(({ method }) => method !== "OPTIONS");
  const wordsOf = (exchanges: readonly RecordedExchange[]) => JSON.stringify(exchanges);
  async function ask(question: string): Promise<RecordedExchange> {
    const from = proxy.exchanges.length;
    const field = panel.getByRole("textbox", { name: "Your question" });
    await field.fill(question);
    await field.press("Enter");
    await panel.locator('.turn[aria-busy="false"]').getByRole("heading", { name: question }).waitFor();
    const sent = toService(from).filter(({ path }) => path === "/chat/send-chat-message");
    expect(sent).toHaveLength(1);
    return sent[0] as RecordedExchange;
  }

  it("is nothing of any page before a question: the service is asked whose the key is, with the key alone", async () => {
    const from = proxy.exchanges.length;
    panel = await browser.openPanel(page);
    await until("whose the key is was asked", () => toService(from).some(({ path }) => path === "/me"));
    for (const { method, path, body, headers } of toService(from)) {
      expect([method, body, headers["cookie"]]).toEqual(["GET", "", undefined]);
      // The page of the first run is open still, and asks what there is to choose from.
      expect(["/health", "/auth/type", "/me", "/tool", "/persona", "/manage/document-set", PLACES]).toContain(path);
      // Whether a service is there, and whether people sign in, is asked without a word of who asks.
      expect(headers["authorization"]).toBe(["/health", "/auth/type"].includes(path) ? undefined : `Bearer ${key}`);
    }
    for (const word of [TEXT, TYPED, HIDDEN, COOKIE, UNCLICKED, "gate"]) {
      expect(wordsOf(toService(from))).not.toContain(word);
    }
  });

  it("is the question and what can be seen of its page: nothing typed, hidden, of the cookies or of keys in its address", async () => {
    const { body, headers } = await ask(`What is the word, ${QUESTION}?`);
    expect(body).toContain(QUESTION);
    expect(body).toContain(TEXT);
    expect(headers["authorization"]).toBe(`Bearer ${key}`);
    // A number drawn for this one call.
    expect(headers["traceparent"]).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-00$/);
    expect(body).toContain("/gate?view=1");
    for (const word of [TYPED, HIDDEN, COOKIE, UNCLICKED, KEY_OF_PAGE]) {
      expect(wordsOf(toService())).not.toContain(word);
    }
  });

  it("is no page whose chip is off", async () => {
    await panel.getByRole("button", { name: "Leave this page out" }).click();
    await panel.getByRole("button", { name: "New conversation" }).click();
    const { body } = await ask("What does the company know?");
    expect(body).not.toContain(TEXT);
    expect(body).not.toContain("The gate");
    await panel.getByRole("button", { name: "Ask this page too" }).click();
  });

  it("is one request without cookies to the site of a page that is kept, and the page to the service ten seconds later", async () => {
    await page.goto(`${pages.url}/kept`);
    await browser.giveAccess(page);
    const from = proxy.exchanges.length;
    await clickMenu(browser, page, "keep-page");
    await until("it waits", async () => (await outboxOf(browser)).length === 1);
    const asked = to(pages.url, from);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.map(({ method, path, headers }) => [method, path, headers["cookie"]])).toEqual(
      asked.map(() => ["GET", "/kept", undefined]),
    );
    expect(asked.length).toBeLessThanOrEqual(2);
    expect(wordsOf(toService(from))).not.toContain(TEXT);
    await letTimePass(browser);
    await until("it was sent", async () => (await outboxOf(browser)).length === 0);
    const documents = toService(from).filter(({ body }) => body.includes(TEXT));
    expect(documents.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /service-api/ingestion"]);
    for (const word of [TYPED, HIDDEN, COOKIE]) expect(documents[0]?.body).not.toContain(word);
    // By its number alone: which answers that are kept it may change, since the panel is open.
    const near = () => toService(from).filter(({ path }) => path.startsWith("/kept-answers/near"));
    await until("it was asked what the page may change", () => near().length > 0);
    expect(near().map(({ method, body }) => [method, body])).toEqual([["GET", ""]]);
  });

  it("is nothing when a kept page turns out to have changed, nor when others are opened", async () => {
    more = "Since today there is another gate, and everybody has to know about it.";
    const from = proxy.exchanges.length;
    await page.reload();
    await until("the icon has an arrow", async () => (await badgeOf(browser, page)) === "↻");
    const other = await browser.context.newPage();
    await other.goto(`${pages.url}/unclicked`);
    await other.bringToFront();
    const stray = toService(from).filter(({ path }) => path !== "/me");
    expect(stray.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    // The browser itself looks for icons.
    const asked = to(pages.url, from).filter(({ path }) => path !== "/favicon.ico");
    expect(asked.map(({ path }) => path)).toEqual(["/kept", "/unclicked"]);
    expect(wordsOf(toService())).not.toContain(UNCLICKED);
  });

  it("is nothing of private windows while the extension is not allowed there", async () => {
    const worker = await browser.worker();
    const told = await worker.evaluate(async (url) => {
      const { chrome } = globalThis as unknown as {
        chrome: {
          extension: { isAllowedIncognitoAccess(): Promise<boolean> };
          windows: { create(of: object): Promise<{ id?: number } | undefined> };
          tabs: { query(filter: object): Promise<{ incognito: boolean }[]> };
        };
      };
      await chrome.windows.create({ url, incognito: true }).catch(() => undefined);
      const tabs = await chrome.tabs.query({});
      return { isAllowed: await chrome.extension.isAllowedIncognitoAccess(), seen: tabs.some((tab) => tab.incognito) };
    }, `${pages.url}/unclicked`);
    expect(told).toEqual({ isAllowed: false, seen: false });
  });

  it("is a look for a service on this machine at the first run, with nothing that tells who looks", async () => {
    const welcome = await browser.openOwnPage("welcome.html");
    const looks = () => proxy.exchanges.filter(({ host }) => host === USUAL);
    await until("it was looked for", () => looks().length > 0);
    for (const { method, path, headers, body } of looks()) {
      expect([method, path, body, headers["authorization"], headers["cookie"]]).toEqual([
        "GET",
        "/health",
        "",
        undefined,
        undefined,
      ]);
    }
    await welcome.close();
  });

  it("went to the service that is set and to the pages themselves, and nowhere else", () => {
    const ours = [hostOf(service.url), hostOf(pages.url), USUAL];
    const others = proxy.exchanges.filter(({ host }) => !ours.includes(host) && !BROWSERS_OWN.test(host));
    expect(others.map(({ method, host, path }) => `${method} ${host}${path}`)).toEqual([]);
    // It would have been seen.
    expect(to(service.url).length).toBeGreaterThan(3);
  });
});
