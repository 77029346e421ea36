import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type ScriptedModel, startScriptedModel } from "@threadlore/testkit";
import { unseenTexts } from "@threadlore/testkit/browser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askIn, formOf, picturedPage, pinnedProfile, sizeOf, storePictures, tellCompany } from "./pictures.harness.ts";
import { builtExtension } from "../testing/build-once.ts";
import { type ExtensionBrowser, hasChromium, launchExtension, type LaunchOptions } from "../testing/chromium.ts";
import { servePages, type TestPages } from "../testing/pages.ts";
import { hasScreen, type Screen, startScreen } from "../testing/screen.ts";
import { pairExtension, startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { badgeOf, letTimePass } from "../testing/worker-state.ts";

/** Where what the README shows lies; `THREADLORE_PICTURES=1` draws it anew. */
const PICTURES = fileURLToPath(new URL("../../pictures/", import.meta.url));
const isDrawing = process.env["THREADLORE_PICTURES"] === "1";

/** Pixels of a picture for each of the screen, so that it is sharp on good screens. */
const SCALE = 2;

/** The size that every store takes, in points. */
const STORE_SIZE = { width: 1280, height: 800 };

/**
 * Takes a picture, and says what is wrong with it: texts that a person would not see in it, or that the one in the
 * README was taken of a screen of another size, or not at all.
 */
async function faultsOf(name: string, page: Page, texts: readonly string[]): Promise<string[]> {
  // Things slide in; texts are looked for where they end up.
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {}))));
  const faults = (await unseenTexts(page, texts)).map((text) => `"${text}" is not to be seen`);
  return [...faults, ...keep(name, await drawn(page), faults.length === 0)];
}

/** Keeps a picture where pictures are drawn and this one is good; else compares its size with the one that is there. */
function keep(name: string, png: Buffer, isGood: boolean): string[] {
  const path = `${PICTURES}${name}.png`;
  if (isDrawing && isGood) {
    mkdirSync(PICTURES, { recursive: true });
    writeFileSync(path, png);
  }
  if (!existsSync(path)) return [`${name}.png is not there; THREADLORE_PICTURES=1 draws it`];
  const [shown, now] = [sizeOf(readFileSync(path)), sizeOf(png)];
  // Browsers differ by a few pixels; another layout differs by more.
  const isAlike = Math.abs(shown.width - now.width) < 80 && Math.abs(shown.height - now.height) < 160;
  return isAlike ? [] : [`${name}.png is of another size; THREADLORE_PICTURES=1 draws it anew`];
}

async function drawn(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { clientWidth: width, clientHeight: height } = (await session.send("Page.getLayoutMetrics")).cssVisualViewport;
  const clip = { x: 0, y: 0, width, height, scale: SCALE };
  const { data } = await session.send("Page.captureScreenshot", { format: "png", clip });
  await session.detach();
  return Buffer.from(data, "base64");
}

// Asked here, where no time limit counts: it may install a browser first.
const there = await hasChromium();
const hasDesktop = there && (await hasScreen());

