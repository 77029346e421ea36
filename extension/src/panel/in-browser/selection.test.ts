import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { until } from "../../testing/until.ts";
import { clickMenu, panelsOf, pressShortcut, storageOf } from "../../testing/worker-state.ts";
import { makePdf } from "../../pdf/pdf.harness.ts";
import { type ScriptedService, startScriptedService, useScriptedService } from "./scripted-service.harness.ts";

const MARCH = "The release is planned for the twelfth of March.";
const GATE = "Visitors park their bicycles behind the blue gate.";
const JAPANESE = "出張費は十日以内に払い戻されます。";

/** Selects a paragraph of the page, or of its frame. */
function select(page: Page, paragraph: number, inFrame = false): Promise<void> {
  return page.evaluate(
    ([at, framed]) => {
      getSelection()?.removeAllRanges();
      const place = framed ? document.querySelector("iframe")?.contentDocument : document;
      const wanted = place?.querySelectorAll("p")[at];
      if (wanted !== undefined) place?.getSelection()?.selectAllChildren(wanted);
    },
    [paragraph, inFrame] as const,
  );
}

describe.runIf(await hasChromium())("asking about a selection", { timeout: 240_000 }, () => {
  let browser: ExtensionBrowser;
  let service: ScriptedService;
  let pages: TestPages;
  let page: Page;
  let panel: Page;

  beforeAll(async () => {
    service = await startScriptedService(() => ({ text: "It says so." }));
    pages = await servePages((path) => {
      if (path === "/plan.pdf")
        return { type: "application/pdf", body: makePdf([["The plan of the year."], [MARCH]], "Plan of the year") };
      if (path === "/inner") return article("Inner", GATE);
      if (path === "/framed") return article("Framed", MARCH, '<iframe src="/inner"></iframe>');
      return article("Plan", MARCH, GATE, JAPANESE);
    });
    browser = await launchExtension({ allowedSites: ["http://pages.example/*"] });
    await useScriptedService(browser, service);
    page = await browser.context.newPage();
    await page.goto(`${pages.url}/one`);
    panel = await browser.openPanel(page);
    await panel.getByRole("button", { name: "New conversation" }).waitFor();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  const composer = () => panel.getByRole("textbox", { name: "Your question" });
  const lastTurn = () => panel.locator(".turn").last();
  const isChosen = () => panel.locator(".tab-note", { hasText: "selection" }).waitFor();
  /** Asks, and gives what went along and what the turn says of it. */
  async function ask(question: string) {
    await composer().fill(question);
    await composer().press("Enter");
    await lastTurn().getByRole("heading", { name: question }).waitFor();
    await lastTurn().and(panel.locator('[aria-busy="false"]')).waitFor();
    const context = String(service.questions.at(-1)?.["additional_context"]);
    return { context, about: await lastTurn().locator(".about").innerText() };
  }

  it("goes by the menu: the panel is ready to write in, and what is selected when it is sent goes along", async () => {
    await select(page, 0);
    await composer().evaluate((element) => element.blur());
    await clickMenu(browser, page, "ask-selection", { selectionText: MARCH });
    await isChosen();
    await until("the question can be written", () =>
      composer().evaluate((element) => element === document.activeElement),
    );
    expect(await storageOf(browser, "session")).not.toHaveProperty(["wish:1"]);
    await select(page, 2);
    const { context, about } = await ask("What does it mean?");
    expect(context).toContain(JAPANESE);
    expect(context).not.toContain(MARCH);
    expect(about).toBe("selection of “Plan” + Company knowledge");
  });

  it("asks the page again that was switched off, and says in full what of it", async () => {
    await panel.getByRole("button", { name: "Leave this page out" }).click();
    await panel.getByRole("button", { name: "Ask this page too" }).waitFor();
    await select(page, 0);
    await clickMenu(browser, page, "ask-selection", { selectionText: MARCH });
    await isChosen();
    const isWhole = () => panel.locator(".tab-note").evaluate((note) => note.scrollWidth <= note.clientWidth);
    for (const width of [360, 320, 280]) {
      await panel.setViewportSize({ width, height: 700 });
      expect(await isWhole(), `${width}`).toBe(true);
    }
    const { about } = await ask("What is in March?");
    expect(about).toBe("selection of “Plan” + Company knowledge");
  });

  it("asks about the page again on a click, and where nothing is selected any more", async () => {
    await panel.getByRole("button", { name: "What is asked of the page" }).click();
    await panel.getByRole("radio", { name: "The whole page" }).check();
    await panel.keyboard.press("Escape");
    const whole = await ask("What does the page say?");
    expect(whole.context).toContain(MARCH);
    expect(whole.about).toBe("Plan + Company knowledge");

    await pressShortcut(browser, page, "ask-selection");
    await isChosen();
    await page.evaluate(() => getSelection()?.removeAllRanges());
    const gone = await ask("What is selected now?");
    expect(gone.context).toContain(MARCH);
    expect(gone.about).toBe("Plan + Company knowledge");
  });

  it("is offered beside the page when something is selected, and one word is not", async () => {
    const offer = panel.getByRole("button", { name: "Ask about the selection" });
    await page.bringToFront();
    // As a hand does it: the browser selects the word, and with some the blank behind it.
    await page
      .locator("p")
      .first()
      .dblclick({ position: { x: 10, y: 10 } });
    expect(await page.evaluate(() => String(getSelection()).trim())).toMatch(/^\S+$/);
    await panel.evaluate(() => dispatchEvent(new Event("focus")));
    await panel.waitForTimeout(300);
    expect(await offer.count()).toBe(0);
    await select(page, 1);
    await panel.evaluate(() => dispatchEvent(new Event("focus")));
    await offer.click();
    const { context } = await ask("Where do they park?");
    expect(context).toContain(GATE);
    expect(context).not.toContain(MARCH);
  });

  it("knows what is selected in a frame of the same site, and takes the browser's word for others", async () => {
    const framed = await browser.context.newPage();
    await framed.goto(`${pages.url}/framed`);
    await framed.bringToFront();
    await panel.getByText("Framed").first().waitFor();
    await select(framed, 0, true);
    await panel.evaluate(() => dispatchEvent(new Event("focus")));
    await panel.getByRole("button", { name: "Ask about the selection" }).click();
    const same = await ask("Who parks there?");
    expect(same.context).toContain(GATE);
    expect(same.context).not.toContain(MARCH);

    await framed.evaluate(() => document.querySelector("iframe")?.contentDocument?.getSelection()?.removeAllRanges());
    const selectionText = "The minutes lie in the safe.";
    await clickMenu(browser, framed, "ask-selection", { selectionText, frameUrl: "https://other.example/" });
    await isChosen();
    const other = await ask("Where are the minutes?");
    expect(other.context).toContain(selectionText);
    expect(other.about).toBe("selection of “Framed” + Company knowledge");
    await framed.close();
  });

  it("takes what is selected in a PDF from the menu, as no script sees it there", async () => {
    const pdf = await browser.context.newPage();
    await pdf.goto(`${pages.url}/plan.pdf`);
    await pdf.bringToFront();
    await panel.locator(".tab-name", { hasText: "plan.pdf" }).waitFor();
    await clickMenu(browser, pdf, "ask-selection", { selectionText: MARCH });
    await isChosen();
    const { context } = await ask("When is it, says the PDF?");
    expect(context).toContain(MARCH);
    expect(context).not.toContain("The plan of the year.");
    await pdf.close();
  });

  it("closes the panel of its window by the icon; where the click opens a page to it, by the next one", async () => {
    await page.bringToFront();
    await panel.getByText("Plan").first().waitFor();
    const unread = await browser.context.newPage();
    await unread.goto(pages.url.replace("pages.example", "wiki.example"));
    await unread.bringToFront();
    await panel.getByText("Click the Threadlore icon on this tab").waitFor();
    await browser.clickAction(unread);
    await panel.locator(".tab-name", { hasText: "Plan" }).waitFor();
    expect(await panelsOf(browser)).toHaveLength(1);
    await browser.clickAction(unread);
    await until("the panel is closed", async () => (await panelsOf(browser)).length === 0);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await panelsOf(browser)).toHaveLength(0);
    // And open again, also when the worker has to be woken for the click that closes it.
    panel = await browser.openPanel(unread);
    await panel.locator(".tab-name", { hasText: "Plan" }).waitFor();
    await browser.killWorker();
    await browser.clickAction(unread);
    await until("the panel is closed", async () => (await panelsOf(browser)).length === 0);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await panelsOf(browser)).toHaveLength(0);
    await unread.close();
  });
});
