import { join } from "node:path";
import { startBrowser } from "@threadlore/testkit/browser";
import type { Page } from "playwright-core";
import { build } from "rolldown";
import { mainThreadClock } from "./main-thread.ts";
import type { Run } from "./markdown-page.ts";
import { installPeers, PEERS_FOLDER } from "../peer-folder.ts";

declare const contestants: typeof import("./markdown-page.ts");

const HOME = "http://bench.example/";
const REPOSITORY = join(import.meta.dirname, "..", "..", "..", "..");

/** A run as it was measured. */
export interface MeasuredRun extends Run {
  /** Milliseconds of processor time of the page's main thread: script, its garbage, style and layout. */
  readonly cpuMs: number;
}

/** A page with every contestant in it. */
export interface MarkdownBrowser {
  readonly version: string;
  load(text: string): Promise<void>;
  run(name: string, perPush: number, layout: boolean, mostMs: number): Promise<MeasuredRun>;
  conform(
    name: string,
    examples: readonly { markdown: string; html: string }[],
  ): Promise<{ right: number; alike: number }>;
  /** `requests`: for how many addresses the page asked. */
  attack(name: string, texts: readonly string[]): Promise<{ runs: number; links: number; requests: number }>;
  close(): Promise<void>;
}

/** Opens it in real Chromium; undefined where there is none, which has been said. */
export async function openMarkdownBrowser(): Promise<MarkdownBrowser | undefined> {
  const browser = await startBrowser();
  if (browser === undefined) return undefined;
  installPeers();
  const scripts = await Promise.all([
    bundle(join(REPOSITORY, "extension/src/panel/answer/live-answer.harness.ts"), "panel"),
    bundle(join(PEERS_FOLDER, "writers.ts"), "peers"),
    bundle(join(import.meta.dirname, "markdown-page.ts"), "contestants"),
  ]);
  let requests = 0;
  await browser.context.route("**", (route) => {
    if (route.request().url() === HOME)
      return route.fulfill({ contentType: "text/html", body: "<!doctype html><body>" });
    requests += 1;
    return route.abort();
  });
  /** A page of its own for what may leave something behind. */
  const open = async (): Promise<Page> => {
    const page = await browser.context.newPage();
    await page.goto(HOME);
    for (const script of scripts) await page.evaluate(script);
    return page;
  };
  const tab = await open();
  const devtools = await browser.context.newCDPSession(tab);
  const spentMs = await mainThreadClock(browser.context, tab);
  return {
    version: browser.version,
    load: (text) => tab.evaluate((one) => contestants.load(one), text),
    async run(name, perPush, layout, mostMs) {
      await devtools.send("HeapProfiler.collectGarbage");
      const before = await spentMs();
      const run = await tab.evaluate(([one, ...rest]) => contestants.run(one, ...rest), [
        name,
        perPush,
        layout,
        mostMs,
      ] as const);
      const cpuMs = (await spentMs()) - before;
      await tab.evaluate(() => contestants.clear());
      return { ...run, cpuMs };
    },
    conform: (name, examples) => tab.evaluate(([one, all]) => contestants.conform(one, all), [name, examples] as const),
    async attack(name, texts) {
      const page = await open();
      requests = 0;
      const found = await page.evaluate(([one, all]) => contestants.attack(one, all), [name, texts] as const);
      await page.close();
      return { ...found, requests };
    },
    close: () => browser.close(),
  };
}

/** A script that leaves a module's exports in a global of that name. */
async function bundle(input: string, name: string): Promise<string> {
  const { output } = await build({
    input,
    platform: "browser",
    write: false,
    logLevel: "silent",
    transform: {
      define: { "process.env.NODE_ENV": JSON.stringify("production") },
      jsx: { runtime: "automatic", importSource: "preact" },
    },
    plugins: [
      {
        // The panel's texts come from the browser's extension interface, which a page does not have.
        name: "texts",
        resolveId: (id) => (id === "#i18n" ? "texts" : null),
        load: (id) => (id === "texts" ? "export const i18n = { t: (key) => key };" : null),
      },
    ],
    output: { format: "iife", name, minify: true, codeSplitting: false },
  });
  return output[0].code.replace(`var ${name}`, `globalThis.${name}`);
}
