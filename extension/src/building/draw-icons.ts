/** Draws the icons of the extension from icon.svg; run it by hand when that has changed. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";

const ROOT = join(import.meta.dirname, "../..");
const SIZES = [16, 32, 48, 96, 128];

const executablePath = process.env["CHROME_PATH"] ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const svg = readFileSync(join(ROOT, "icon.svg"), "utf8");
mkdirSync(join(ROOT, "public/icon"), { recursive: true });
for (const size of SIZES) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`);
  await page.screenshot({ path: join(ROOT, `public/icon/${size}.png`), omitBackground: true });
}
await browser.close();
