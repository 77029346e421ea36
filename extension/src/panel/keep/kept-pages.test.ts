import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LedgerRecord } from "../../outbox/ledger.ts";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../../testing/service.ts";
import {
  badgeOf,
  letTimePass,
  outboxOf,
  putRecords,
  readEntries,
  putEntries,
  storeOf,
} from "../../testing/worker-state.ts";
import { violationsOf } from "../in-browser/axe.harness.ts";

describe.runIf(await hasChromium())("pages kept from the panel", { timeout: 300_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let page: Page;
  let panel: Page;

  beforeAll(async () => {
    service = await startService();
    pages = await servePages((path) =>
      article(`Plan ${path.slice(1)}`, "The shed is opened with the code on the board."),
    );
    browser = await launchExtension({ allowedSites: ["http://pages.example/*"] });
    await pairExtension(browser, service);
    page = await browser.context.newPage();
    await page.goto(`${pages.url}/one`);
    panel = await browser.openPanel(page);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  });

  const keep = () => panel.locator(".bar").getByRole("button", { name: "Keep this page" }).click();
  const form = () => panel.getByRole("form", { name: "Title, tags and note" });
  const write = () => panel.getByRole("button", { name: "Note, tags…" }).click();
  const named = async () => (await service.documents()).map(({ semantic_id }) => semantic_id);
  const ledger = async () => (await storeOf(browser, "ledger")) as LedgerRecord[];
  const rows = () => panel.locator(".kept-row");
  const row = (title: string) => rows().filter({ hasText: title });
  const isHere = () => panel.locator(".kept-pages").count();
  const openList = async () => {
    if ((await isHere()) > 0) return;
    await panel.getByRole("button", { name: "Earlier conversations" }).click();
    await panel.getByRole("tab", { name: "Kept pages" }).click();
  };
  const back = () => panel.getByRole("button", { name: "Back to the conversation" }).click();

  it("wait while title and tags are written, and are sent with them", async () => {
    await keep();
    await write();
    await form().waitFor();
    expect(await violationsOf(panel)).toEqual([]);
    const [held] = await outboxOf(browser);
    expect((held?.sendAfter ?? 0) - Date.now()).toBeGreaterThan(20_000);
    await form().getByLabel("Title", { exact: true }).fill("Café der Pläne");
    const tags = form().getByRole("textbox", { name: "Tags" });
    await tags.fill("茶,");
    await tags.fill("Garden work");
    await tags.press("Enter");
    await tags.fill("שלום");
    await form().getByRole("button", { name: "Remove the tag “Garden work”" }).waitFor();
    await form().getByLabel("Title", { exact: true }).press("Enter");
    await panel.getByText(/^Keeping in \d+ seconds?$/).waitFor();
    expect(await named()).toEqual([]);
    await letTimePass(browser);
    await expect.poll(named).toEqual(["Café der Pläne"]);
    await expect
      .poll(ledger)
      .toMatchObject([{ title: "Plan one", additions: { tags: ["茶", "Garden work", "שלום"] } }]);
  });

  it("go on as they were where that is left by Escape, and offer the tags used before", async () => {
    await page.goto(`${pages.url}/two`);
    await browser.giveAccess(page);
    await keep();
    await write();
    await form().getByRole("button", { name: "茶", exact: true }).click();
    await panel.keyboard.press("Escape");
    await form().waitFor({ state: "detached" });
    await panel.getByText(/^Keeping in \d+ seconds?$/).waitFor();
    await letTimePass(browser);
    await expect.poll(named).toContain("Plan two");
    await expect.poll(async () => (await ledger()).map(({ title }) => title)).toContain("Plan two");
    expect((await ledger()).find(({ title }) => title === "Plan two")?.additions).toBeUndefined();
  });

  it("are listed by day, found by title, host and tag in any script, and opened", async () => {
    await openList();
    await panel.getByRole("heading", { name: "Today" }).waitFor();
    expect(await rows().count()).toBe(2);
    expect(await violationsOf(panel)).toEqual([]);
    const search = panel.getByRole("searchbox");
    for (const [query, found] of [
      ["cafe PLANE", ["Café der Pläne"]],
      ["茶", ["Café der Pläne"]],
      ["שלום", ["Café der Pläne"]],
      ["pages.example", ["Plan two", "Café der Pläne"]],
      ["nowhere", []],
    ] as const) {
      await search.fill(query);
      await expect.poll(() => rows().locator(".past-title").allInnerTexts()).toEqual(found);
    }
    await panel.getByText("No kept page has these words.").waitFor();
    await panel.keyboard.press("Escape");
    await expect.poll(() => rows().count()).toBe(2);
    await panel.getByRole("button", { name: "Garden work", exact: true }).click();
    await expect.poll(() => rows().count()).toBe(1);
    await panel.getByRole("button", { name: "Garden work", exact: true }).click();
    await expect.poll(() => rows().count()).toBe(2);
    await search.focus();
    await panel.keyboard.press("ArrowDown");
    await panel.keyboard.press("ArrowDown");
    const focused = () => panel.evaluate(() => (document.activeElement as HTMLAnchorElement | null)?.href);
    await expect.poll(focused).toBe(`${pages.url}/one`);
    expect(await row("Café").locator(".past-entry").getAttribute("target")).toBe("_blank");
  });

  it("are retitled and tagged under the same id, also where the worker is ended meanwhile", async () => {
    await openList();
    const before = (await service.documents()).map(({ document_id }) => document_id).toSorted();
    await panel.getByRole("button", { name: "Title, tags and note of “Plan two”" }).click();
    await form().getByLabel("Title", { exact: true }).fill("第二計画");
    await form().getByRole("textbox", { name: "Tags" }).fill("drinks");
    await form().getByRole("button", { name: "Done" }).click();
    await row("第二計画")
      .getByText(/^Keeping in \d+ seconds?$/)
      .waitFor();
    await browser.killWorker();
    await letTimePass(browser);
    await expect.poll(named).toContain("第二計画");
    expect((await service.documents()).map(({ document_id }) => document_id).toSorted()).toEqual(before);
    await row("第二計画").getByText("drinks").waitFor();
    await expect.poll(() => outboxOf(browser)).toEqual([]);
  });

  it("are removed once a person says so, and brought back until it is done", async () => {
    await openList();
    const remove = async () => {
      await panel.getByRole("button", { name: "Remove “第二計画”" }).click();
      await row("第二計画").getByRole("button", { name: "Remove", exact: true }).click();
      await row("第二計画")
        .getByText(/^Removed in \d+ seconds?$/)
        .waitFor();
    };
    await panel.getByRole("button", { name: "Remove “第二計画”" }).click();
    await panel.keyboard.press("Escape");
    expect(await outboxOf(browser)).toEqual([]);
    await remove();
    expect(await violationsOf(panel)).toEqual([]);
    await row("第二計画").getByRole("button", { name: "Undo" }).click();
    await panel.getByRole("button", { name: "Remove “第二計画”" }).waitFor();
    expect(await named()).toHaveLength(2);
    await expect.poll(() => badgeOf(browser, page)).toBe("✓");
    await remove();
    await letTimePass(browser);
    await row("第二計画").waitFor({ state: "detached" });
    expect(await named()).toEqual(["Café der Pläne"]);
    await expect.poll(() => storeOf(browser, "texts")).toHaveLength(1);
    await expect.poll(() => badgeOf(browser, page)).toBe("");
    await back();
    await panel.locator(".bar").getByRole("button", { name: "Keep this page" }).waitFor();
  });

  it("say who can remove them where the service does not, and are taken off the list", async () => {
    await openList();
    await panel.getByRole("button", { name: "Remove “Café der Pläne”" }).click();
    await row("Café").getByRole("button", { name: "Remove", exact: true }).click();
    await row("Café")
      .getByText(/^Removed in/)
      .waitFor();
    const [waiting] = await readEntries(browser);
    // As a service that has no removal leaves it.
    const problem = { kind: "takes-none", status: 405 } as const;
    if (waiting !== undefined)
      await putEntries(panel, [{ document: "", entry: { ...waiting.entry, state: "stopped", attempts: 1, problem } }]);
    await panel.reload();
    await openList();
    await row("Café")
      .getByText(/only whoever runs the service can remove it there/)
      .waitFor();
    expect(await violationsOf(panel)).toEqual([]);
    await row("Café").getByRole("button", { name: "Take off this list" }).click();
    await row("Café").waitFor({ state: "detached" });
    expect(await named()).toEqual(["Café der Pläne"]);
    expect([await ledger(), await outboxOf(browser)]).toEqual([[], []]);
    await panel.getByText("No page was kept from this browser yet.").waitFor();
  });

  it("are as easily found among 5,000", async () => {
    const record = {
      origin: new URL(service.url).origin,
      addresses: [],
      hash: "0",
      characters: 1,
      pairId: 1,
      firstSentAt: 0,
      times: 1,
    };
    const many = Array.from({ length: 5_000 }, (_, index) => ({
      ...record,
      key: `${record.origin} web_${index}`,
      documentId: `web_${index}`,
      serverDocumentId: `web_${index}`,
      title: `Page ${index} of many`,
      link: `https://wiki.example/${index}`,
      sentAt: Date.now() - index * 3_600_000,
      additions: { tags: [`tag ${index % 40}`], highlights: [] },
    }));
    await putRecords(panel, many);
    await panel.reload();
    await openList();
    await panel.getByText("5,000 pages").waitFor();
    expect(await rows().count()).toBeLessThan(200);
    await panel.getByRole("searchbox").fill("page 4321");
    await row("Page 4321 of many").waitFor();
    expect(await rows().count()).toBe(1);
    await panel.getByRole("searchbox").fill("");
    await expect.poll(() => rows().count()).toBeGreaterThan(1);
    const box = panel.locator(".past-panel");
    await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect.poll(() => rows().count()).toBeGreaterThan(60);
  });
});
