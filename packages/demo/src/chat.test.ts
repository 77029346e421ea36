import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startBrowser, type TestBrowser, unseenTexts } from "@threadlore/testkit/browser";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "@threadlore/testkit";
import { sizeOf, started } from "./testing/started-chat.ts";

type Page = Awaited<ReturnType<TestBrowser["context"]["newPage"]>>;

/** What the README shows; `THREADLORE_PICTURES=1` draws it anew. */
const PICTURE = fileURLToPath(new URL("../chat.png", import.meta.url));

const browser = await startBrowser();
afterAll(() => browser?.close());

async function say(page: Page, text: string): Promise<void> {
  const box = page.getByRole("textbox", { name: "Message # general" });
  await box.fill(text);
  await box.press("Enter");
}

/** Opens the thread of the newest message and waits until the answer in it is finished. */
async function answer(page: Page, question: string): Promise<string> {
  const asked = page.getByRole("article").filter({ hasText: question }).first();
  await asked.getByRole("button", { name: /repl/ }).click();
  const thread = page.getByRole("complementary").filter({ hasText: question });
  await thread
    .getByRole("button", { name: /Ask again/ })
    .last()
    .waitFor();
  return thread.innerText();
}

describe.runIf(browser !== undefined)("the chat that start opens", () => {
  const folder = temporaryFolder();
  let page: Page;
  beforeAll(async () => {
    if (browser === undefined) throw new Error("no browser");
    page = await browser.context.newPage();
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it("answers a mention with sources, keeps what is pinned and answers from it, also after a restart", async () => {
    const first = await started(folder);
    await page.goto(first.url);
    await say(page, "@Threadlore What happens to unused leave at year's end?");
    const cited = await answer(page, "unused leave");
    expect(cited).toContain("31 March");
    expect(cited).toContain("Leave and holidays");

    const news = page.getByRole("article").filter({ hasText: "spare key to the tide hut" });
    await news.hover();
    await news.getByRole("button", { name: "Pin", exact: true }).click();
    // The app's reaction: kept, then found by questions.
    await news.getByRole("button", { name: /white_check_mark/ }).waitFor();
    await say(page, "@Threadlore Where is the spare key to the tide hut?");
    const fromPin = await answer(page, "Where is the spare key");
    expect(fromPin).toContain("behind the blue door");
    // Its citation opens at the pinned message itself.
    const link = page.getByRole("complementary").locator('a[href*="/archives/"]').first();
    expect(await link.getAttribute("href")).toMatch(/\/archives\/C\w+\/p\d+/);
    // What the README says its picture shows is in sight when the picture is taken.
    const promised = [
      "# general",
      "The spare key to the tide hut hangs behind the blue door",
      "Where is the spare key",
    ];
    expect(await unseenTexts(page, [...promised, "pinned", "Searched", "[1]", "in #general", "Ask a person"])).toEqual(
      [],
    );
    const picture = await page.screenshot();
    if (process.env["THREADLORE_PICTURES"] === "1") writeFileSync(PICTURE, picture);
    expect(sizeOf(readFileSync(PICTURE))).toEqual(sizeOf(picture));
    await first.stop();

    const second = await started(folder);
    await page.goto(second.url);
    expect(
      await page.getByRole("article").filter({ hasText: "spare key to the tide hut" }).first().innerText(),
    ).toContain("pinned");
    await say(page, "@Threadlore Once more: which door hides the key to the tide hut?");
    expect(await answer(page, "Once more")).toContain("blue door");
    await second.stop();
  }, 180_000);
});
