import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtExtension } from "@threadlore/extension/built";
import { checkBundle } from "@threadlore/extension/bundle";
import { browserProgram, CHROMIUM_FLAGS } from "@threadlore/testkit/browser";
import { chromium, type BrowserContext, type Worker } from "playwright-core";
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
const FRESH = "the question's box after a start of the browser";
const READY = columnsOf({ "ms from the page's start": 0 });
const PANEL = "threadlore side panel";
const CONTROL = "Preact alone, one line (control)";

const BARS: readonly Bar[] = [
  ...Object.entries(PARTS).map(([row, most]): Bar => ({ group: WEIGHTS, row, column: "kB gzip", most })),
  // A person who has just opened the browser types at once.
  { group: FRESH, row: PANEL, column: "ms from the page's start", most: 300 },
];

/** What the built extension weighs, and what its panel takes to start in real Chromium. */
export async function benchPanel(rounds: number): Promise<Outcome> {
  const executablePath = await browserProgram();
  if (executablePath === undefined) return NOTHING;
  return withFolder(async (home) => {
    // A copy, as a page is added to it.
    const folder = join(home, "built");
    cpSync(await builtExtension(), folder, { recursive: true });
    const { sizes } = checkBundle(folder);
    const weights: Row[] = Object.keys(PARTS).map((part) => ({
      name: part,
      ours: true,
      figures: { "kB gzip": (sizes[part] ?? Number.NaN) / 1_000 },
    }));
    await addControl(folder);
    const launch = () =>
      chromium.launchPersistentContext(join(home, "profile"), {
        executablePath,
        headless: true,
        args: [...CHROMIUM_FLAGS, `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
      });
    const context = await launch();
    let starts: Row[];
    try {
      starts = await startRows(context, rounds);
      await setUp(context);
    } finally {
      await context.close();
    }
    const groups = [
      { name: WEIGHTS, columns: WEIGHT, rows: weights },
      { name: "start of the panel's page", columns: START, rows: starts },
      { name: FRESH, columns: READY, rows: await freshRows(launch, rounds) },
    ];
    return { groups, missed: missedOf(groups, BARS) };
  });
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

async function workerOf(context: BrowserContext): Promise<Worker> {
  return context.serviceWorkers()[0] ?? context.waitForEvent("serviceworker");
}

async function originOf(context: BrowserContext): Promise<string> {
  return `chrome-extension://${new URL((await workerOf(context)).url()).host}`;
}

/** Names a service in the browser's profile, one that nothing answers at: the panel is drawn before it is asked. */
async function setUp(context: BrowserContext): Promise<void> {
  const service = "http://127.0.0.1:9";
  await (
    await workerOf(context)
  ).evaluate(
    (values) =>
      (
        globalThis as unknown as { chrome: { storage: { local: { set(all: object): Promise<void> } } } }
      ).chrome.storage.local.set(values),
    {
      settings: { version: 1, baseUrl: service },
      keys: { origin: service, askKey: ["tl", "TEST", "bench"].join("_"), ingestKey: "" },
    },
  );
}

/** Each in a browser that has just been started. */
async function freshRows(launch: () => Promise<BrowserContext>, rounds: number): Promise<Row[]> {
  const freshly = (name: string, path: string, wanted: string) => ({
    name,
    ours: name === PANEL,
    run: async () => {
      const context = await launch();
      try {
        return { "ms from the page's start": await readyAfter(context, `${await originOf(context)}/${path}`, wanted) };
      } finally {
        await context.close();
      }
    },
  });
  return medianRows(
    [freshly(CONTROL, "control.html", "#app > *"), freshly(PANEL, "sidepanel.html", "#question:enabled")],
    rounds,
    0,
  );
}

/** Milliseconds from the start of a page until it has what is wanted, by the page's own clock. */
async function readyAfter(context: BrowserContext, url: string, wanted: string): Promise<number> {
  const page = await context.newPage();
  await page.addInitScript((selector) => {
    const look = () => {
      if (document.querySelector(selector) === null) return;
      watcher.disconnect();
      Object.assign(globalThis, { readyAt: performance.now() });
    };
    const watcher = new MutationObserver(look);
    watcher.observe(document, { childList: true, subtree: true, attributes: true });
  }, wanted);
  await page.goto(url);
  const found = await page.waitForFunction(() => (globalThis as { readyAt?: number }).readyAt, undefined, {
    timeout: 60_000,
  });
  return (await found.jsonValue()) ?? Number.NaN;
}

async function startRows(context: BrowserContext, rounds: number): Promise<Row[]> {
  const origin = await originOf(context);
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
