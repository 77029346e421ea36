import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkBundle } from "@threadlore/extension/bundle";
import { browserProgram, CHROMIUM_FLAGS } from "@threadlore/testkit/browser";
import { chromium, type BrowserContext } from "playwright-core";
import { type Bar, missedOf } from "../bars.ts";
import { bundle } from "../bundle.ts";
import { medianRows, withRatio } from "../measure.ts";
import { columnsOf, NOTHING, type Outcome, type Row } from "../report.ts";
import { withFolder } from "../with-folder.ts";

const WEIGHT = columnsOf({ "kB gzip": 1 });
const START = columnsOf({ "script ms": 1, "all work ms": 1, "times the control": 2 });
/** The most each part may weigh, kB. */
const PARTS = { panel: 34.5, background: 8.4, capture: 126 };
const WEIGHTS = "weight of the extension";
const PANEL = "threadlore side panel";
const CONTROL = "Preact alone, one line (control)";

const BARS = Object.entries(PARTS).map(([row, most]): Bar => ({ group: WEIGHTS, row, column: "kB gzip", most }));

/** What the built extension weighs, and what its panel takes to start in real Chromium. */
export async function benchPanel(rounds: number): Promise<Outcome> {
  const executablePath = await browserProgram();
  if (executablePath === undefined) return NOTHING;
  return withFolder(async (home) => {
    const folder = await buildExtension(home);
    const { sizes } = checkBundle(folder);
    const weights: Row[] = Object.keys(PARTS).map((part) => ({
      name: part,
      ours: true,
      figures: { "kB gzip": (sizes[part] ?? Number.NaN) / 1_000 },
    }));
    await addControl(folder);
    const context = await chromium.launchPersistentContext(join(home, "profile"), {
      executablePath,
      headless: true,
      args: [...CHROMIUM_FLAGS, `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
    });
    try {
      const groups = [
        { name: WEIGHTS, columns: WEIGHT, rows: weights },
        { name: "start of the panel's page", columns: START, rows: await startRows(context, rounds) },
      ];
      return { groups, missed: missedOf(groups, BARS) };
    } finally {
      await context.close();
    }
  });
}

async function buildExtension(home: string): Promise<string> {
  const script = join(import.meta.dirname, "../../../../extension/src/building/build-folder.ts");
  const env = { ...process.env, NODE_ENV: "production" };
  await promisify(execFile)(process.execPath, [script, "chrome", join(home, "built")], { env });
  return join(home, "built", "chrome-mv3");
}

/** A page beside the panel's, of the same origin, that shows one line with the same library. */
async function addControl(folder: string): Promise<void> {
  const script = await bundle(join(import.meta.dirname, "panel-weight-control.harness.ts"), "control");
  writeFileSync(join(folder, "control.js"), script);
  writeFileSync(
    join(folder, "control.html"),
    '<!doctype html><meta charset="utf-8"><div id="app"></div><script type="module" src="/control.js"></script>',
  );
}

async function startRows(context: BrowserContext, rounds: number): Promise<Row[]> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
  const origin = `chrome-extension://${new URL(worker.url()).host}`;
  const contestants = [
    { name: CONTROL, ours: false, run: () => startOf(context, `${origin}/control.html`) },
    { name: PANEL, ours: true, run: () => startOf(context, `${origin}/sidepanel.html`) },
  ];
  return withRatio(await medianRows(contestants, rounds, 1), "times the control", "script ms", CONTROL);
}

/** Milliseconds the page's main thread spent on scripts, and in all, until the page showed something. */
async function startOf(context: BrowserContext, url: string): Promise<Record<string, number>> {
  const page = await context.newPage();
  try {
    const session = await context.newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(url);
    await page.locator("#app > *").first().waitFor({ timeout: 60_000 });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const { metrics } = await session.send("Performance.getMetrics");
    const milliseconds = (name: string) => (metrics.find((one) => one.name === name)?.value ?? Number.NaN) * 1_000;
    return { "script ms": milliseconds("ScriptDuration"), "all work ms": milliseconds("TaskDuration") };
  } finally {
    await page.close();
  }
}
