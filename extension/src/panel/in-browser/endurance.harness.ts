import type { Page } from "playwright-core";
import { type ExtensionBrowser, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { type ScriptedService, startScriptedService, useScriptedService } from "./scripted-service.harness.ts";

/** A panel beside a page, with a service that says the same to everything. */
export interface LongUsed {
  readonly browser: ExtensionBrowser;
  readonly service: ScriptedService;
  readonly pages: TestPages;
  readonly panel: Page;
  /** Asks, and waits until the answer is whole. */
  ask(question: string): Promise<void>;
  /** Bytes of the panel's heap once what nobody needs is gone. */
  heap(): Promise<number>;
  /** Opens so many tabs behind the one in front. */
  openTabs(count: number): Promise<void>;
  close(): Promise<void>;
}

const LINK = "https://wiki.example.com/travel";

/** Starts it. */
export async function startLongUsed(): Promise<LongUsed> {
  const service = await startScriptedService(() => ({
    text: `They are paid back within ten days [[1]](${LINK}).\n\n${"A line of a long answer. ".repeat(80)}`,
    piece: 200,
    documents: [{ id: "travel", title: "Travel", link: LINK, passage: "Travel costs are paid back within ten days." }],
  }));
  const pages = await servePages((path) => article(`Plan ${path.slice(1)}`, "The board met on Tuesday. ".repeat(200)));
  const browser = await launchExtension();
  await useScriptedService(browser, service);
  const page = await browser.context.newPage();
  await page.goto(`${pages.url}/front`);
  const panel = await browser.openPanel(page);
  const field = panel.getByRole("textbox", { name: "Your question" });
  await field.waitFor();
  const devtools = await panel.context().newCDPSession(panel);
  return {
    browser,
    service,
    pages,
    panel,
    async ask(question) {
      await field.fill(question);
      await field.press("Enter");
      await panel.locator('.turn[aria-busy="false"]').getByRole("heading", { name: question }).waitFor();
    },
    async heap() {
      await devtools.send("HeapProfiler.collectGarbage");
      return (await devtools.send("Runtime.getHeapUsage")).usedSize;
    },
    async openTabs(count) {
      const worker = await browser.worker();
      await worker.evaluate(
        async ([url, many]) => {
          const { chrome } = globalThis as unknown as {
            chrome: { tabs: { create(tab: object): Promise<unknown> } };
          };
          for (let at = 0; at < many; at++) await chrome.tabs.create({ url: `${url}/tab-${at}`, active: false });
        },
        [pages.url, count] as const,
      );
    },
    async close() {
      await browser.close();
      await Promise.all([service.close(), pages.close()]);
    },
  };
}
