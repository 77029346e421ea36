import type { Reply } from "@threadlore/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { hangPage } from "../../testing/hanging-page.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { conversationsIn } from "../../testing/worker-state.ts";
import {
  type ScriptedAnswer,
  type ScriptedService,
  startScriptedService,
  useScriptedService,
} from "./scripted-service.harness.ts";

const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe.runIf(await hasChromium())("a panel whose page or person is away", { timeout: 240_000 }, () => {
  let browser: ExtensionBrowser;
  let service: ScriptedService;
  let pages: TestPages;
  let page: Page;
  let panel: Page;
  let next: ScriptedAnswer | Reply = { text: "Answered." };

  beforeAll(async () => {
    service = await startScriptedService(() => next);
    pages = await servePages((path) => {
      if (path === "/picture.png") return { type: "image/png", body: DOT };
      if (path === "/empty") return "<!doctype html><title>Empty</title><body></body>";
      if (path === "/framed")
        return article("Framed", "Outside.").replace(
          "</article>",
          `<iframe width="600" height="400" src="${pages.url.replace("pages.example", "other.example")}/one"></iframe></article>`,
        );
      if (path === "/large")
        return article("Large", ...Array.from({ length: 600 }, () => "A line of a long page. ".repeat(40)));
      return article(`Plan ${path.slice(1)}`, "The release is planned for the twelfth of March.");
    });
    browser = await launchExtension();
    await useScriptedService(browser, service);
    page = await browser.context.newPage();
    await page.goto(`${pages.url}/one`);
    panel = await browser.openPanel(page);
    await composer().waitFor();
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  const composer = () => panel.getByRole("textbox", { name: "Your question" });
  const lastTurn = () => panel.locator(".turn").last();
  const send = async (question: string, answer: ScriptedAnswer | Reply = { text: "Answered." }) => {
    next = answer;
    await composer().fill(question);
    await composer().press("Enter");
    await lastTurn().getByRole("heading", { name: question }).waitFor();
  };
  const isOver = () => lastTurn().and(panel.locator('[aria-busy="false"]')).waitFor();
  const ask = async (question: string, answer?: ScriptedAnswer | Reply) => {
    await send(question, answer);
    await isOver();
  };
  const contextHas = (words: string) => String(service.questions.at(-1)?.["additional_context"]).includes(words);
  const fresh = () => panel.getByRole("button", { name: "New conversation" }).click();
  const keepButton = () => panel.locator(".bar").getByRole("button", { name: "Keep this page" });
  const goTo = async (path: string) => {
    await page.goto(`${pages.url}${path}`);
    await browser.giveAccess(page);
  };
  it("says that it reads while the page hangs, stops at once, and asks without it when it is told to", async () => {
    await panel.getByText("Plan one").first().waitFor();
    const before = service.questions.length;
    const other = await browser.context.newPage();
    await other.goto(`${pages.url}/other`);
    await browser.giveAccess(other);
    await panel.locator(".tab-name", { hasText: "Plan other" }).waitFor();
    await hangPage(page, 18_000);
    const began = Date.now();
    await page.bringToFront();
    // The tab that hangs is the one that is asked, and not the one before.
    await panel.locator(".tab-name", { hasText: "Plan one" }).waitFor();
    await keepButton().waitFor();
    await send("Is it read?");
    await lastTurn().getByText("Reading the page…").waitFor();
    await panel.getByRole("button", { name: "Stop the answer" }).click();
    await lastTurn().getByText("Stopped. What had arrived stays.").waitFor();
    await keepButton().click();
    await panel.locator(".foot").getByText("Reading the page…").waitFor();
    await panel.locator(".foot").getByRole("button", { name: "Stop", exact: true }).click();
    await keepButton().waitFor();
    await send("And without it?");
    await lastTurn().getByRole("button", { name: "Ask without the page" }).click();
    await isOver();
    // All of that while the page still hung.
    expect(Date.now() - began).toBeLessThan(17_500);
    await other.close();
    await expect
      .poll(() => lastTurn().innerText())
      .toContain("The page does not answer. It may be busy or still loading.");
    expect(service.questions.slice(before)).toEqual([expect.objectContaining({ message: "And without it?" })]);
    expect(service.questions.at(-1)).not.toHaveProperty("additional_context");
  });

  it("never says that a large page was sent while it is read", async () => {
    await goTo("/large");
    await panel.getByText("Large").first().waitFor();
    await panel.evaluate(() => {
      const said: string[] = [];
      Object.assign(globalThis, { said });
      const look = () => {
        const text = document.querySelector(".running")?.textContent ?? "";
        if (text !== "" && said.at(-1) !== text) said.push(text);
      };
      new MutationObserver(look).observe(document.body, { childList: true, characterData: true, subtree: true });
    });
    await ask("What is said?");
    const said = await panel.evaluate(() => (globalThis as unknown as { said: string[] }).said);
    expect(said[0]).toBe("Reading the page…");
    expect(said.join(" ")).not.toContain("Sent");
    expect(contextHas("A line of a long page.")).toBe(true);
    await goTo("/one");
    await fresh();
  });

  it("follows an answer of 8,000 characters a second to its end, until its reader scrolls up", async () => {
    const text = "Word after word comes in, line after line.\n\n".repeat(700);
    await panel.evaluate(() => {
      const away: number[] = [];
      Object.assign(globalThis, { away });
      setInterval(() => away.push(document.querySelectorAll(".to-end").length), 20);
    });
    await ask("Fast", { text, piece: 80, everyMs: 10 });
    const distance = () => panel.locator("main").evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    await expect.poll(distance).toBeLessThan(48);
    const away = await panel.evaluate(() => (globalThis as unknown as { away: number[] }).away);
    expect(away.length).toBeGreaterThan(20);
    expect(away.filter((count) => count > 0)).toEqual([]);

    await send("Slower", { text, piece: 40, everyMs: 20 });
    await lastTurn().getByText("Word after word").nth(40).waitFor();
    await panel.locator("main").focus();
    await panel.keyboard.press("PageUp");
    const toEnd = panel.getByRole("button", { name: "To the end" });
    await toEnd.waitFor();
    const left = await distance();
    await expect.poll(distance).toBeGreaterThan(left + 300);
    await toEnd.click();
    await expect.poll(distance).toBeLessThan(48);
    await panel.getByRole("button", { name: "Stop the answer" }).click();
    await isOver();
    await fresh();
  });

  it("shows again what it showed when it is closed in the middle of an answer, with what was written", async () => {
    await send("A long story", { text: `Begun here. ${"word ".repeat(4_000)}`, piece: 10, everyMs: 20 });
    await lastTurn().getByText("Begun here.").waitFor();
    await composer().fill("Not sent yet");
    await panel.getByRole("button", { name: "Earlier conversations" }).click();
    // On the disk from the question on.
    await panel.getByRole("button", { name: "Back to the conversation" }).click();
    await expect.poll(() => composer().inputValue()).toBe("Not sent yet");
    await expect.poll(async () => JSON.stringify(await conversationsIn(panel))).toContain("Begun here.");
    await panel.reload();
    await lastTurn().getByText("Begun here.").waitFor();
    const card = lastTurn().getByRole("group", { name: "The answer broke off" });
    await expect.poll(() => card.innerText()).toContain("The panel was closed");
    await expect.poll(() => composer().inputValue()).toBe("Not sent yet");
    next = { text: "All of the story." };
    await card.getByRole("button", { name: "Try again" }).click();
    await lastTurn().getByText("All of the story.").waitFor();
    await isOver();
    await composer().fill("");
    await fresh();
  });

  it("asks all of a page on which one word is marked, and says when a selection is asked", async () => {
    const mark = (selector: string, to?: number) =>
      page.evaluate(
        ([wanted, end]) => {
          const node = document.querySelector(wanted)?.firstChild;
          if (node == null) return;
          const range = document.createRange();
          range.setStart(node, 0);
          range.setEnd(node, end ?? node.textContent?.length ?? 0);
          getSelection()?.removeAllRanges();
          getSelection()?.addRange(range);
        },
        [selector, to] as const,
      );
    await page.bringToFront();
    await mark("p", 3);
    await panel.getByRole("button", { name: "Summarise this page" }).click();
    await isOver();
    expect(contextHas("twelfth of March")).toBe(true);
    await expect.poll(() => lastTurn().locator(".about").innerText()).toBe("Plan one + Company knowledge");
    await mark("h1");
    await panel.evaluate(() => dispatchEvent(new Event("focus")));
    await panel.getByRole("button", { name: "Ask about the selection" }).click();
    await ask("What is marked?");
    await expect
      .poll(() => lastTurn().locator(".about").innerText())
      .toBe("selection of “Plan one” + Company knowledge");
    await panel.locator(".bar").getByRole("button", { name: "Keep the selected text" }).waitFor();
    await fresh();
    await panel.getByRole("button", { name: "Summarise this page" }).click();
    await isOver();
    expect(contextHas("twelfth of March")).toBe(true);
    await page.evaluate(() => getSelection()?.removeAllRanges());
  });

  it.each([
    ["an error after text", { text: "Half of it", error: { message: "boom", code: "ODD" } }, "The answer broke off"],
    ["a key without the right", { status: 403, json: { detail: "Not for you" } }, "The key may not do this"],
  ] satisfies [string, ScriptedAnswer | Reply, string][])(
    "says of %s what it is, and names no sources",
    async (_, answer, title) => {
      await ask("What now?", answer);
      await lastTurn().getByRole("group", { name: title }).waitFor();
      expect(await lastTurn().getByRole("group", { name: "Sources" }).count()).toBe(0);
      expect(await lastTurn().innerText()).not.toMatch(/There is no answer|does not accept the key/);
    },
  );

  it("tells of parts of other sites that it could not read", async () => {
    await goTo("/framed");
    await panel.locator(".tab-name", { hasText: "Framed" }).waitFor();
    await ask("What is outside?");
    await expect
      .poll(() => lastTurn().innerText())
      .toContain("“Framed” shows more than could be read: parts from other sites.");
  });

  it.each(["/picture.png", "/empty"])("offers nothing to keep where there is nothing to read: %s", async (path) => {
    await goTo(path);
    await panel.getByText("There is no text on this page to read.").waitFor();
    await expect.poll(() => keepButton().isDisabled()).toBe(true);
  });
});