describe.runIf(there)("the README's pictures of the extension", { timeout: 240_000 }, () => {
  let service: TestService;
  let pages: TestPages;
  let browser: ExtensionBrowser;
  let panel: Page;
  let model: ScriptedModel | undefined;

  beforeAll(async () => {
    pages = await servePages(picturedPage);
    service = await startService();
  });
  afterAll(async () => {
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  /** A browser whose addresses look like those of the web. */
  async function launch(language: string, more: LaunchOptions = {}): Promise<void> {
    browser = await launchExtension({
      language,
      ...more,
      flags: [`--host-resolver-rules=MAP tidewell.example:80 127.0.0.1:${new URL(pages.privateUrl).port}`],
    });
    const key = await pairExtension(browser, service, { pairId: 1, pairName: "Web pages", pairIsPublic: false });
    await tellCompany(service.url, key, browser.origin);
    await service.drain();
  }

  async function openBeside(url: string, title: string): Promise<void> {
    const page = await browser.context.newPage();
    await page.goto(url);
    panel = await browser.openPanel(page);
    await panel.getByText(title).first().waitFor();
  }

  describe("in English", () => {
    beforeAll(async () => {
      await launch("en-US");
      await openBeside("http://tidewell.example/open-harbour-day", "Open Harbour Day in Peniche");
    }, 240_000);
    afterAll(() => browser?.close(), 60_000);

    it.each(["light", "dark"] as const)("show a cited answer in the panel, %s", async (colorScheme) => {
      const question = "Do helpers get a Monday off, and when do they enter their name?";
      await panel.emulateMedia({ colorScheme });
      if (colorScheme === "light") {
        await askIn(panel, question);
        await panel.getByRole("button", { name: "Source 1: Leave and holidays" }).click();
        await panel.getByRole("link", { name: "Open at the passage" }).waitFor();
      } else {
        const card = panel.getByRole("link", { name: "Open at the passage" });
        await card.press("Escape");
        await card.waitFor({ state: "detached" });
      }
      expect(
        await faultsOf(`panel-${colorScheme}`, panel, [
          question,
          "Open Harbour Day in Peniche + Company knowledge",
          "Helpers at open days get the following Monday off.",
          ...(colorScheme === "light"
            ? ["Open at the passage", "Everyone has 28 working days of annual leave a year."]
            : ["Helpers enter their name with Ines Carvalho by 28 August.", "wiki.tidewell.example", "Sources"]),
        ]),
      ).toEqual([]);
    });

    it("show the question before a page that looks private is kept", async () => {
      await panel.emulateMedia({ colorScheme: "light" });
      await panel.getByRole("button", { name: "New conversation" }).click();
      const intranet = await browser.context.newPage();
      await intranet.goto(`${pages.privateUrl}/open-harbour-day`);
      await browser.giveAccess(intranet);
      await panel.locator(`.switch.page[title*="${new URL(pages.privateUrl).host}"]`).waitFor();
      await panel.getByRole("button", { name: "Keep this page" }).click();
      await panel.getByRole("button", { name: "Keep it", exact: true }).waitFor();
      expect(
        await faultsOf("consent", panel, [
          "Keep this page?",
          "The page is from a home or company network.",
          "Web pages",
          "On Saturday, 12 September",
          "Keep it",
          "Do not keep it",
        ]),
      ).toEqual([]);
    });

    it("show the settings", async () => {
      const options = await browser.openOwnPage("options.html");
      await options.getByRole("heading", { name: "Threadlore settings" }).waitFor();
      expect(await faultsOf("options", options, ["Threadlore settings"])).toEqual([]);
    });
  });

  describe.runIf(hasDesktop)("in a window", () => {
    let screen: Screen;
    let profile: string;
    beforeAll(async () => {
      screen = await startScreen(STORE_SIZE);
      profile = await pinnedProfile(await builtExtension());
      await launch("en-US", { display: screen.display, fills: STORE_SIZE, profile });
      await openBeside("http://tidewell.example/open-harbour-day", "Open Harbour Day in Peniche");
    }, 240_000);
    afterAll(async () => {
      await browser?.close();
      await screen?.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    }, 60_000);

    it("show the panel beside a page that was kept, and the tick on the icon", async () => {
      const [page, ...others] = browser.context.pages().toReversed();
      if (page === undefined) throw new Error("There is no page.");
      await Promise.all(others.map((other) => other.close()));
      await panel.getByRole("button", { name: "Keep this page" }).click();
      await panel.getByText(/^Keeping in/).waitFor();
      await letTimePass(browser);
      await panel.getByText(/^Kept since/).waitFor();
      await askIn(panel, "When do the doors open?");
      await until("the icon has a tick", async () => (await badgeOf(browser, page)) === "✓");
      expect(await unseenTexts(panel, ["Kept since", "When do the doors open?", "Doors open at 10:00"])).toEqual([]);
      expect(await unseenTexts(page, ["Open Harbour Day in Peniche"])).toEqual([]);
      expect(await shot("window")).toEqual([]);
    });

    it("show a cited answer beside its page", async () => {
      await panel.getByRole("button", { name: "New conversation" }).click();
      await askIn(panel, "Do helpers get a Monday off, and when do they enter their name?");
      await panel.getByRole("button", { name: "Source 1: Leave and holidays" }).click();
      await panel.getByRole("link", { name: "Open at the passage" }).waitFor();
      expect(await unseenTexts(panel, ["Helpers at open days get the following Monday off."])).toEqual([]);
      expect(await shot("store-answer")).toEqual([]);
    });

    it("show the question before a page that looks private is kept", async () => {
      await panel.getByRole("link", { name: "Open at the passage" }).press("Escape");
      await panel.getByRole("button", { name: "New conversation" }).click();
      const intranet = await browser.context.newPage();
      await intranet.goto(`${pages.privateUrl}/open-harbour-day`);
      await browser.giveAccess(intranet);
      await panel.locator(`.switch.page[title*="${new URL(pages.privateUrl).host}"]`).waitFor();
      await panel.getByRole("button", { name: "Keep this page" }).click();
      await panel.getByRole("button", { name: "Keep it", exact: true }).waitFor();
      expect(await unseenTexts(panel, ["Keep this page?", "Do not keep"])).toEqual([]);
      expect(await shot("store-consent")).toEqual([]);
      await panel.getByRole("button", { name: "Do not keep it" }).click();
      await panel.getByRole("button", { name: "Do not keep it" }).waitFor({ state: "detached" });
    });

    it("show the settings", async () => {
      const options = await browser.openOwnPage("options.html");
      await options.getByRole("heading", { name: "Threadlore settings" }).waitFor();
      expect(await unseenTexts(options, ["Threadlore settings"])).toEqual([]);
      expect(await shot("store-settings")).toEqual([]);
    });

    /** The whole window, as the stores take it. */
    async function shot(name: string): Promise<string[]> {
      for (const page of [panel, ...browser.context.pages()]) {
        await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {}))));
      }
      // What was laid out is painted one frame later.
      await new Promise((resolve) => setTimeout(resolve, 500));
      return keep(name, await screen.picture({ left: 0, top: 0, ...STORE_SIZE }), true);
    }
  });

  describe("in Japanese", () => {
    beforeAll(async () => {
      model = await startScriptedModel([{ text: "手伝いの申し込みは八月二十八日までです [1]。" }]);
      await service.close();
      service = await startService({ model: { baseUrl: model.url, name: "scripted" } });
      await launch("ja");
      await openBeside("http://tidewell.example/ja/open-harbour-day", "ペニシェ港の一般公開");
    }, 240_000);
    afterAll(async () => {
      await browser?.close();
      await model?.close();
    }, 60_000);

    it("show a cited answer in the panel", async () => {
      await askIn(panel, "手伝いの申し込みはいつまでですか？");
      expect(
        await faultsOf("panel-ja", panel, ["手伝いの申し込みはいつまでですか？", "八月二十八日まで", "出典"]),
      ).toEqual([]);
    });
  });
});

describe("the stores' pictures", () => {
  const page = readFileSync(new URL("../../STORE.md", import.meta.url), "utf8");

  it("are in the form every store takes, and each is named on the page about the stores", () => {
    const names = storePictures(page);
    expect(names.length).toBeGreaterThanOrEqual(3);
    // Chrome Web Store takes no more than five.
    expect(names.length).toBeLessThanOrEqual(5);
    for (const name of names) {
      const png = readFileSync(`${PICTURES}${name}`);
      expect([name, formOf(png)]).toEqual([name, { ...STORE_SIZE, bits: 8, color: "RGB" }]);
      expect(png.length).toBeLessThan(4_000_000);
    }
    expect(page).toContain(`${STORE_SIZE.width} x ${STORE_SIZE.height}`);
    const drawnForStores = readdirSync(PICTURES).filter((name) => name.startsWith("store-"));
    expect(names).toEqual(expect.arrayContaining(drawnForStores));
  });
});
