import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { unseenTexts } from "@threadlore/testkit/browser";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExtensionBrowser, hasChromium, launchExtension } from "../testing/chromium.ts";
import { formOf } from "./pictures.harness.ts";

const EXTENSION = fileURLToPath(new URL("../../", import.meta.url));
const isDrawing = process.env["THREADLORE_PICTURES"] === "1";

/** What stores put beside the name: made of the icon, the extension's own words, and a picture of its panel. */
const TILES = [
  { name: "tile-small", width: 440, height: 280, html: () => tile(24, 15, "") },
  { name: "tile-marquee", width: 1400, height: 560, html: () => tile(58, 27, picture("panel-light")) },
  { name: "logo", width: 300, height: 300, html: () => page(`<div class="alone">${icon()}</div>`) },
];

const icon = () => readFileSync(`${EXTENSION}icon.svg`, "utf8");
const picture = (name: string) =>
  `<img alt="" src="data:image/png;base64,${readFileSync(`${EXTENSION}pictures/${name}.png`).toString("base64")}">`;

/** Name and what it is for, as the store's listing says it. */
function words(): { readonly name: string; readonly summary: string } {
  const [name = "", summary = ""] = readFileSync(`${EXTENSION}store/en.txt`, "utf8").split("\n");
  return { name, summary };
}

function tile(nameSize: number, textSize: number, beside: string): string {
  const { name, summary } = words();
  return page(
    `<div class="tile"><div class="words"><div class="name" style="font-size:${nameSize}px">${icon()}<span>${name}</span></div>
    <p style="font-size:${textSize}px">${summary}</p></div>${beside}</div>`,
  );
}

function page(body: string): string {
  return `<!doctype html><style>
body { margin: 0; font-family: system-ui, "DejaVu Sans", sans-serif; color: #fff; background: #0b6260; }
.tile { display: flex; align-items: center; height: 100vh; gap: 6vw; padding: 0 7vw; box-sizing: border-box; overflow: hidden; }
.words { flex: 1; }
.name { display: flex; align-items: center; gap: .4em; font-weight: 700; }
.name svg { width: 1.9em; height: 1.9em; flex: none; }
p { margin: .9em 0 0; line-height: 1.4; }
img { align-self: flex-start; height: 120%; margin-top: 40px; border-radius: 12px 12px 0 0; box-shadow: 0 12px 50px rgb(0 0 0 / 45%); }
.alone { display: grid; place-items: center; height: 100vh; background: #fbfaf7; }
.alone svg { width: 76vw; height: 76vw; }
</style>${body}`;
}

describe.runIf(await hasChromium())("the stores' tiles", { timeout: 120_000 }, () => {
  let browser: ExtensionBrowser;
  let view: Page;
  beforeAll(async () => {
    browser = await launchExtension();
    view = await browser.context.newPage();
  }, 120_000);
  afterAll(() => browser?.close(), 60_000);

  it.each(TILES)(
    "are in the sizes the stores ask for, with all of their words: $name",
    async ({ name, width, height, html }) => {
      await view.setViewportSize({ width, height });
      await view.setContent(html(), { waitUntil: "load" });
      const said = name === "logo" ? [] : Object.values(words());
      expect(await unseenTexts(view, said)).toEqual([]);
      expect(await view.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      const png = await view.screenshot({ scale: "css" });
      const path = `${EXTENSION}pictures/${name}.png`;
      if (isDrawing) writeFileSync(path, png);
      expect(existsSync(path), "THREADLORE_PICTURES=1 draws it").toBe(true);
      for (const one of [png, readFileSync(path)]) {
        expect(formOf(one)).toEqual({ width, height, bits: 8, color: "RGB" });
      }
      const store = readFileSync(`${EXTENSION}STORE.md`, "utf8");
      expect(store).toMatch(new RegExp(`\\(pictures/${name}\\.png\\)[^\\n]+${width} x ${height}`));
    },
  );
});
