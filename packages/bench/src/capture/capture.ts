import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { mean, seededRandom, sharedFolder } from "@threadlore/testkit";
import { leanDefuddle } from "@threadlore/documents/bundling";
import { startBrowser, type TestBrowser } from "@threadlore/testkit/browser";
import { type Bar, missedOf } from "../bars.ts";
import { bundle } from "../bundle.ts";
import { longestHold } from "./big-page.ts";
import { type CorpusPage, hugePage, readCorpus } from "./capture-corpus.ts";
import { scoreOf } from "./capture-score.ts";
import { median, percentile, shuffled } from "../measure.ts";
import { columnsOf, type Group, NOTHING, type Outcome, type Row } from "../report.ts";

/** The contestants, by the names `capture-page.ts` knows them by. */
const NAMES = ["Readability", "Defuddle", "threadlore"];
const OURS = "threadlore";

const QUALITY = columnsOf({ "word F1": 3, "snippet F1": 3 });
const TIME = columnsOf({ "median ms": 0, "p95 ms": 0, "times both extractors": 2 });

/** What reading a page may take and weigh. Milliseconds are of a quiet machine. */
const BARS: readonly Bar[] = [
  { group: "time per page", row: OURS, column: "median ms", most: 60 },
  { group: "time per page", row: OURS, column: "p95 ms", most: 150 },
  { group: "time per page", row: OURS, column: "times both extractors", most: 1.1 },
  { group: "one page of", row: OURS, column: "ms", most: 3_000 },
  { group: "rows waits", row: OURS, column: "ms", most: 200 },
  { group: "the script", row: OURS, column: "kB gzip", most: 105 },
];

/** The extension's capture script. */
const SCRIPT = fileURLToPath(new URL("../../../../extension/entrypoints/read-page.ts", import.meta.url));

/** How the extension bundles it. */
const SHIPPED = { plugins: [leanDefuddle()] };

type Tab = Awaited<ReturnType<TestBrowser["context"]["newPage"]>>;

declare const capture: typeof import("./capture-page.ts");

/** How much is measured: the published figures, or enough to see that the bench works. */
export interface CaptureSize {
  /** Undefined: all 610 of the public corpus, where it is. */
  readonly pages?: readonly CorpusPage[];
  /** Of the one large page. */
  readonly largeBytes: number;
  /** Of the one large table; default 30,000. */
  readonly largeRows?: number;
}

/**
 * Every contestant reads every page in real Chromium, in an order that changes from page to page; then one large page;
 * and the script is weighed. Without a browser or the corpus, which is said, nothing is measured and all is missed.
 */
export async function benchCapture({ pages: given, largeBytes, largeRows = 30_000 }: CaptureSize): Promise<Outcome> {
  const archive = given === undefined ? sharedFolder("capture/wcxb-dev.tar.xz") : undefined;
  const pages = archive === undefined ? given : await readCorpus(archive);
  const browser = pages === undefined ? undefined : await startBrowser();
  if (pages === undefined || browser === undefined) return NOTHING;
  try {
    const tab = await browser.context.newPage();
    await tab.evaluate(await bundle(join(import.meta.dirname, "capture-page.ts"), "capture", SHIPPED));
    const random = seededRandom(1);
    const outcomes: Read[] = [];
    for (const page of pages) outcomes.push(...(await outcomesOf(tab, page, shuffled(NAMES, random))));
    const large = (await outcomesOf(tab, hugePage(largeBytes), [OURS]))[0]?.milliseconds ?? Number.NaN;
    const held = await longestHold(browser, largeRows);
    const groups = [
      ...qualityGroups(outcomes),
      timeGroup(outcomes),
      single(`one page of ${Math.round(largeBytes / 1e6)} MB`, "ms", 0, large),
      single(`a page of ${largeRows} rows waits`, "ms", 0, held),
      single("the script put into a page on a click", "kB gzip", 1, (await scriptBytes()) / 1000),
    ];
    return { groups, missed: [...missedOfPeers(groups, OURS), ...missedOf(groups, BARS)] };
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
  return gzipSync(await bundle(SCRIPT, "capture", { ...SHIPPED, tsconfig: false }), { level: 9 }).length;
}

/** Kinds and averages of all pages where a peer is as good. Of the pages kept back only the average is held to it. */
export function missedOfPeers(groups: readonly Group[], ours: string): string[] {
  return groups
    .filter(({ name, rows }) => !name.includes(", kept back") && rows.some(({ figures }) => "word F1" in figures))
    .flatMap(({ name, rows }) => {
      const own = rows.find((row) => row.name === ours)?.figures["word F1"] ?? Number.NaN;
      return rows
        .filter((row) => row.name !== ours && !(own > (row.figures["word F1"] ?? Number.NaN)))
        .map((row) => `${name}: word F1 is not above that of ${row.name}.`);
    });
}

/** Adds to our row the median, over the pages, of our time as a share of the time the others took together. */
export function ratiosOf(
  outcomes: readonly (Pick<Read, "name" | "milliseconds"> & { readonly page: { readonly id: string } })[],
  rows: readonly Row[],
  ours: string,
): Row[] {
  const own = new Map<string, number>();
  const others = new Map<string, number>();
  for (const { page, name, milliseconds } of outcomes) {
    const times = name === ours ? own : others;
    times.set(page.id, (times.get(page.id) ?? 0) + milliseconds);
  }
  const ratio = median([...own].map(([id, time]) => time / (others.get(id) ?? Number.NaN)));
  return rows.map((row) => (row.ours ? { ...row, figures: { ...row.figures, "times both extractors": ratio } } : row));
}
