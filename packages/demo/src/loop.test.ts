import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@threadlore/testkit";
import { startBrowser, unseenTexts } from "@threadlore/testkit/browser";
import { afterAll, describe, expect, it } from "vitest";
import { sizeOf, started } from "./testing/started-chat.ts";

/** What the README shows; `THREADLORE_PICTURES=1` draws it anew. */
const PICTURE = fileURLToPath(new URL("../loop.png", import.meta.url));

const browser = await startBrowser();
afterAll(() => browser?.close());

describe.runIf(browser !== undefined)("a question that nobody has written an answer to", () => {
  it("is asked of Jon on the page, kept by one press of his, and answered from then on", async () => {
    if (browser === undefined) throw new Error("no browser");
    const { url, stop } = await started(temporaryFolder());
    const page = await browser.context.newPage();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(url);
    const become = (name: RegExp) => async (): Promise<void> => {
      const people = page.getByLabel("You are");
      const label = (await people.locator("option").allInnerTexts()).find((one) => name.test(one)) ?? "";
      await people.selectOption({ label });
      await page.getByText("Threadlore is connected").waitFor();
    };
    const ask = async (words: string) => {
      const box = page.getByRole("textbox", { name: "Message # general" });
      await box.fill(`@Threadlore ${words}`);
      await box.press("Enter");
      await page.getByRole("article").filter({ hasText: words }).first().getByRole("button", { name: /repl/ }).click();
      return page.getByRole("complementary").filter({ hasText: words });
    };
    const thread = await ask("Which days does the ferry to Marrow Island not run?");
    await thread.getByRole("button", { name: "Ask a person" }).click();
    await thread.getByRole("button", { name: "Mark as resolved" }).waitFor();
    await become(/^Jon/)();
    const reply = thread.getByRole("textbox");
    await reply.fill("The ferry to Marrow Island does not run on Tuesdays and in the week of the regatta.");
    await reply.press("Enter");
    await thread.getByRole("button", { name: "Keep as the answer" }).click();
    const sure = page.getByRole("dialog");
    expect(await sure.innerText()).toContain("will find it");
    await sure.getByRole("button", { name: "Keep", exact: true }).click();
    await thread.getByText(/answered this/).waitFor();
    expect(
      await unseenTexts(page, ["Ask a person", "asked:", "Answered by", "does not run on Tuesdays", "It is kept"]),
    ).toEqual([]);
    const picture = await page.screenshot();
    if (process.env["THREADLORE_PICTURES"] === "1") writeFileSync(PICTURE, picture);
    expect(sizeOf(readFileSync(PICTURE))).toEqual(sizeOf(picture));
    await become(/^Robin/)();
    const again = await ask("When is there no ferry to Marrow Island?");
    await again.getByRole("button", { name: "Ask again" }).waitFor();
    expect(await again.innerText()).toMatch(/does not run on Tuesdays[^]*\[1\]/);
    await stop();
  }, 180_000);
});
