import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADDITION_LIMITS } from "../../keep/additions.ts";
import type { ConsentQuestion } from "../../keep/consent.ts";
import type { LedgerRecord } from "../../outbox/ledger.ts";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../../testing/service.ts";
import { tracesOf } from "../../testing/traces.ts";
import { until } from "../../testing/until.ts";
import { clickMenu, letTimePass, outboxOf, questionsOf, storeOf, takeAllBack } from "../../testing/worker-state.ts";
import { makePdf } from "../../pdf/pdf.harness.ts";
import { violationsOf } from "../in-browser/axe.harness.ts";

const RELEASE = "The release is planned for the twelfth of March.";
const GATE = "Visitors park their bicycles behind the blue gate.";
const MINUTES = "The minutes of the council lie in the safe.";
const LONG = "This goes on and on. ".repeat(2_500);
/** Words of a private window, which stand nowhere else. */
const CANARY = "vortannisk";

/** In the page: selects the paragraph of this number, counting from 0. */
function select(page: Page, paragraph: number): Promise<void> {
  return page.evaluate((at) => {
    getSelection()?.selectAllChildren(document.querySelectorAll("p")[at] ?? document.body);
  }, paragraph);
}

describe.runIf(await hasChromium())("highlighting", { timeout: 300_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let page: Page;
  let panel: Page;

  beforeAll(async () => {
    service = await startService();
    pages = await servePages((path) => {
      if (path === "/plan.pdf")
        return { type: "application/pdf", body: makePdf([["The plan of the year."], [RELEASE]], "Plan of the year") };
      if (path === "/secret") return article("Secret", GATE, '<form><input type="password"></form>');
      if (path === "/long") return article("Long", LONG, ...Array.from({ length: 60 }, (_, at) => `Line ${at}.`), GATE);
      if (path === "/frames") {
        const inner = pages.url.replace("pages.example", "wiki.example");
        return article("Frames", RELEASE, '<iframe src="/inner"></iframe>', `<iframe src="${inner}/inner"></iframe>`);
      }
      if (path === "/inner") return article("Inner", MINUTES);
      if (path === "/shadow") {
        const own = `<p>${MINUTES}</p><p hidden>Nobody sees this.</p>`;
        return article("Shadow", RELEASE, `<div id="host"><template shadowrootmode="open">${own}</template></div>`);
      }
      if (path === `/${CANARY}`) return article(CANARY, `The code of the gate is ${CANARY}.`);
      return article(`Plan ${path.slice(1)}`, RELEASE, GATE);
    });
    browser = await launchExtension({
      allowedSites: ["http://pages.example/*", "http://127.0.0.1/*"],
      allowedInPrivate: true,
      keepProfile: true,
    });
    await pairExtension(browser, service);
    page = await browser.context.newPage();
    await page.goto(`${pages.url}/one`);
    panel = await browser.openPanel(page);
    await panel.getByRole("button", { name: "New conversation" }).waitFor();
  }, 300_000);
  afterAll(async () => {
    await browser?.close().catch(() => {});
    await browser?.forget();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  const go = async (path: string) => {
    await page.goto(`${pages.url}${path}`);
    await page.bringToFront();
    await panel.locator(".tab-name", { hasText: await page.title() }).waitFor();
  };
  const highlighted = (text: string) => panel.locator(".marked q", { hasText: text }).waitFor();
  /** Of what waits, and of what a person is asked about. */
  const highlightsIn = async () => {
    const asked = (await questionsOf(browser)) as ConsentQuestion[];
    const all = [...(await outboxOf(browser)), ...asked.map(({ entry }) => entry)];
    return all.flatMap(({ additions }) => additions?.highlights.map(({ text }) => text) ?? []);
  };
  const card = () => panel.getByRole("region", { name: "Keep this page?" });
  const decline = async () => {
    await card().getByRole("button", { name: "Do not keep it" }).click();
    await card().waitFor({ state: "detached" });
  };
  const recordOf = async (title: string) =>
    ((await storeOf(browser, "ledger")) as LedgerRecord[]).find((one) => one.title === title);
  const form = () => panel.getByRole("form", { name: "Title, tags and note" });

  it("is offered beside what is selected, and opens the page where it stands", async () => {
    await go("/long");
    await select(page, 61);
    await panel.evaluate(() => dispatchEvent(new Event("focus")));
    await panel.getByRole("button", { name: "Highlight the selection" }).click();
    await highlighted(GATE);
    expect(await violationsOf(panel)).toEqual([]);
    const [entry] = await outboxOf(browser);
    const { link = "" } = entry?.additions?.highlights[0] ?? {};
    const opened = await browser.context.newPage();
    await opened.goto(link);
    await until("the browser goes to the place", () => opened.evaluate(() => scrollY > innerHeight));
    await opened.close();
    await takeAllBack(browser);
  });

  it("takes the beginning of what is very long, and says so", async () => {
    await go("/long");
    await select(page, 0);
    expect(await page.evaluate(() => getSelection()?.toString().length)).toBeGreaterThan(50_000);
    await clickMenu(browser, page, "highlight");
    await panel.getByText("Highlighted, the first 2,000 characters:").waitFor();
    expect((await highlightsIn()).map(({ length }) => length)).toEqual([1_999]);
    await takeAllBack(browser);
  });

  it("reads frames of its site and open shadow roots itself, and takes the menu's word for other sites", async () => {
    await go("/frames");
    await page.evaluate(() => {
      const place = document.querySelector("iframe")?.contentDocument;
      place?.getSelection()?.selectAllChildren(place.querySelector("p") ?? place.body);
    });
    await clickMenu(browser, page, "highlight");
    await highlighted(MINUTES);
    await page.evaluate(() => document.querySelector("iframe")?.contentDocument?.getSelection()?.removeAllRanges());
    const selectionText = "What another site says.";
    await clickMenu(browser, page, "highlight", { selectionText, frameUrl: "http://wiki.example/inner" });
    await highlighted(selectionText);
    expect(await highlightsIn()).toEqual([MINUTES, selectionText]);
    // A stranger gets no frames with the page, so it looks as if it were not for everyone.
    await decline();
    expect(await highlightsIn()).toEqual([]);

    await go("/shadow");
    await page.evaluate(() => getSelection()?.selectAllChildren(document.body));
    await clickMenu(browser, page, "highlight");
    await panel.locator(".marked q", { hasText: RELEASE }).waitFor();
    const [text = ""] = await highlightsIn();
    expect(text).toContain(RELEASE);
    expect(text).toContain(MINUTES);
    expect(text).not.toContain("Nobody sees this");
    if ((await card().count()) > 0) await decline();
    await takeAllBack(browser);
  });

  it("takes the menu's word in a PDF, and opens the PDF on its page", async () => {
    await page.goto(`${pages.url}/plan.pdf`);
    await page.bringToFront();
    await panel.locator(".tab-name", { hasText: "plan.pdf" }).waitFor();
    await clickMenu(browser, page, "highlight", { selectionText: RELEASE });
    await highlighted(RELEASE);
    const [entry] = await outboxOf(browser);
    expect(entry?.additions?.highlights).toEqual([{ text: RELEASE, link: `${pages.url}/plan.pdf#page=2` }]);
    await clickMenu(browser, page, "highlight", { selectionText: "The plan of the year." });
    await highlighted("The plan of the year.");
    expect((await outboxOf(browser))[0]?.additions?.highlights[1]?.link).toBe(`${pages.url}/plan.pdf#page=1`);
    await takeAllBack(browser);
  });

  it("asks before a page that looks private is sent, and shows the highlights that would go along", async () => {
    await go("/secret");
    await select(page, 0);
    await clickMenu(browser, page, "highlight");
    await card().locator(".added", { hasText: GATE }).waitFor();
    expect(await violationsOf(panel)).toEqual([]);
    expect(await outboxOf(browser)).toEqual([]);
    await clickMenu(browser, page, "highlight", { selectionText: GATE });
    await panel.getByText("This text is highlighted already.").waitFor();
    await card().getByRole("button", { name: "Note, tags…" }).click();
    await form().getByLabel("Note").fill("Ask Mia.\nShe knows.");
    await form().getByRole("button", { name: "Done" }).click();
    await card().getByText("She knows.").waitFor();
    await card().getByRole("button", { name: "Keep it", exact: true }).click();
    await until("it waits", async () => (await outboxOf(browser)).length === 1);
    const [entry] = await outboxOf(browser);
    expect(entry?.additions).toMatchObject({ note: "Ask Mia.\nShe knows.", highlights: [{ text: GATE }] });
    await takeAllBack(browser);
  });

  it("stops at a hundred, says so, and lets each be taken away by the keyboard", async () => {
    await go("/many");
    await select(page, 0);
    await clickMenu(browser, page, "highlight");
    await highlighted(RELEASE);
    await letTimePass(browser);
    await until("it is sent", async () => (await recordOf("Plan many")) !== undefined);
    for (let at = 1; at < ADDITION_LIMITS.highlights; at++) {
      await page.evaluate((number) => {
        const text = document.querySelector("p");
        if (text !== null) text.textContent = `Sentence ${number} of many.`;
        getSelection()?.selectAllChildren(text ?? document.body);
      }, at);
      await clickMenu(browser, page, "highlight");
      await highlighted(`Sentence ${at} of many.`);
    }
    await select(page, 1);
    await clickMenu(browser, page, "highlight");
    await panel.getByText("A page has at most 100 highlights.").waitFor();
    expect(await highlightsIn()).toHaveLength(100);
    await panel.getByRole("button", { name: "Note, tags…" }).click();
    await form().waitFor();
    expect(await violationsOf(panel)).toEqual([]);
    const drop = form().getByRole("button", { name: /^Remove the highlight/ });
    expect(await drop.count()).toBe(100);
    await drop.first().focus();
    await panel.keyboard.press("Enter");
    await panel.keyboard.press("Enter");
    await expect.poll(() => drop.count()).toBe(98);
    await form().getByLabel("Note").press("Control+Enter");
    await expect.poll(async () => (await highlightsIn()).length).toBe(98);
    await takeAllBack(browser);
  });

  it("is described while what was written of another page is still being taken", async () => {
    const notes = async () => (await outboxOf(browser)).map(({ additions }) => additions?.note).toSorted();
    await go("/first");
    await select(page, 0);
    await clickMenu(browser, page, "highlight");
    await highlighted(RELEASE);
    await panel.getByRole("button", { name: "Note, tags…" }).click();
    await form().getByLabel("Note").fill("Of the first");
    // Another window writes at this moment.
    await panel.evaluate(
      () =>
        new Promise<void>((held) => {
          void navigator.locks.request("additions", () => {
            held();
            return new Promise<void>((end) => Object.assign(globalThis, { endHold: end }));
          });
        }),
    );
    await form().getByRole("button", { name: "Done" }).click();
    await go("/second");
    await select(page, 1);
    await clickMenu(browser, page, "highlight");
    await highlighted(GATE);
    await panel.getByRole("button", { name: "Note, tags…" }).click();
    await form().getByPlaceholder("Plan second").waitFor();
    await panel.evaluate(() => (globalThis as unknown as { endHold(): void }).endHold());
    await expect.poll(notes).toEqual(["Of the first", undefined]);
    await form().getByLabel("Note").fill("Of the second");
    await form().getByRole("button", { name: "Done" }).click();
    await expect.poll(notes).toEqual(["Of the first", "Of the second"]);
    await takeAllBack(browser);
  });

  it("comes into a form that is open, and into no disk from a private window", async () => {
    await go("/one");
    await select(page, 0);
    await clickMenu(browser, page, "highlight");
    await highlighted(RELEASE);
    // As soon as there is anything to be seen, it has the keyboard: later it would take what is written elsewhere by then.
    const focused = panel.evaluate(
      () =>
        new Promise((resolve) => {
          const watch = new MutationObserver(() => {
            const drawn = document.querySelector("form.additions");
            if (drawn === null) return;
            watch.disconnect();
            resolve(document.activeElement === drawn.querySelector("input"));
          });
          watch.observe(document.body, { childList: true, subtree: true });
        }),
    );
    await panel.getByRole("button", { name: "Note, tags…" }).click();
    expect(await focused).toBe(true);
    await form().getByLabel("Note").fill("Being written");
    await select(page, 1);
    await clickMenu(browser, page, "highlight");
    await form()
      .getByRole("button", { name: `Remove the highlight “${GATE}”` })
      .waitFor();
    await form().getByRole("button", { name: "Done" }).click();
    await expect.poll(async () => (await outboxOf(browser))[0]?.additions?.note).toBe("Being written");
    expect(await highlightsIn()).toEqual([RELEASE, GATE]);
    await takeAllBack(browser);

    const hidden = await browser.openPrivate(`${pages.url}/${CANARY}`);
    const side = await browser.openPanel(hidden);
    await side.getByText("This is a private window").waitFor();
    await select(hidden, 0);
    await clickMenu(browser, hidden, "highlight");
    const asking = side.getByRole("region", { name: "Keep this page?" });
    await asking.getByText("The page is open in a private window.").waitFor();
    expect(JSON.stringify(await questionsOf(browser))).toContain(`"text":"The code of the gate is ${CANARY}."}]`);
    await asking.getByRole("button", { name: "Note, tags…" }).click();
    await side.getByLabel("Note", { exact: true }).fill(`A note on ${CANARY}`);
    await side.getByRole("button", { name: "Done" }).click();
    await asking.getByRole("button", { name: "Keep it", exact: true }).click();
    await side.getByText(/^Keeping in/).waitFor();
    expect(await outboxOf(browser)).toEqual([]);
    await until("it is sent", async () =>
      (await service.documents()).some(({ semantic_id }) => semantic_id === CANARY),
    );
    expect(JSON.stringify([await storeOf(browser, "ledger"), await storeOf(browser, "texts")])).not.toContain(CANARY);
    await browser.close();
    expect(await tracesOf(browser.profile, [CANARY])).toEqual([]);
  });
});
