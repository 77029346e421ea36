import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { until } from "../../testing/until.ts";
import { conversationsIn, storageOf } from "../../testing/worker-state.ts";
import { violationsOf } from "./axe.harness.ts";
import {
  type ScriptedAnswer,
  type ScriptedService,
  startScriptedService,
  useScriptedService,
} from "./scripted-service.harness.ts";
import type { Reply } from "@threadlore/testkit";

const TRAVEL = {
  id: "travel",
  title: "Travel costs",
  link: "https://wiki.example.com/travel",
  passage: "Receipts go to finance. Travel costs are paid back within ten days.",
};
const ANSWER: ScriptedAnswer = {
  text: "## Travel\n\nTravel costs are paid back within **ten days** [[1]](https://wiki.example.com/travel).\n\n- Receipts\n- Form\n\n| What | Limit |\n|---|---:|\n| Hotel | 120 |\n\n```ts\nconst limit = 120;\n```\n",
  documents: [TRAVEL, { id: "canteen", title: "Canteen", link: "https://wiki.example.com/canteen", passage: "Soup." }],
};

describe.runIf(await hasChromium())("the panel", { timeout: 300_000 }, () => {
  let browser: ExtensionBrowser;
  let service: ScriptedService;
  let pages: TestPages;
  let page: Page;
  let panel: Page;
  let next: ScriptedAnswer | Reply = ANSWER;

  beforeAll(async () => {
    service = await startScriptedService(() => next);
    pages = await servePages((path) =>
      article(`Plan ${path.slice(1)}`, "The release is planned for the twelfth of March."),
    );
    browser = await launchExtension();
    page = await browser.context.newPage();
    await page.goto(`${pages.url}/one`);
    panel = await browser.openPanel(page);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  });

  const composer = () => panel.getByRole("textbox", { name: "Your question" });
  const lastTurn = () => panel.locator(".turn").last();
  const isOver = async () => {
    await panel.getByRole("button", { name: "Stop the answer" }).waitFor({ state: "detached" });
    await lastTurn().and(panel.locator('[aria-busy="false"]')).waitFor();
  };
  const ask = async (question: string, answer: ScriptedAnswer | Reply = ANSWER) => {
    next = answer;
    await composer().fill(question);
    await composer().press("Enter");
    await lastTurn().getByRole("heading", { name: question }).waitFor();
    await isOver();
  };
  const fresh = () => panel.getByRole("button", { name: "New conversation" }).click();

  it("leads to the first run while no service is set", async () => {
    await panel.getByRole("heading", { name: "Set up Threadlore" }).waitFor();
    expect(await violationsOf(panel)).toEqual([]);
    const opened = browser.context.waitForEvent("page");
    await panel.getByRole("button", { name: "Set up" }).click();
    const welcome = await opened;
    expect(welcome.url()).toBe(`${browser.origin}/welcome.html`);
    await welcome.close();
    await page.bringToFront();
    await useScriptedService(browser, service);
    await composer().waitFor();
  });

  it("says which page is asked, and sends its text", async () => {
    await panel.getByText("Plan one").waitFor();
    await ask("When is the release?");
    const question = service.questions.at(-1);
    expect(question).toMatchObject({ origin: "chrome_extension", allowed_tool_ids: [1] });
    expect(String(question?.["additional_context"])).toContain("twelfth of March");
    await expect.poll(() => lastTurn().locator(".about").innerText()).toBe("Plan one + Company knowledge");
  });

  it("shows the answer as elements, its steps and its sources", async () => {
    await ask("How fast are travel costs paid back?");
    const shown = await lastTurn().locator(".answer").ariaSnapshot();
    expect(shown.replaceAll(new URL(pages.url).host, "pages.example")).toMatchSnapshot();
  });

  it("shows a citation's card by keyboard, which opens the source at the passage, and gives the focus back", async () => {
    const chip = lastTurn().getByRole("button", { name: "Source 1: Travel costs" });
    await chip.focus();
    await panel.keyboard.press("Enter");
    const link = lastTurn().getByRole("link", { name: "Open at the passage" });
    await link.waitFor();
    expect(await link.getAttribute("href")).toBe(
      "https://wiki.example.com/travel#:~:text=Travel%20costs%20are%20paid%20back%20within%20ten%20days.",
    );
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    await panel.keyboard.press("Tab");
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    await panel.keyboard.press("Escape");
    await link.waitFor({ state: "detached" });
    expect(await chip.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it.each(["light", "dark"] as const)(
    "gives axe nothing to find with an answer and a card open, %s",
    async (colorScheme) => {
      await panel.emulateMedia({ colorScheme });
      await lastTurn().getByRole("button", { name: "Source 1: Travel costs" }).click();
      await lastTurn().getByRole("link", { name: "Open at the passage" }).waitFor();
      expect(await violationsOf(panel)).toEqual([]);
      await panel.keyboard.press("Escape");
      await composer().click();
    },
  );

  it("allows no tool when only the page is asked, and always asks something", async () => {
    const company = panel.getByRole("switch", { name: "Company knowledge" });
    const leaveOut = panel.getByRole("button", { name: "Leave this page out" });
    const takeAlong = panel.getByRole("button", { name: "Ask this page too" });
    await company.click();
    await ask("What does the page say?", { text: "It says March." });
    expect(service.questions.at(-1)).toMatchObject({ allowed_tool_ids: [] });
    await expect.poll(() => lastTurn().getByRole("group", { name: "Sources" }).innerText()).toContain("Plan one");
    // Its name opens the menu, and leaves the page where it is: only the cross leaves it out.
    await panel.locator(".tab-name").click();
    await panel.getByRole("dialog", { name: "What is asked of the page" }).waitFor();
    await panel.keyboard.press("Escape");
    await leaveOut.focus();
    await panel.keyboard.press("Enter");
    await expect.poll(() => takeAlong.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await violationsOf(panel)).toEqual([]);
    expect(await company.getAttribute("aria-checked")).toBe("true");
    await ask("And the company?");
    expect(service.questions.at(-1)).not.toHaveProperty("additional_context");
    await takeAlong.click();
    await leaveOut.waitFor();
  });

  it("writes a line with Shift+Enter and leaves an input method alone", async () => {
    const before = service.questions.length;
    await composer().fill("one");
    await composer().press("Shift+Enter");
    await panel.keyboard.type("two");
    await expect.poll(() => composer().inputValue()).toBe("one\ntwo");
    const prevented = await composer().evaluate((field) => {
      const event = new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true });
      return !field.dispatchEvent(event);
    });
    expect(prevented).toBe(false);
    expect(service.questions.length).toBe(before);
    await composer().fill("");
    expect(await panel.getByRole("button", { name: "Ask", exact: true }).isDisabled()).toBe(true);
  });

  it("takes a long question whole, and scrolls it instead of growing over the panel", async () => {
    const long = "Which of these receipts count? ".repeat(700).trim();
    await composer().fill(long);
    expect((await composer().boundingBox())?.height).toBeLessThan(240);
    await composer().fill("");
    await ask(long.slice(0, 20_000).trim());
    expect(service.questions.at(-1)?.["message"]).toBe(long.slice(0, 20_000).trim());
    await fresh();
  });

  it("is walked through by keyboard from top to bottom", async () => {
    await panel.getByRole("button", { name: "Summarise this page" }).waitFor();
    await panel.getByRole("button", { name: "Keep this page" }).focus();
    const focused = () =>
      panel.evaluate(() => {
        const at = document.activeElement;
        if (at instanceof HTMLTextAreaElement) return at.labels[0]?.textContent ?? "";
        return at?.getAttribute("aria-label") ?? at?.textContent ?? "";
      });
    const walked = [await focused()];
    while (walked.length < 20 && walked.at(-1) !== "Company knowledge") {
      await panel.keyboard.press("Tab");
      walked.push(await focused());
    }
    expect(walked).toEqual([
      "Keep this page",
      "New conversation",
      "Earlier conversations",
      "Settings",
      "Summarise this page",
      "What should I do next, according to this page?",
      "What does our company already know about this?",
      "Your question",
      "What is asked of the page: Plan one",
      "Leave this page out",
      "Company knowledge",
    ]);
  });

  it("stops with Escape, keeps what had arrived and tells the server", async () => {
    const stops = service.stopped.length;
    next = { text: `Begun here. ${"word ".repeat(2_000)}`, piece: 10, everyMs: 40 };
    await composer().fill("Tell me everything");
    await composer().press("Enter");
    await lastTurn().getByText("Begun here.").waitFor();
    await panel.keyboard.press("Escape");
    await isOver();
    await expect.poll(() => lastTurn().innerText()).toContain("Stopped. What had arrived stays.");
    await expect.poll(() => lastTurn().innerText()).toContain("Begun here.");
    await until("the server is told", () => service.stopped.length > stops);
    expect(await composer().evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it("answers again in place, as the same question", async () => {
    await fresh();
    await ask("Say something", { text: "First try." });
    next = { text: "Second try." };
    await lastTurn().getByRole("button", { name: "Answer again" }).click();
    await lastTurn().getByText("Second try.").waitFor();
    await isOver();
    await expect.poll(() => panel.locator(".turn").count()).toBe(1);
    expect(service.questions.at(-1)?.["parent_message_id"]).toBe((service.questions.length - 1) * 2);
  });

  it("copies the answer as it reads, with its sources", async () => {
    await ask("What goes along?");
    // A panel without a window has no focus, and browsers let nobody copy from there.
    await panel.evaluate(() => {
      Object.defineProperty(navigator.clipboard, "write", {
        value: async ([copied]: ClipboardItem[]) => {
          const texts = await Promise.all(["text/plain", "text/html"].map((type) => copied?.getType(type)));
          Object.assign(globalThis, { copied: await Promise.all(texts.map((blob) => blob?.text())) });
        },
      });
    });
    await lastTurn().getByRole("button", { name: "Copy the answer with its sources" }).click();
    await lastTurn().getByRole("button", { name: "Copied" }).waitFor();
    const [plain, html] = await panel.evaluate(() => (globalThis as unknown as { copied: string[] }).copied);
    expect(plain).toContain("Travel costs are paid back within **ten days** [1].");
    expect(plain).toContain("[1] Travel costs <https://wiki.example.com/travel>");
    expect(html).toContain("<strong>ten days</strong>");
  });

  it("takes a judgement with a comment", async () => {
    await lastTurn().getByRole("button", { name: "Bad answer" }).click();
    const field = lastTurn().getByRole("textbox", { name: "What was wrong? (optional)" });
    await field.fill("It is not about trains.");
    await field.press("Enter");
    await until("the comment arrives", () =>
      service.judgements.some((one) => one["feedback_text"] === "It is not about trains."),
    );
    expect(service.judgements.at(0)).toMatchObject({ is_positive: false });
    await lastTurn().getByRole("button", { name: "Bad answer", pressed: true }).waitFor();
  });

  it.each([
    [
      "a refused key",
      { status: 401, json: { detail: "Invalid key" } },
      "The service does not accept the key",
      "Open settings",
    ],
    [
      "a limit",
      { status: 429, headers: { "retry-after": "7200" }, json: { detail: "Slow down" } },
      "The limit for questions is reached",
      "Try again",
    ],
    [
      "a website",
      { headers: { "content-type": "text/html" }, body: "<html>Login" },
      "The service did not answer as it should",
      "Try again",
    ],
    ["a broken stream", { text: "Half an ans", isCut: true }, "The answer broke off", "Try again"],
    [
      "a failing model",
      { text: "", error: { message: "boom", code: "RATE_LIMIT" } },
      "The language model is busy",
      "Try again",
    ],
  ] satisfies [string, ScriptedAnswer | Reply, string, string][])(
    "says in plain words what happened: %s",
    async (_what, answer, title, way) => {
      await ask("Are you there?", answer);
      await lastTurn().getByRole("group", { name: title }).waitFor();
      await expect.poll(() => lastTurn().getByRole("button", { name: way }).isVisible()).toBe(true);
      expect(await violationsOf(panel)).toEqual([]);
    },
  );

  it("says when nothing answers, keeps the question, and asks again once somebody does", async () => {
    await useScriptedService(browser, { url: "http://127.0.0.1:9" });
    await panel.getByText("127.0.0.1:9", { exact: true }).waitFor();
    await ask("Is anybody there?");
    const card = lastTurn().getByRole("group", { name: "The service did not answer as it should" });
    await expect.poll(() => card.innerText()).toContain("Your question stays here.");
    await card.getByText("Details").click();
    await expect.poll(() => card.innerText()).toContain("127.0.0.1:9");
    await useScriptedService(browser, service);
    await panel.getByText(new URL(service.url).host, { exact: true }).waitFor();
    await ask("And now?");
    await expect.poll(() => lastTurn().innerText()).toContain("ten days");
  });

  it("tries again from the card, in place of what failed", async () => {
    await ask("Once more", { text: "Half", isCut: true });
    next = { text: "All of it." };
    await lastTurn().getByRole("button", { name: "Try again" }).click();
    await lastTurn().getByText("All of it.").waitFor();
    await isOver();
    expect(await lastTurn().getByRole("group", { name: "The answer broke off" }).count()).toBe(0);
  });

  it("keeps conversations, and goes on with one after the panel was closed", async () => {
    await fresh();
    await ask("What is kept?", { text: "This answer is kept." });
    // It is shown a moment before it is kept.
    await expect.poll(async () => JSON.stringify(await conversationsIn(panel))).toContain("This answer is kept.");
    await expect
      .poll(async () => JSON.stringify(await storageOf(browser, "session")))
      .toContain("This answer is kept.");
    await panel.reload();
    await composer().waitFor();
    await panel.getByRole("button", { name: "Earlier conversations" }).click();
    await panel.getByRole("button", { name: /^What is kept\?/ }).click();
    await lastTurn().getByText("This answer is kept.").waitFor();
    await ask("And now?");
    expect(service.questions.at(-1)).toHaveProperty("chat_session_id");
    await panel.getByRole("button", { name: "Earlier conversations" }).click();
    expect(await violationsOf(panel)).toEqual([]);
    await panel.getByRole("button", { name: "Forget “What is kept?” here" }).click();
    await panel.getByRole("button", { name: /^What is kept\?/ }).waitFor({ state: "detached" });
    await panel.getByRole("button", { name: "Back to the conversation" }).click();
  });

  it("asks only what is selected", async () => {
    await page.bringToFront();
    await page.evaluate(() => getSelection()?.selectAllChildren(document.querySelector("h1") ?? document.body));
    await panel.evaluate(() => dispatchEvent(new Event("focus")));
    await panel.getByRole("button", { name: "Ask about the selection" }).click();
    await ask("What is selected?", { text: "A title." });
    const context = String(service.questions.at(-1)?.["additional_context"]);
    expect(context).toContain("selected");
    expect(context).not.toContain("twelfth of March");
    await page.evaluate(() => getSelection()?.removeAllRanges());
  });

  it("says why a page cannot be read, and asks nothing that is not there", async () => {
    const other = await browser.context.newPage();
    await other.goto("chrome://version");
    await other.bringToFront();
    await panel.getByText("Click the Threadlore icon on this tab to let the panel read it.").waitFor();
    await panel.getByRole("switch", { name: "Company knowledge" }).click();
    const before = service.questions.length;
    await ask("What is this page?");
    expect(service.questions.length).toBe(before);
    await lastTurn().getByRole("group", { name: "The page could not be read" }).waitFor();
    await panel.getByRole("switch", { name: "Company knowledge" }).click();
    await other.close();
    await page.bringToFront();
    await panel.getByText("Plan one").first().waitFor();
  });

  it("asks several pages at once", async () => {
    const menu = panel.getByRole("button", { name: "What is asked of the page" });
    await menu.click();
    await panel.getByRole("button", { name: /^Keep asking/ }).click();
    expect(await violationsOf(panel)).toEqual([]);
    await panel.keyboard.press("Escape");
    expect(await menu.evaluate((element) => element === document.activeElement)).toBe(true);
    const second = await browser.context.newPage();
    await second.goto(`${pages.url}/two`);
    await browser.giveAccess(second);
    await panel.locator(".tab-name", { hasText: "Plan two" }).waitFor();
    await panel.locator(".tab-note", { hasText: "+1" }).waitFor();
    await ask("What do both say?");
    const context = String(service.questions.at(-1)?.["additional_context"]);
    expect(context).toContain("Title: Plan two");
    expect(context).toContain("Title: Plan one");
    await second.close();
    await page.bringToFront();
  });

  it("is not held up by a long answer, and does not read it out word by word", async () => {
    const long = Array.from(
      { length: 200 },
      (_, index) =>
        `Paragraph ${index} with **bold** and \`code\` and a mark [[1]](https://wiki.example.com/travel).\n\n- one\n- two\n\n`,
    ).join("");
    expect(long.length).toBeGreaterThan(20_000);
    await panel.evaluate(() => {
      const said: string[] = [];
      const drawn = { times: 0 };
      Object.assign(globalThis, { said, drawn });
      new MutationObserver((changes) => {
        const elements = changes.map(({ target }) => (target instanceof Element ? target : target.parentElement));
        if (elements.some((element) => element?.closest(".prose"))) drawn.times += 1;
      }).observe(document.body, { childList: true, characterData: true, subtree: true });
      const spoken = document.querySelector(".panel > [role=status]");
      if (spoken !== null)
        new MutationObserver(() => said.push(spoken.textContent ?? "")).observe(spoken, {
          childList: true,
          characterData: true,
          subtree: true,
        });
    });
    // What the panel's own thread computes, in seconds: a busy machine makes it wait, not compute more.
    const session = await panel.context().newCDPSession(panel);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const computed = async () => {
      const { metrics } = await session.send("Performance.getMetrics");
      return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
    };
    const drawn = () => panel.evaluate(() => (globalThis as unknown as { drawn: { times: number } }).drawn.times);
    const worked = async (piece: number) => {
      await fresh();
      await panel.evaluate(() => ((globalThis as unknown as { said: string[] }).said.length = 0));
      const before = { computed: await computed(), drawn: await drawn() };
      await ask("Tell me everything", { text: long, piece, everyMs: 1, documents: [TRAVEL] });
      return { computed: (await computed()) - before.computed, times: (await drawn()) - before.drawn };
    };
    const atOnce = await worked(long.length);
    const inPieces = await worked(24);
    await expect.poll(() => lastTurn().locator(".chip").count()).toBe(200);
    const said = await panel.evaluate(() => (globalThis as unknown as { said: string[] }).said);
    expect(new Set(said)).toEqual(
      new Set(["Reading the page…", "Searching", "The answer is arriving", "The answer is complete. 2 sources."]),
    );
    expect(said.length).toBeLessThan(7);
    // Some 4 times as much, drawn up to 100 times. A busy machine brings the same answer in more frames, each with little
    // to draw, so that as much more is right. Drawn anew each time, 100 times would take some 50 times as much.
    expect(inPieces.times).toBeGreaterThan(atOnce.times);
    expect(inPieces.computed).toBeLessThan(8 * atOnce.computed * Math.max(1, inPieces.times / 100));
  });

  it("touches only the last block while an answer grows, and writes at most once a frame", async () => {
    next = {
      text: `# First\n\nA paragraph.\n\n- one\n- **two**\n\n\`\`\`ts\nconst one = 1;\n\`\`\`\n\nLast paragraph ${"and **more** ".repeat(200)}`,
      piece: 4,
      everyMs: 2,
    };
    await composer().fill("Grow");
    await composer().press("Enter");
    await lastTurn().getByText("Last paragraph").waitFor();
    const seen = await lastTurn()
      .locator(".prose")
      .evaluate(async (prose) => {
        const last = prose.lastElementChild;
        const closed = [...prose.children].slice(0, -1);
        let [inLast, elsewhere, writes, frames] = [0, 0, 0, 0];
        const count = () => {
          frames += 1;
          requestAnimationFrame(count);
        };
        requestAnimationFrame(count);
        const observer = new MutationObserver((records) => {
          writes += 1;
          for (const { target } of records) {
            if (last?.contains(target) === true) inLast += 1;
            else elsewhere += 1;
          }
        });
        observer.observe(prose, { childList: true, characterData: true, subtree: true, attributes: true });
        const begun = prose.textContent.length;
        while (prose.textContent.length < begun + 400) await new Promise((resolve) => requestAnimationFrame(resolve));
        observer.disconnect();
        return { inLast, elsewhere, writes, frames, areThere: closed.every((one) => one.parentNode === prose) };
      });
    expect(seen).toMatchObject({ elsewhere: 0, areThere: true });
    expect(seen.inLast).toBeGreaterThan(0);
    // A hidden page has no frames, and a timer stands in for one.
    expect(seen.writes).toBeLessThanOrEqual(seen.frames + 2);
    await panel.keyboard.press("Escape");
    await isOver();
  });
});
