import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../testing/chromium.ts";
import { servePages, type TestPages } from "../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { clickMenu, letTimePass, readEntries } from "../testing/worker-state.ts";
import { makePdf } from "./pdf.harness.ts";

const RULES = makePdf([
  ["Travel rules of the allotment club.", "Trains come before planes."],
  ["The hotel limit is 120 per night.", "Breakfast is paid by the club."],
]);
const FILES: Record<string, Buffer> = {
  "/rules.pdf": RULES,
  // No ending says that it is one.
  "/download?id=7": makePdf([["The shed code is on the board.", "Ask Bruno for the key of the gate."]], "Shed"),
  "/members.pdf": makePdf([["Members know the code."]], "Members"),
  "/scan.pdf": makePdf([[], []]),
  "/broken.pdf": Buffer.from("%PDF-1.7\nnothing that could be read"),
};

describe.runIf(await hasChromium())("a PDF in a tab", { timeout: 300_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let tab: Page;
  let panel: Page;

  beforeAll(async () => {
    service = await startService();
    pages = await servePages((path, { headers }) => {
      // Larger than the PDF, as pages that ask for a password often are.
      if (path === "/members.pdf" && headers.cookie === undefined)
        return `<!doctype html><title>Sign in</title><p>${"Who are you? ".repeat(1_000)}</p>`;
      const body = FILES[path];
      return body === undefined ? undefined : { type: "application/pdf", body };
    });
    browser = await launchExtension();
    await pairExtension(browser, service);
    tab = await browser.context.newPage();
    await tab.goto(`${pages.url}/rules.pdf`);
    panel = await browser.openPanel(tab);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  });

  const show = async (path: string) => {
    await tab.goto(`${pages.url}${path}`);
    await browser.giveAccess(tab);
  };
  const toggle = (name: string) => panel.getByRole("switch", { name }).click();
  const ask = async (question: string) => {
    await panel.getByRole("textbox", { name: "Your question" }).fill(question);
    await panel.keyboard.press("Enter");
    const turn = panel.locator(".turn").last();
    await turn.getByRole("heading", { name: question }).waitFor();
    await turn.and(panel.locator('[aria-busy="false"]')).waitFor();
    return turn;
  };

  it("is asked like any page, and its citation opens at the page of the PDF", async () => {
    await panel.locator(".tab-note", { hasText: "PDF" }).waitFor();
    await toggle("Company knowledge");
    const turn = await ask("What is the hotel limit per night?");
    await expect.poll(() => turn.innerText()).toContain("120 per night");
    const sources = turn.getByRole("group", { name: "Sources" });
    expect(await sources.getByRole("link", { name: "Travel rules" }).getAttribute("href")).toBe(
      `${pages.url}/rules.pdf#page=2`,
    );
    await turn.getByRole("button", { name: "Source 1: Travel rules" }).first().click();
    const link = turn.getByRole("link", { name: "Open at the passage" });
    expect(await link.getAttribute("href")).toBe(`${pages.url}/rules.pdf#page=2`);
    await toggle("Company knowledge");
  });

  it("is kept by the panel, and found again with a link to its page", async () => {
    await panel.locator(".bar").getByRole("button", { name: "Keep this page" }).click();
    await panel.getByRole("button", { name: "Undo" }).waitFor();
    await letTimePass(browser);
    await panel.getByText(/^Kept since/).waitFor();
    expect(await service.documents()).toHaveLength(1);
    await service.drain();
    await panel.getByRole("button", { name: "Leave this page out" }).click();
    const turn = await ask("Is breakfast paid?");
    await expect.poll(() => turn.innerText()).toContain("Breakfast is paid by the club");
    const sources = turn.getByRole("group", { name: "Sources" });
    expect(await sources.getByRole("link", { name: "Travel rules" }).getAttribute("href")).toBe(
      `${pages.url}/rules.pdf#page=2`,
    );
    await panel.getByRole("button", { name: "Ask this page too" }).click();
  });

  it("says whether it has changed since, and nothing where it has not", async () => {
    await tab.reload();
    await panel.getByRole("button", { name: /^Kept since/ }).waitFor();
    await panel.getByRole("button", { name: "Update" }).waitFor({ state: "detached" });
    FILES["/rules.pdf"] = makePdf([["The hotel limit is 150 per night."]]);
    await tab.reload();
    await panel.getByText(/^Changed since it was kept/).waitFor();
    await expect.poll(() => panel.getByRole("button", { name: "Update" }).isVisible()).toBe(true);
  });

  it("is kept from the menu, whatever its address looks like", async () => {
    await show("/download?id=7");
    await clickMenu(browser, tab, "keep-page");
    const [waiting] = await until("it waits to be sent", async () => {
      const entries = await readEntries(browser);
      return entries.length > 0 && entries;
    });
    expect(waiting?.entry).toMatchObject({ title: "Shed" });
    expect(JSON.parse(waiting?.document ?? "")).toMatchObject({
      source: "web",
      doc_updated_at: "2026-01-31T08:00:00Z",
      metadata: { author: ["Ada Ames"] },
      sections: [{ link: expect.stringMatching(/#page=1$/), text: expect.stringContaining("Bruno") }],
    });
    await panel.getByRole("button", { name: "Undo" }).click();
    await panel.locator(".bar").getByRole("button", { name: "Keep this page" }).waitFor();
  });

  it("T12 is asked about where a stranger gets a page to sign in instead", async () => {
    await browser.context.addCookies([{ name: "member", value: "yes", url: pages.url }]);
    await show("/members.pdf");
    await panel.locator(".bar").getByRole("button", { name: "Keep this page" }).click();
    const consent = panel.getByRole("region", { name: "Keep this page?" });
    await consent.getByText("Members know the code.").waitFor();
    expect((await readEntries(browser)).map(({ entry }) => entry.title)).not.toContain("Members");
    await consent.getByRole("button", { name: "Do not keep it" }).click();
    await consent.waitFor({ state: "detached" });
  });

  it.each([
    ["/scan.pdf", "This PDF holds pictures of pages and no text, such as a scan."],
    ["/broken.pdf", "This PDF is damaged, so its text could not be read."],
  ])("says plainly why it cannot be read: %s", async (path, words) => {
    await show(path);
    await panel.locator(".bar").getByRole("button", { name: "Keep this page" }).click();
    await panel.locator(".foot").getByText(words).waitFor();
    const turn = await ask(`What does ${path} say?`);
    await expect.poll(() => turn.locator(".page-notes").innerText()).toContain(words);
  });
});
