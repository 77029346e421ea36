import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type ExtensionBrowser, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { clickMenu, letTimePass, outboxOf } from "../../testing/worker-state.ts";

const SECRET = article("Payroll", "The salaries of the year.", '<form><input type="password"></form>');

/** A window with five tabs that may be read, one of them twice and one that looks private, and the panel beside them. */
export interface WindowOfTabs {
  readonly browser: ExtensionBrowser;
  readonly service: TestService;
  readonly pages: TestPages;
  readonly front: Page;
  readonly panel: Page;
  openTab(path: string): Promise<Page>;
  /** Resolves when the list of tabs is open and all of it is read. */
  isRead(): Promise<void>;
  close(): Promise<void>;
}

/** Opens all of it; there is one more tab, of a site that may not be read. */
export async function openWindowOfTabs(): Promise<WindowOfTabs> {
  const service = await startService();
  const pages = await servePages((path) =>
    path === "/payroll" ? SECRET : article(`Plan ${path.slice(1)}`, `What is planned stands under ${path}.`),
  );
  const browser = await launchExtension({ allowedSites: ["http://pages.example/*"] });
  await pairExtension(browser, service);
  async function open(url: string): Promise<Page> {
    const page = await browser.context.newPage();
    await page.goto(url);
    return page;
  }
  const openTab = (path: string) => open(`${pages.url}${path}`);
  for (const path of ["/one", "/payroll", "/one", "/two"]) await openTab(path);
  await open(pages.url.replace("pages.example", "wiki.example"));
  const front = await openTab("/three");
  const panel = await browser.openPanel(front);
  return {
    browser,
    service,
    pages,
    front,
    panel,
    openTab,
    async isRead() {
      await panel.getByRole("heading", { name: "Keep the tabs of this window" }).waitFor();
      await panel.getByText(/^Read: /).waitFor({ state: "detached" });
    },
    async close() {
      await browser.close();
      await Promise.all([service.close(), pages.close()]);
    },
  };
}

/** Keeps as many tabs more at once, ends the worker twice meanwhile, and sees all of them at the service. */
export async function keepMany(
  { browser, service, front, panel, openTab, isRead }: WindowOfTabs,
  count: number,
): Promise<void> {
  const box = (name: RegExp) => panel.getByRole("checkbox", { name });
  for (let at = 0; at < count; at++) await openTab(`/many${at}`);
  await front.bringToFront();
  await clickMenu(browser, front, "keep-tabs");
  await isRead();
  await box(/^Payroll/).check();
  await panel.getByRole("button", { name: `Keep ${count + 4} pages` }).click();
  await browser.killWorker();
  await until("they wait", async () => (await outboxOf(browser)).length === count + 4);
  await browser.killWorker();
  await letTimePass(browser);
  await until("all are sent", async () => (await outboxOf(browser)).length === 0, 120_000);
  await service.drain();
  const kept = (await service.documents()).map(({ semantic_id }) => semantic_id);
  expect(kept.filter((title) => title.startsWith("Plan many"))).toHaveLength(count);
  // What was kept and says the same is not chosen the next time.
  await clickMenu(browser, front, "keep-tabs");
  await isRead();
  expect(await box(/^Plan one/).isChecked()).toBe(false);
  await panel.getByText("It was kept before, and says the same.").first().waitFor();
  await panel.keyboard.press("Escape");
}
