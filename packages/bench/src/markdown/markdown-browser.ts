import { join } from "node:path";
import { startBrowser } from "@threadlore/testkit/browser";
import type { Page } from "playwright-core";
import type { InputOptions } from "rolldown";
import { bundle } from "../bundle.ts";
import { mainThreadClock } from "./main-thread.ts";
import type { Example, Run } from "./markdown-page.ts";
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
export type MarkdownBrowser = NonNullable<Awaited<ReturnType<typeof openMarkdownBrowser>>>;

/** Opens it in real Chromium; undefined where there is none, which has been said. */
export async function openMarkdownBrowser() {
  const browser = await startBrowser();
  if (browser === undefined) return undefined;
  installPeers();
  const scripts = await Promise.all([
    bundle(join(REPOSITORY, "extension/src/panel/answer/live-answer.harness.ts"), "panel", OPTIONS),
    bundle(join(PEERS_FOLDER, "writers.ts"), "peers", OPTIONS),
    bundle(join(import.meta.dirname, "markdown-page.ts"), "contestants", OPTIONS),
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
    load: (text: string) => tab.evaluate((one) => contestants.load(one), text),
    async run(name: string, perPush: number, layout: boolean, mostMs: number): Promise<MeasuredRun> {
      await devtools.send("HeapProfiler.collectGarbage");
      const before = await spentMs();
      const asked = [name, perPush, layout, mostMs] as const;
      const run = await tab.evaluate((given) => contestants.run(...given), asked);
      const cpuMs = (await spentMs()) - before;
      await tab.evaluate(() => contestants.clear());
      return { ...run, cpuMs };
    },
    conform: (name: string, examples: readonly Example[]) =>
      tab.evaluate((given) => contestants.conform(...given), [name, examples] as const),
    /** `requests`: for how many addresses the page asked. */
    async attack(name: string, texts: readonly string[]) {
      const page = await open();
      requests = 0;
      const found = await page.evaluate((given) => contestants.attack(...given), [name, texts] as const);
      await page.close();
      return { ...found, requests };
    },
    close: () => browser.close(),
  };
}

/** How the panel's own sources are put into a page. */
const OPTIONS: InputOptions = {
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
};
