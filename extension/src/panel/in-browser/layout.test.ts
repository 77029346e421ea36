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

const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(3);
const PASSAGE =
  "Receipts go to finance before the end of the month. Travel costs are paid back within ten days of that.";
const SOURCES = [
  { id: "travel", title: "Travel costs of everybody who travels", passage: PASSAGE },
  { id: "long", title: LONG, passage: `${LONG} ${PASSAGE}` },
  {
    id: "rtl",
    title: "دليل نفقات السفر لجميع الموظفين",
    passage: "تدفع نفقات السفر خلال عشرة أيام من تسليم الإيصالات إلى القسم المالي.",
  },
].map((source) => ({ ...source, link: `https://wiki.example.com/${source.id}` }));

/** A panel as wide as browsers make it, a narrow one, and one at 200 %. */
const SIZES = [
  { width: 360, height: 640 },
  { width: 320, height: 480 },
  { width: 180, height: 300 },
];

describe.runIf(await hasChromium())("the panel's layout", { timeout: 300_000 }, () => {
  let browser: ExtensionBrowser;
  let service: ScriptedService;
  let pages: TestPages;
  let panel: Page;
  let next: ScriptedAnswer = {
    text: SOURCES.map(({ link }, at) => `They are paid back [[${at + 1}]](${link}).`).join("\n\n"),
    documents: SOURCES,
  };
  /** What the panel's console said was wrong. */
  const complaints: string[] = [];

  beforeAll(async () => {
    service = await startScriptedService(() => next);
    const secret = '<input type="password">';
    pages = await servePages(() =>
      article("Minutes of the board", ...Array.from({ length: 9 }, () => PASSAGE), secret),
    );
    browser = await launchExtension();
    await useScriptedService(browser, service);
    const page = await browser.context.newPage();
    await page.goto(`${pages.url}/minutes`);
    panel = await browser.openPanel(page);
    panel.on("console", (said) => {
      if (said.type() === "error" || said.type() === "warning") complaints.push(said.text());
    });
    await panel.reload();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.close(), pages?.close()]);
  });

  const composer = () => panel.getByRole("textbox", { name: "Your question" });

  it("is not complained about by the browser for its policy", async () => {
    await panel.getByRole("textbox", { name: "Your question" }).waitFor();
    expect(complaints.filter((text) => /Content Security Policy/i.test(text))).toEqual([]);
    // It is in force: what it does not name is refused, and said to be.
    const refused = await panel.evaluate(() =>
      fetch("http://192.0.2.1/").then(
        () => "sent",
        () => "refused",
      ),
    );
    expect(refused).toBe("refused");
    expect(complaints.join()).toMatch(/Content Security Policy/i);
  });

  it("leaves the answer its room: the foot takes less than a fifth, and nothing scrolls sideways", async () => {
    await panel.setViewportSize({ width: 360, height: 596 });
    await panel.locator(".tab-name", { hasText: "Minutes of the board" }).waitFor();
    const foot = () => panel.locator(".foot").evaluate((element) => element.getBoundingClientRect().height);
    await expect.poll(async () => (await foot()) / 596).toBeLessThanOrEqual(0.18);
    const sideways = () =>
      panel.evaluate(() =>
        [...document.querySelectorAll(".panel, .panel > *, .composer, .composer-row, .scope, .popover")]
          .filter((element) => element.scrollWidth > element.clientWidth + 1)
          .map(({ className }) => className),
      );
    for (const size of [{ width: 240, height: 596 }, ...SIZES]) {
      await panel.setViewportSize(size);
      expect({ size, wide: await sideways() }).toEqual({ size, wide: [] });
      await panel.getByRole("button", { name: "What is asked of the page" }).click();
      const menu = panel.getByRole("dialog", { name: "What is asked of the page" });
      const outside = () =>
        menu.evaluate((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          return Math.max(-left, -top, right - innerWidth, bottom - innerHeight);
        });
      // It is put anew as soon as the panel has its new size, and when something has come into it.
      await expect.poll(outside).toBeLessThanOrEqual(0);
      expect({ size, wide: await sideways() }).toEqual({ size, wide: [] });
      const folder = process.env["THREADLORE_LOOK"];
      if (folder !== undefined) await panel.screenshot({ path: `${folder}/menu-${size.width}.png` });
      await panel.keyboard.press("Escape");
    }
  });

  it("shows a citation's card whole where punctuation follows the mark, however narrow", async () => {
    await panel.getByRole("textbox", { name: "Your question" }).fill("When?");
    await panel.keyboard.press("Enter");
    await panel
      .locator('.turn[aria-busy="false"] .chip')
      .nth(SOURCES.length - 1)
      .waitFor();
    for (const size of SIZES) {
      await panel.setViewportSize(size);
      for (const at of SOURCES.keys()) {
        const chip = panel.locator(".turn .answer .chip").nth(at);
        await chip.focus();
        await panel.keyboard.press("Enter");
        const card = panel.locator(".card:popover-open");
        await card.waitFor();
        const { left, right, top, bottom, wider } = await card.evaluate((element) => {
          const box = element.getBoundingClientRect();
          const { left: from, right: to, top: over, bottom: under } = box;
          return { left: from, right: to, top: over, bottom: under, wider: element.scrollWidth - element.clientWidth };
        });
        expect({ at, size, wider }).toEqual({ at, size, wider: 0 });
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
        expect(right).toBeLessThanOrEqual(size.width);
        expect(bottom).toBeLessThanOrEqual(size.height);
        await panel.keyboard.press("Escape");
      }
    }
  });

  it("shows in forced colours what is on, what is off, and where the focus is", async () => {
    await panel.setViewportSize({ width: 360, height: 640 });
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
    next = { text: "Slowly. ".repeat(400), piece: 8, everyMs: 100 };
    await composer().fill("Is it moving?");
    await composer().press("Enter");
    await panel.locator(".turn").getByText("Slowly.").first().waitFor();
    expect(await moving()).toBeGreaterThan(0);
    await panel.emulateMedia({ reducedMotion: "reduce" });
    await expect.poll(moving).toBe(0);
    await panel.getByRole("button", { name: "Stop the answer" }).click();
    await panel.locator('.turn[aria-busy="true"]').waitFor({ state: "detached" });
    await panel.emulateMedia({ reducedMotion: "no-preference" });
  });

  it("keeps question and answer to a request for consent in the window, with one thing that scrolls", async () => {
    await panel.setViewportSize({ width: 360, height: 640 });
    await panel.getByRole("button", { name: "Keep this page" }).first().click();
    await panel.getByRole("button", { name: "Keep it", exact: true }).waitFor();
    for (const size of SIZES) {
      await panel.setViewportSize(size);
      const found = await panel.evaluate(() => {
        const bottom = (selector: string) =>
          document.querySelector(selector)?.getBoundingClientRect().bottom ?? Number.NaN;
        const scrolls = [...document.querySelectorAll(".foot, .foot *")].filter(
          (element) =>
            element.scrollHeight > element.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(element).overflowY),
        );
        return {
          composer: bottom(".composer"),
          agree: bottom(".consent .primary"),
          page: document.documentElement.scrollHeight,
          nested: scrolls.filter((one) => scrolls.some((other) => other !== one && other.contains(one))).length,
        };
      });
      expect(found.page).toBeLessThanOrEqual(size.height);
      expect(found.nested).toBe(0);
      if (size.height < 480) continue;
      expect(found.composer).toBeLessThanOrEqual(size.height);
      expect(found.agree).toBeLessThanOrEqual(size.height);
      for (const colorScheme of ["light", "dark"] as const) {
        await panel.emulateMedia({ colorScheme });
        expect(await violationsOf(panel)).toEqual([]);
        const folder = process.env["THREADLORE_LOOK"];
        if (folder !== undefined)
          await panel.screenshot({ path: `${folder}/consent-${size.width}-${colorScheme}.png` });
      }
    }
  });
});
