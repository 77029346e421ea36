import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkBundle } from "@threadlore/extension/bundle";
import { browserProgram, CHROMIUM_FLAGS } from "@threadlore/testkit/browser";
import { chromium, type BrowserContext } from "playwright-core";
import { build } from "rolldown";
import { type Bar, missedOf } from "../bars.ts";
import { type Measured, mediansOf } from "../figures.ts";
import type { Column, Group, Row } from "../report.ts";

const WEIGHT: readonly Column[] = [{ title: "kB gzip", digits: 1 }];
const START: readonly Column[] = [
  { title: "script ms", digits: 1 },
  { title: "all work ms", digits: 1 },
  { title: "times the control", digits: 2 },
];
const PARTS = ["panel", "background", "capture"];
const WEIGHTS = "weight of the extension";
const PANEL = "threadlore side panel";
const CONTROL = "Preact alone, one line (control)";

const BARS: readonly Bar[] = [
  { group: WEIGHTS, row: "panel", column: "kB gzip", most: 34.5 },
  { group: WEIGHTS, row: "background", column: "kB gzip", most: 8.4 },
  { group: WEIGHTS, row: "capture", column: "kB gzip", most: 126 },
];

/** What the built extension weighs, and what its panel takes to start in real Chromium. Undefined without a Chromium. */
export async function benchPanel(rounds: number): Promise<{ groups: Group[]; missed: string[] } | undefined> {
  const executablePath = await browserProgram();
  if (executablePath === undefined) return undefined;
  const home = mkdtempSync(join(tmpdir(), "threadlore-panel-bench-"));
  let context: BrowserContext | undefined;
  try {
    const folder = await buildExtension(home);
    const { sizes } = checkBundle(folder);
    const weights: Row[] = PARTS.map((part) => ({
      name: part,
      ours: true,
      figures: { "kB gzip": (sizes[part] ?? Number.NaN) / 1_000 },
    }));
    await addControl(folder);
    context = await chromium.launchPersistentContext(join(home, "profile"), {
      executablePath,
      headless: true,
      args: [...CHROMIUM_FLAGS, `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
    });
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
    const origin = `chrome-extension://${new URL(worker.url()).host}`;
    const groups: Group[] = [
      { name: WEIGHTS, columns: WEIGHT, rows: weights },
      { name: "start of the panel's page", columns: START, rows: await startRows(context, origin, rounds) },
    ];
    return { groups, missed: missedOf(groups, BARS) };
  } finally {
    await context?.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function buildExtension(home: string): Promise<string> {
  const script = join(import.meta.dirname, "../../../../extension/src/building/build-folder.ts");
  const env = { ...process.env, NODE_ENV: "production" };
  await promisify(execFile)(process.execPath, [script, "chrome", join(home, "built")], { env });
  return join(home, "built", "chrome-mv3");
}

/** A page beside the panel's, of the same origin, that shows one line with the same library. */
async function addControl(folder: string): Promise<void> {
  const { output } = await build({
    input: join(import.meta.dirname, "panel-weight-control.harness.ts"),
    platform: "browser",
    write: false,
    output: { format: "esm", minify: true },
  });
  writeFileSync(join(folder, "control.js"), output[0].code);
  writeFileSync(
    join(folder, "control.html"),
    '<!doctype html><meta charset="utf-8"><div id="app"></div><script type="module" src="/control.js"></script>',
  );
}

async function startRows(context: BrowserContext, origin: string, rounds: number): Promise<Row[]> {
  const started = (name: string, ours: boolean, page: string): Measured => ({
    name,
    ours,
    run: () => startOf(context, `${origin}/${page}`),
  });
  const medians = await mediansOf(
    [started(CONTROL, false, "control.html"), started(PANEL, true, "sidepanel.html")],
    rounds,
  );
  const control = [...medians].find(([{ ours }]) => !ours)?.[1]["script ms"] ?? Number.NaN;
  return [...medians].map(([{ name, ours }, figures]) => ({
    name,
    ours,
    figures: { ...figures, "times the control": (figures["script ms"] ?? Number.NaN) / control },
  }));
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
