import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { pairExtension, startService, type TestService } from "../../testing/service.ts";
import { conversationsIn } from "../../testing/worker-state.ts";
import { violationsOf } from "../in-browser/axe.harness.ts";
import type { KeptConversation } from "./history-store.ts";

/** Conversations as a browser that was used for long has them. */
function manyConversations(origin: string): KeptConversation[] {
  return Array.from({ length: 2_000 }, (_, index) => {
    const said =
      index === 1_900 ? "Überweisungen dauern\nzwei Tage: 振込は二日かかります。" : "Nothing of that. ".repeat(60);
    const answer = { status: "done", text: said, preambles: [], citations: [], sources: [], steps: [] };
    const turn = { question: `Question ${index}?`, scope: { page: false, company: true }, answer };
    const pages = { asked: [], leftOut: [], unread: [] };
    const updatedAt = Date.now() - index * 7_200_000;
    const title = `Question ${index}?`;
    const kept = { id: `c${index}`, origin, title, updatedAt, conversation: {}, turns: [{ ...turn, pages }] };
    return kept as unknown as KeptConversation;
  });
}

describe.runIf(await hasChromium())("earlier conversations", { timeout: 300_000 }, () => {
  let browser: ExtensionBrowser;
  let service: TestService;
  let pages: TestPages;
  let panel: Page;

  beforeAll(async () => {
    service = await startService();
    pages = await servePages(() => article("Plan", "The shed is opened with the code on the board."));
    browser = await launchExtension();
    await pairExtension(browser, service);
    const page = await browser.context.newPage();
    await page.goto(`${pages.url}/one`);
    panel = await browser.openPanel(page);
    await open();
    await panel.getByText("Nothing was asked yet.").waitFor();
    await panel.evaluate(
      (all) =>
        new Promise<void>((resolve, reject) => {
          const opening = indexedDB.open("threadlore-conversations");
          opening.addEventListener("success", () => {
            const writing = opening.result.transaction("conversations", "readwrite");
            for (const one of all) writing.objectStore("conversations").put(one);
            writing.addEventListener("complete", () => resolve());
            writing.addEventListener("abort", () => reject(writing.error));
          });
        }),
      manyConversations(new URL(service.url).origin),
    );
    await panel.reload();
    await open();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  });

  const open = () => panel.getByRole("button", { name: "Earlier conversations" }).click();
  const search = () => panel.getByRole("searchbox", { name: "Search questions and answers" });
  const entries = () => panel.locator(".past-entry");

  it("stand by day, of 2,000 those that are near, and are gone through by arrows", async () => {
    await panel.getByRole("heading", { name: "Today" }).waitFor();
    await panel.getByRole("heading", { name: "Yesterday" }).waitFor();
    expect(await entries().count()).toBeLessThan(200);
    expect(await violationsOf(panel)).toEqual([]);
    await search().focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowUp"]) await panel.keyboard.press(key);
    expect(await panel.evaluate(() => document.activeElement?.textContent)).toContain("Question 0?");
  });

  it("are found by what was answered, in any script, with the line it stands in", async () => {
    for (const [query, mark] of [
      ["uberweisungen tage", "Überweisungen"],
      ["振込", "振込"],
    ] as const) {
      await search().fill(query);
      await panel.locator(".past-line mark", { hasText: mark }).waitFor();
      await expect.poll(() => entries().count()).toBe(1);
    }
    await search().fill("nowhere at all");
    await panel.getByText("No conversation has these words.").waitFor();
    await panel.keyboard.press("Escape");
    await expect.poll(() => entries().count()).toBeGreaterThan(50);
  });

  it("are renamed, forgotten and brought back with the name", async () => {
    await panel.getByRole("button", { name: "Rename “Question 0?”" }).click();
    await panel.getByRole("textbox", { name: "New name" }).fill("旅費の質問");
    await panel.keyboard.press("Enter");
    await entries().filter({ hasText: "旅費の質問" }).waitFor();
    const isOfferedAtOnce = panel.evaluate(
      () =>
        new Promise((resolve) => {
          new MutationObserver((_changes, observer) => {
            const undo = document.querySelector(".past-undo button");
            if (undo === null) return;
            observer.disconnect();
            resolve(document.activeElement === undo);
          }).observe(document.body, { childList: true, subtree: true });
        }),
    );
    await panel.getByRole("button", { name: "Forget “旅費の質問” here" }).click();
    await panel.getByText("“旅費の質問” is forgotten here.").waitFor();
    expect(await isOfferedAtOnce).toBe(true);
    await panel.keyboard.press("Enter");
    await entries().filter({ hasText: "旅費の質問" }).waitFor();
    await expect.poll(async () => (await conversationsIn(panel)).length).toBe(2_000);
    await entries().filter({ hasText: "旅費の質問" }).click();
    await panel.getByRole("heading", { name: "Question 0?" }).waitFor();
  });
});
