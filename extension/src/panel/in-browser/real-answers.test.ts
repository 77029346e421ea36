import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  ASKED_OF_HANDBOOK,
  CARELESS,
  handbookPages,
  type ScriptedModel,
  startScriptedModel,
} from "@threadlore/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../../testing/service.ts";
import { violationsOf } from "./axe.harness.ts";

/** A folder to put pictures of the panel with such answers in. */
const PICTURES = process.env["THREADLORE_LOOK"];
const WIDTHS = { wide: 400, narrow: 260 } as const;

describe.runIf(await hasChromium())("what the service finds in a handbook, in the panel", { timeout: 300_000 }, () => {
  let browser: ExtensionBrowser;
  let model: ScriptedModel;
  let services: { quoting: TestService; careless: TestService };
  let pages: TestPages;
  let panel: Page;

  async function start(by?: ScriptedModel): Promise<TestService> {
    const service = await startService(by === undefined ? {} : { model: { baseUrl: by.url, name: "scripted" } });
    for (const page of handbookPages()) await service.add(page);
    await service.drain();
    return service;
  }

  beforeAll(async () => {
    model = await startScriptedModel([{ text: CARELESS.says }]);
    services = { quoting: await start(), careless: await start(model) };
    pages = await servePages(() => article("Minutes", "The release is planned for the twelfth of March."));
    browser = await launchExtension();
    const page = await browser.context.newPage();
    await page.goto(`${pages.url}/minutes`);
    await pairExtension(browser, services.quoting, { ...SETTINGS });
    panel = await browser.openPanel(page);
    await panel.getByRole("textbox", { name: "Your question" }).waitFor();
    await panel.setViewportSize({ width: WIDTHS.wide, height: 720 });
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([services?.quoting.close(), services?.careless.close(), model?.close(), pages?.close()]);
  });

  const answer = () => panel.locator(".turn").last().locator(".answer");
  async function ask(question: string): Promise<string> {
    await panel.getByRole("button", { name: "New conversation" }).click();
    await panel.locator(".turn").waitFor({ state: "detached" });
    const field = panel.getByRole("textbox", { name: "Your question" });
    await field.fill(question);
    await field.press("Enter");
    await panel.locator('.turn[aria-busy="false"]').waitFor();
    return answer().innerText();
  }

  /** Light and dark, wide and narrow: nothing wider than the panel, nothing that axe finds. */
  async function look(name: string): Promise<void> {
    for (const [size, width] of Object.entries(WIDTHS)) {
      await panel.setViewportSize({ width, height: 720 });
      expect(await panel.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      for (const colorScheme of ["dark", "light"] as const) {
        await panel.emulateMedia({ colorScheme });
        expect(await violationsOf(panel)).toEqual([]);
        if (PICTURES === undefined) continue;
        mkdirSync(PICTURES, { recursive: true });
        await panel.screenshot({ path: join(PICTURES, `panel-${name}-${size}-${colorScheme}.png`) });
      }
    }
    await panel.setViewportSize({ width: WIDTHS.wide, height: 720 });
  }

  it.each(Object.entries(ASKED_OF_HANDBOOK))("is shown as it stands to the question: %s", async (name, asked) => {
    const shown = await ask(asked.question);
    for (const words of asked.shows) expect(shown.replace(/\s+/g, " ")).toContain(words);
    const judging = ["Good answer", "Bad answer"].map((label) => answer().getByRole("button", { name: label }).count());
    const most = asked.isRefusal ? 0 : 1;
    expect(await Promise.all(judging)).toEqual([most, most]);
    await look(name);
  });

  it("has what a model made up marked, behind its sentence", async () => {
    await pairExtension(browser, services.careless, { ...SETTINGS });
    const shown = (await ask(CARELESS.question)).replace(/\s+/g, " ");
    for (const words of CARELESS.shows) expect(shown).toContain(words);
    expect(shown.match(/not found in the source/g)).toHaveLength(1);
    await look("not-in-source");
  });
});

/** Only the company is asked, not the page in front. */
const SETTINGS = { pairId: 1, pairName: "Pages", pairIsPublic: false, askPage: false } as const;
