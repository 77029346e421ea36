import type { Reply } from "@threadlore/testkit";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../../testing/chromium.ts";
import { article, servePages, type TestPages } from "../../testing/pages.ts";
import { violationsOf } from "./axe.harness.ts";
import {
  type ScriptedAnswer,
  type ScriptedService,
  startScriptedService,
  useScriptedService,
} from "./scripted-service.harness.ts";

const LINK = "https://wiki.example.com/travel";
const ANSWER: ScriptedAnswer = {
  text: [
    "## Travel costs",
    `They are paid back within **ten days** [[1]](${LINK}).`,
    "- trains first\n- then planes",
    "| what | limit |\n| --- | ---: |\n| hotel | 160 |\n| train | none |",
    "```ts\nconst limit = 160; // a line that is longer than any narrow panel is wide, so that it has to be scrolled\n```",
    "> As it was said.",
  ].join("\n\n"),
  piece: 200,
  documents: [{ id: "travel", title: "Travel", link: LINK, passage: "Travel costs are paid back within ten days." }],
};

/** Widths of a panel, in points: as narrow as it is used, as browsers make it, and dragged wide. */
const WIDTHS = [240, 360, 600];
const LOOKS = ["light", "dark"] as const;

describe.runIf(await hasChromium())("every view of the extension", { timeout: 400_000 }, () => {
  let browser: ExtensionBrowser;
  let service: ScriptedService;
  let pages: TestPages;
  let page: Page;
  let panel: Page;
  let next: ScriptedAnswer | Reply = ANSWER;

  beforeAll(async () => {
    service = await startScriptedService(() => next);
    pages = await servePages((path) =>
      article("Minutes", "The board met on Tuesday.", path === "/secret" ? '<input type="password">' : ""),
    );
    browser = await launchExtension();
    page = await browser.context.newPage();
    await page.goto(`${pages.url}/minutes`);
    panel = await browser.openPanel(page);
    panel.setDefaultTimeout(90_000);
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  const composer = () => panel.getByRole("textbox", { name: "Your question" });
  const send = async (question: string, answer: ScriptedAnswer | Reply) => {
    next = answer;
    await composer().fill(question);
    await composer().press("Enter");
    await panel.locator(".turn").last().getByRole("heading", { name: question }).waitFor();
  };
  const isOver = () => panel.locator(".turn").last().and(panel.locator('[aria-busy="false"]')).waitFor();
  const keepButton = () => panel.getByRole("button", { name: "Keep this page" }).first();

  /** Each view by how a person gets there from the one before it. */
  const VIEWS: Record<string, () => Promise<Page>> = {
    "the panel without a service": async () => {
      await panel.getByRole("heading", { name: "Set up Threadlore" }).waitFor();
      return panel;
    },
    "the empty panel": async () => {
      await useScriptedService(browser, service);
      await composer().waitFor();
      await panel.getByRole("heading", { name: "What would you like to know?" }).waitFor();
      return panel;
    },
    "an answer while it is written": async () => {
      await send("How long does it take?", { text: "Word by word. ".repeat(4_000), piece: 20, everyMs: 50 });
      await panel.locator(".turn").getByText("Word by word.").first().waitFor();
      return panel;
    },
    "an answer": async () => {
      await panel.getByRole("button", { name: "Stop the answer" }).click();
      await isOver();
      await panel.getByRole("button", { name: "New conversation" }).click();
      await send("What is paid back?", ANSWER);
      await isOver();
      return panel;
    },
    "a source": async () => {
      await panel.getByRole("button", { name: "Source 1: Travel" }).click();
      await panel.getByRole("link", { name: "Open at the passage" }).waitFor();
      return panel;
    },
    "a failure": async () => {
      await panel.getByRole("link", { name: "Open at the passage" }).press("Escape");
      await send("And now?", { status: 500, json: { detail: "boom" } });
      await isOver();
      return panel;
    },
    "the time to take a page back": async () => {
      await keepButton().click();
      await panel.getByRole("button", { name: "Undo" }).waitFor();
      return panel;
    },
    "the question before a page is kept": async () => {
      await panel.getByRole("button", { name: "Undo" }).click();
      await page.goto(`${pages.url}/secret`);
      await browser.giveAccess(page);
      await keepButton().click();
      await panel.getByRole("button", { name: "Keep it", exact: true }).waitFor();
      return panel;
    },
    "the earlier conversations": async () => {
      await panel.getByRole("button", { name: "Do not keep it" }).click();
      await panel.getByRole("button", { name: "Earlier conversations" }).click();
      await panel.locator(".history").getByText("What is paid back?").waitFor();
      return panel;
    },
    "the settings": async () => {
      const options = await browser.openOwnPage("options.html");
      await options.getByRole("heading", { name: "Threadlore settings" }).waitFor();
      return options;
    },
    "the first run": async () => {
      const welcome = await browser.openOwnPage("welcome.html");
      await welcome.getByRole("heading", { name: "Connect a service" }).waitFor();
      return welcome;
    },
  };

  it.each(Object.entries(VIEWS))("has nothing that axe finds, light and dark, however wide: %s", async (_, open) => {
    const view = await open();
    const found: string[] = [];
    for (const colorScheme of LOOKS) {
      await view.emulateMedia({ colorScheme });
      for (const width of WIDTHS) {
        await view.setViewportSize({ width, height: 640 });
        await settle(view);
        const wide = await view.evaluate(() => document.documentElement.scrollWidth);
        if (wide > width) found.push(`${width}: scrolls sideways, ${wide}`);
        for (const fault of await violationsOf(view)) {
          found.push(`${width} ${colorScheme}: ${fault}`);
        }
      }
    }
    await view.emulateMedia({ colorScheme: "light" });
    await view.setViewportSize({ width: 360, height: 640 });
    expect(found).toEqual([]);
  });

  it("shows in forced colours what is on, what is off, and where the focus is", async () => {
    await panel.getByRole("button", { name: "Back to the conversation" }).click();
    await panel.emulateMedia({ forcedColors: "active" });
    const company = panel.getByRole("switch", { name: "Company knowledge" });
    const drawn = () =>
      company.evaluate((one) => {
        const looks = [one, ...one.querySelectorAll("*")].flatMap((part) =>
          ["", "::before", "::after"].map((pseudo) => {
            const { backgroundColor, borderColor, borderStyle, color, outlineStyle } = getComputedStyle(part, pseudo);
            return [backgroundColor, borderColor, borderStyle, color, outlineStyle];
          }),
        );
        return JSON.stringify(looks);
      });
    await composer().focus();
    const before = await drawn();
    await company.click();
    await composer().focus();
    await expect.poll(drawn).not.toBe(before);
    await panel.keyboard.press("Shift+Tab");
    const outline = await panel.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
      return { outlineStyle, outlineWidth };
    });
    expect(outline).toEqual({ outlineStyle: "solid", outlineWidth: "2px" });
    await company.click();
    await panel.emulateMedia({ forcedColors: "none" });
  });

  it("moves nothing for whoever wants less motion, and does for others", async () => {
    const moving = () =>
      panel.evaluate(async () => {
        // Whatever moves anywhere: something is asked to, beside the panel's own.
        const probe = document.body.appendChild(document.createElement("div"));
        Object.assign(probe.style, { transition: "opacity 5s", opacity: "0" });
        void probe.offsetWidth;
        probe.style.opacity = "1";
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const running = document.getAnimations().filter(({ playState }) => playState === "running").length;
        probe.remove();
        return running;
      });
    await send("Is it moving?", { text: "Slowly. ".repeat(400), piece: 8, everyMs: 100 });
    expect(await moving()).toBeGreaterThan(0);
    await panel.emulateMedia({ reducedMotion: "reduce" });
    await expect.poll(moving).toBe(0);
    await panel.getByRole("button", { name: "Stop the answer" }).click();
    await isOver();
    await panel.emulateMedia({ reducedMotion: "no-preference" });
  });
});

/** Until what slides in has arrived: axe would measure colours half way. What moves for ever is left to. */
async function settle(view: Page): Promise<void> {
  await view.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.all(ending.map((one) => one.finished.catch(() => {})));
  });
}
