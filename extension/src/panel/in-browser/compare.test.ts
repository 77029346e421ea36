import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { hangPage } from "../../testing/hanging-page.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { changeStored } from "../../testing/worker-state.ts";
import { violationsOf } from "./axe.harness.ts";
import { type ScriptedService, startScriptedService, useScriptedService } from "./scripted-service.harness.ts";

const LONG = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} speaks of nothing in particular.`);
const FACTS = {
  alpha: "The alpha plan costs forty euros a month.",
  beta: "ベータプランは月額六千円です。",
  gamma: "خطة غاما تكلف خمسين يورو في الشهر.",
};

/** The key in an address, which is nobody else's to know. */
const KEY = "8f14e45fceea167a";
const ADDRESSES: Readonly<Record<string, string>> = { alpha: "/alpha", beta: `/beta?token=${KEY}`, gamma: "/gamma" };

describe.runIf(await hasChromium())("a question over several tabs", { timeout: 240_000 }, () => {
  let browser: ExtensionBrowser;
  let service: ScriptedService;
  let pages: TestPages;
  let panel: Page;
  const open = new Map<string, Page>();

  beforeAll(async () => {
    service = await startScriptedService(() => ({ text: `${FACTS.alpha} ${FACTS.beta}` }));
    pages = await servePages((path) => {
      const name = path.slice(1).split("?", 1)[0] as keyof typeof FACTS;
      return article(`Offer ${name}`, ...LONG, FACTS[name] ?? "Nothing.", ...LONG);
    });
    browser = await launchExtension({ allowedSites: ["http://pages.example/*"] });
    await useScriptedService(browser, service);
    for (const name of ["beta", "gamma", "alpha"]) {
      const page = await browser.context.newPage();
      await page.goto(`${pages.url}${ADDRESSES[name]}`);
      open.set(name, page);
    }
    panel = await browser.openPanel(tab("alpha"));
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  const tab = (name: string): Page => {
    const page = open.get(name);
    if (page === undefined) throw new Error(`There is no tab ${name}.`);
    return page;
  };
  const lastTurn = () => panel.locator(".turn").last();
  const ask = async (question: string) => {
    const composer = panel.getByRole("textbox", { name: "Your question" });
    await composer.fill(question);
    await composer.press("Enter");
    await lastTurn().getByRole("heading", { name: question }).waitFor();
    await lastTurn().and(panel.locator('[aria-busy="false"]')).waitFor();
    return String(service.questions.at(-1)?.["additional_context"]);
  };
  const list = () => panel.getByRole("region", { name: "Other tabs" });
  const openMenu = () => panel.getByRole("button", { name: "What is asked of the page" }).click();
  const isShown = (page: Page) => page.evaluate(() => document.visibilityState === "visible");

  it("chooses among the window's tabs: those that may be read by title, others with why", async () => {
    const unknown = await browser.context.newPage();
    await unknown.goto(pages.url.replace("pages.example", "wiki.example"));
    await tab("alpha").bringToFront();
    await panel.getByText("Offer alpha").first().waitFor();
    await openMenu();
    await list()
      .getByRole("checkbox", { name: /^Offer beta/ })
      .waitFor();
    expect(await list().getByText("Offer alpha").count()).toBe(0);
    // The browser's first tab and this one.
    await list()
      .getByText(/^\d tabs? may not be read, and the browser does not tell what/)
      .waitFor();
    await list().getByRole("button", { name: "Allow all sites" }).waitFor();
    expect(await violationsOf(panel)).toEqual([]);
    await unknown.close();
  });

  it("asks them at once, by addresses without keys, and names each as a source, which opens in its own tab at the passage", async () => {
    await list()
      .getByRole("checkbox", { name: /^Offer beta/ })
      .check();
    await panel.keyboard.press("Escape");
    const context = await ask("Which plan costs less?");
    expect(context).toContain(FACTS.alpha);
    expect(context).toContain(FACTS.beta);
    expect(context).not.toContain(FACTS.gamma);
    expect(context).toContain(`URL: ${pages.url}/beta\n`);
    expect(JSON.stringify(service.questions)).not.toContain(KEY);
    const sources = lastTurn().getByRole("group", { name: "Sources" });
    expect(await sources.getByRole("link").allInnerTexts()).toEqual(["Offer alpha", "Offer beta"]);
    // Who only hears it is told of as many.
    await panel
      .getByRole("status")
      .filter({ hasText: "The answer is complete. 2 sources." })
      .waitFor({ state: "attached" });
    const before = browser.context.pages().length;
    await sources.getByRole("link", { name: "Offer beta" }).click();
    await expect.poll(() => isShown(tab("beta"))).toBe(true);
    const at = () =>
      tab("beta").evaluate((fact) => {
        const element = Array.from(document.querySelectorAll("p")).find(({ textContent }) => textContent === fact);
        const { top = -1 } = element?.getBoundingClientRect() ?? {};
        return top > 0 && top < innerHeight;
      }, FACTS.beta);
    await expect.poll(at).toBe(true);
    expect(browser.context.pages().length).toBe(before);
    expect(tab("beta").url()).toBe(`${pages.url}${ADDRESSES["beta"]}`);
  });

  it("opens a source anew where its tab shows another page by now", async () => {
    await tab("beta").goto(`${pages.url}/other`);
    await tab("alpha").bringToFront();
    const opened = browser.context.waitForEvent("page");
    await lastTurn().getByRole("group", { name: "Sources" }).getByRole("link", { name: "Offer beta" }).click();
    const page = await opened;
    await page.waitForURL(`**${ADDRESSES["beta"]}**`);
    expect(tab("beta").url()).toBe(`${pages.url}/other`);
    await page.close();
    await tab("beta").goto(`${pages.url}${ADDRESSES["beta"]}`);
    await tab("alpha").bringToFront();
  });

  it("does not wait for a tab that hangs where others were read, and forgets one that is closed", async () => {
    await openMenu();
    await list().getByRole("button", { name: "All tabs that may be read" }).click();
    await list()
      .getByRole("checkbox", { name: /^Offer gamma/, checked: true })
      .waitFor();
    await panel.keyboard.press("Escape");
    await hangPage(tab("gamma"), 15_000);
    const context = await ask("And which is the dearest?");
    expect(context).toContain(FACTS.alpha);
    expect(context).toContain(FACTS.beta);
    expect(context).not.toContain(FACTS.gamma);
    await lastTurn().getByText("“Offer gamma” was not read. The page does not answer.", { exact: false }).waitFor();
    await tab("beta").close();
    await panel.locator(".tab-note", { hasText: "+1" }).waitFor();
  });

  it("asks at most eight, and none of a site on the deny-list", async () => {
    // It may hang still.
    await tab("gamma").close();
    for (let at = 0; at < 9; at++) {
      const page = await browser.context.newPage();
      await page.goto(`${pages.url}/more${at}`);
    }
    await tab("alpha").bringToFront();
    await panel.getByText("Offer alpha").first().waitFor();
    await openMenu();
    await list().getByRole("button", { name: "All tabs that may be read" }).click();
    await list().getByText("At most 8 tabs are asked at once.").waitFor();
    const context = await ask("How many are asked?");
    expect(context.match(/^Title: /gm)).toHaveLength(8);
    expect(context.length).toBeLessThanOrEqual(48_000);

    await changeStored(browser, "settings", { denyList: ["pages.example"] });
    await openMenu();
    const left = list().getByRole("checkbox", { name: /^Offer more8/ });
    await list().getByText("This site is on your deny-list, so it is left alone.").first().waitFor();
    expect(await left.isDisabled()).toBe(true);
  });
});
