import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ConsentQuestion } from "../keep/consent.ts";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../testing/chromium.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { clickMenu, outboxOf, questionsOf } from "../testing/worker-state.ts";

const MEMBERS = article("What members see", "Only members know the code of the shed.");
/** Gives whoever asks what the member got. */
const STRAIGHT_FROM_MEMORY = `
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (!event.request.url.endsWith("/members")) return;
  const body = ${JSON.stringify(MEMBERS)};
  event.respondWith(new Response(body, { headers: { "content-type": "text/html" } }));
});`;

const PAGES: Record<string, string> = {
  "/register": article("The door", "This door keeps a page in memory."),
  "/shadow": article("Shadow", "Sign in below, or read this.", `<span id="host"></span>`).replace(
    "</body>",
    `<script>host.attachShadow({ mode: "open" }).innerHTML = "<input type=password>"</script></body>`,
  ),
  "/frame": article("Frame", "Sign in below, or read this.", `<iframe srcdoc="<input type=password>"></iframe>`),
  "/shown": article("Shown", "Sign in below, or read this.", `<input type="text" autocomplete="current-password">`),
  "/first": article("First", "The first page has a door.", `<input type="password">`),
  "/second": article("Second", "The second page has another door.", `<input type="password">`),
};

describe.runIf(await hasChromium())("a page that would rather not be recognised", { timeout: 240_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let tab: Page;

  beforeAll(async () => {
    service = await startService();
    pages = await servePages((path, { headers }) => {
      if (path === "/worker.js") return { type: "text/javascript", body: STRAIGHT_FROM_MEMORY };
      if (path === "/members") return headers.cookie === undefined ? article("Sign in", "Who are you?") : MEMBERS;
      return PAGES[path];
    });
    browser = await launchExtension({ flags: [`--unsafely-treat-insecure-origin-as-secure=${pages.url}`] });
    await pairExtension(browser, service);
    tab = await browser.context.newPage();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  });

  const questions = async () => (await questionsOf(browser)) as ConsentQuestion[];
  /** Keeps a page by icon and menu; gives why it is asked about first, and nothing where it goes at once. */
  async function keep(path: string): Promise<readonly string[]> {
    await tab.goto(`${pages.url}${path}`);
    await browser.giveAccess(tab);
    await clickMenu(browser, tab, "keep-page");
    const isThis = ({ link }: { readonly link: string }) => link.split("#", 1)[0] === `${pages.url}${path}`;
    return until("it is asked about, or waits", async () => {
      const asked = (await questions()).find(({ entry }) => isThis(entry));
      if (asked !== undefined) return asked.reasons;
      return (await outboxOf(browser)).some(isThis) ? [] : undefined;
    });
  }

  it("T12 is asked about though its own worker shows it to everybody", async () => {
    await tab.goto(`${pages.url}/register`);
    await browser.context.addCookies([{ name: "member", value: "yes", url: pages.url }]);
    await tab.evaluate(async () => {
      await navigator.serviceWorker.register("/worker.js");
      await navigator.serviceWorker.ready;
    });
    expect(await keep("/members")).toEqual(["needs-sign-in"]);
    expect(await tab.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  });

  it.each(["/shadow", "/frame", "/shown"])("T12 is asked about wherever a password can be typed: %s", async (path) => {
    expect(await keep(path)).toEqual(["password-field"]);
  });

  it("T12 is not kept by the second click of a double click on another one", async () => {
    const worker = await browser.worker();
    await worker.evaluate(() =>
      (
        globalThis as unknown as { chrome: { storage: { session: { clear(): Promise<void> } } } }
      ).chrome.storage.session.clear(),
    );
    await keep("/first");
    await keep("/second");
    const panel = await browser.openPanel(tab);
    const agree = panel.getByRole("button", { name: "Keep it", exact: true });
    await panel.getByText("The first page has a door.").waitFor();
    await agree.dblclick({ delay: 60 });
    await until("the first one waits", async () => (await outboxOf(browser)).some(({ title }) => title === "First"));
    await panel.getByText("The second page has another door.").waitFor();
    expect((await outboxOf(browser)).map(({ title }) => title)).not.toContain("Second");
    await agree.click();
    await until("the second one waits", async () => (await outboxOf(browser)).some(({ title }) => title === "Second"));
  });
});
