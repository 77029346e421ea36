import type { Reply } from "@threadlore/testkit";
import type { Page } from "playwright-core";
import { type ExtensionBrowser, launchExtension } from "../../testing/chromium.ts";
import { article, servePages } from "../../testing/pages.ts";
import {
  type ScriptedAnswer,
  type ScriptedService,
  startScriptedService,
  useScriptedService,
} from "./scripted-service.harness.ts";

/** The panel beside a page, asking the company alone, of a service that says exactly what a test wants. */
export interface ScriptedPanel {
  readonly browser: ExtensionBrowser;
  readonly service: ScriptedService;
  readonly panel: Page;
  /** What the next question is answered with. */
  next: ScriptedAnswer | Reply;
  /** Begins a conversation with a question; resolves when its answer is over. */
  ask(question: string, said: ScriptedAnswer): Promise<void>;
  close(): Promise<void>;
}

/** Starts all of it. @param height of the panel, in points; it is 400 wide */
export async function openScriptedPanel(
  first: ScriptedAnswer,
  height: number,
  also?: Parameters<typeof startScriptedService>[1],
): Promise<ScriptedPanel> {
  const service = await startScriptedService(() => opened.next, also);
  const pages = await servePages(() => article("Minutes", "The release is planned for the twelfth of March."));
  const browser = await launchExtension();
  const page = await browser.context.newPage();
  await page.goto(`${pages.url}/minutes`);
  await useScriptedService(browser, service, { askPage: false });
  const panel = await browser.openPanel(page);
  const field = panel.getByRole("textbox", { name: "Your question" });
  await field.waitFor();
  await panel.setViewportSize({ width: 400, height });
  const opened: ScriptedPanel = {
    browser,
    service,
    panel,
    next: first,
    async ask(question, said) {
      opened.next = said;
      await panel.getByRole("button", { name: "New conversation" }).click();
      await panel.locator(".turn").waitFor({ state: "detached" });
      await field.fill(question);
      await field.press("Enter");
      await panel.locator('.turn[aria-busy="false"]').waitFor();
    },
    async close() {
      await browser.close();
      await Promise.all([service.close(), pages.close()]);
    },
  };
  return opened;
}
