import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { mean, seededRandom, sharedFolder } from "@threadlore/testkit";
import { startBrowser, type TestBrowser } from "@threadlore/testkit/browser";
import { missedOf } from "../bars.ts";
import { bundle } from "../bundle.ts";
import { CAPTURE_BARS, missedOfPeers, ratiosOf } from "./capture-bars.ts";
import { type CorpusPage, hugePage, readCorpus } from "./capture-corpus.ts";
import { scoreOf } from "./capture-score.ts";
import { median, percentile, shuffled } from "../measure.ts";
import { columnsOf, type Group, NOTHING, type Outcome, type Row } from "../report.ts";

/** The contestants, by the names `capture-page.ts` knows them by. */
const NAMES = ["Readability", "Defuddle", "threadlore"];
const OURS = "threadlore";

const QUALITY = columnsOf({ "word F1": 3, "snippet F1": 3 });
const TIME = columnsOf({ "median ms": 0, "p95 ms": 0, "times both extractors": 2 });

/** The extension's capture script. */
const SCRIPT = fileURLToPath(new URL("../../../../extension/entrypoints/read-page.ts", import.meta.url));

type Tab = Awaited<ReturnType<TestBrowser["context"]["newPage"]>>;

declare const capture: typeof import("./capture-page.ts");

/** How much is measured: the published figures, or enough to see that the bench works. */
export interface CaptureSize {
  /** Undefined: all 610 of the public corpus, where it is. */
  readonly pages?: readonly CorpusPage[];
  /** Of the one large page. */
  readonly largeBytes: number;
}

/**
 * Every contestant reads every page in real Chromium, in an order that changes from page to page; then one large page;
 * and the script is weighed. Without a browser or the corpus, which is said, nothing is measured and all is missed.
 */
export async function benchCapture({ pages: given, largeBytes }: CaptureSize): Promise<Outcome> {
  const archive = given === undefined ? sharedFolder("capture/wcxb-dev.tar.xz") : undefined;
  const pages = archive === undefined ? given : await readCorpus(archive);
  const browser = pages === undefined ? undefined : await startBrowser();
  if (pages === undefined || browser === undefined) return NOTHING;
  try {
    const tab = await browser.context.newPage();
    await tab.evaluate(await bundle(join(import.meta.dirname, "capture-page.ts"), "capture"));
    const random = seededRandom(1);
    const outcomes: Read[] = [];
    for (const page of pages) outcomes.push(...(await outcomesOf(tab, page, shuffled(NAMES, random))));
    const large = (await outcomesOf(tab, hugePage(largeBytes), [OURS]))[0]?.milliseconds ?? Number.NaN;
    const groups = [
      ...qualityGroups(outcomes),
      timeGroup(outcomes),
      single(`one page of ${Math.round(largeBytes / 1e6)} MB`, "ms", 0, large),
      single("the script put into a page on a click", "kB gzip", 1, (await scriptBytes()) / 1000),
    ];
    return { groups, missed: [...missedOfPeers(groups, OURS), ...missedOf(groups, CAPTURE_BARS)] };
  } finally {
    await browser.close();
  }
}

async function outcomesOf(tab: Tab, page: CorpusPage, order: readonly string[]) {
  const { html, url } = page;
  const asked = [html, url, order] as const;
  const readings = await tab.evaluate((given) => capture.readWithAll(...given), asked);
  return order.map((name) => {
    const { text = "", milliseconds = Number.NaN } = readings[name] ?? {};
    return { page, name, ...scoreOf(text, page), milliseconds };
  });
}

/** What a contestant made of a page. */
type Read = Awaited<ReturnType<typeof outcomesOf>>[number];

function qualityGroups(outcomes: readonly Read[]): Group[] {
  const kinds = [...new Set(outcomes.map(({ page }) => page.kind))].toSorted();
  const parts: [string, (page: CorpusPage) => boolean][] = [
    ["all pages", () => true],
    ["pages kept back from learning", (page) => page.heldBack],
    ...kinds.map((kind): [string, (page: CorpusPage) => boolean] => [kind, (page) => page.kind === kind]),
    ...kinds.map((kind): [string, (page: CorpusPage) => boolean] => [
      `${kind}, kept back`,
      (page) => page.kind === kind && page.heldBack,
    ]),
  ];
  return parts.map(([name, holds]) => {
    const here = outcomes.filter(({ page }) => holds(page));
    return {
      name: `${name} (${here.length / NAMES.length})`,
      columns: QUALITY,
      rows: rowsOf(here, (own) => ({
        "word F1": mean(own.map(({ words }) => words)),
        "snippet F1": mean(own.flatMap(({ snippets }) => (snippets === undefined ? [] : [snippets]))),
      })),
    };
  });
}

function timeGroup(outcomes: readonly Read[]): Group {
  const rows = rowsOf(outcomes, (own) => {
    const times = own.map(({ milliseconds }) => milliseconds);
    return { "median ms": median(times), "p95 ms": percentile(times, 0.95) };
  });
  return { name: "time per page", columns: TIME, rows: ratiosOf(outcomes, rows, OURS) };
}

function rowsOf(outcomes: readonly Read[], figures: (own: readonly Read[]) => Readonly<Record<string, number>>): Row[] {
  return NAMES.map((name) => ({
    name,
    ours: name === OURS,
    figures: figures(outcomes.filter((one) => one.name === name)),
  }));
}

/** A table of our one figure. */
function single(name: string, title: string, digits: number, figure: number): Group {
  return {
    name,
    columns: columnsOf({ [title]: digits }),
    rows: [{ name: OURS, ours: true, figures: { [title]: figure } }],
  };
}

/** Bytes, compressed, of the extension's capture script with all it needs. */
async function scriptBytes(): Promise<number> {
  // The extension's own tsconfig.json is made by its build; nothing here hangs on it.
  return gzipSync(await bundle(SCRIPT, "capture", { tsconfig: false }), { level: 9 }).length;
}
