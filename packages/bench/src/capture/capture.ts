import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { seededRandom, sharedFolder } from "@threadlore/testkit";
import { startBrowser, type TestBrowser } from "@threadlore/testkit/browser";
import { type Bar, missedOf } from "../bars.ts";
import { bundle } from "../bundle.ts";
import { BIG_PAGES, longestHold } from "./big-page.ts";
import { type CorpusPage, hugePage, readCorpus, SETS } from "./capture-corpus.ts";
import { missedOfPeers, NAMES, OURS, type PageOutcome, qualityGroups, timeGroups } from "./capture-groups.ts";
import { scoreOf } from "./capture-score.ts";
import { shuffled } from "../measure.ts";
import { columnsOf, type Group, NOTHING, type Outcome } from "../report.ts";

const WAITS = "longest that a page waits for its own work while it is read";

/** What reading a page may take and weigh. Milliseconds are of a quiet machine. */
const BARS: readonly Bar[] = [
  { group: "time per page", row: OURS, column: "median ms", most: 60 },
  { group: "time per page", row: OURS, column: "p95 ms", most: 150 },
  { group: "time per page", row: OURS, column: "times both extractors", most: 1.1 },
  { group: "one page of", row: OURS, column: "ms", most: 3_000 },
  ...Object.keys(BIG_PAGES).map((row) => ({ group: WAITS, row, column: "ms", most: 200 })),
  { group: "the script", row: OURS, column: "kB gzip", most: 105 },
];

/** The extension's capture script. */
const SCRIPT = fileURLToPath(new URL("../../../../extension/entrypoints/read-page.ts", import.meta.url));

type Tab = Awaited<ReturnType<TestBrowser["context"]["newPage"]>>;

declare const capture: typeof import("./capture-page.ts");

/** How much is measured: the published figures, or enough to see that the bench works. */
interface CaptureSize {
  /** Undefined: all 1,350 of the three public sets, where they are. */
  readonly pages?: readonly CorpusPage[];
  /** Of the one large page. */
  readonly largeBytes: number;
  /** How large those pages are whose waits are measured, of the size that is named; default 1. */
  readonly share?: number;
}

/**
 * Every contestant reads every page in real Chromium, in an order that changes from page to page; then large pages; and
 * the script is weighed. Without a browser or the corpus, which is said, nothing is measured and all is missed.
 */
export async function benchCapture({ pages: given, largeBytes, share = 1 }: CaptureSize): Promise<Outcome> {
  const pages = given ?? (await publicPages());
  const browser = pages === undefined ? undefined : await startBrowser();
  if (pages === undefined || browser === undefined) return NOTHING;
  try {
    const tab = await browser.context.newPage();
    await tab.evaluate(await bundle(join(import.meta.dirname, "capture-page.ts"), "capture"));
    const random = seededRandom(1);
    const outcomes: PageOutcome[] = [];
    for (const page of pages) outcomes.push(...(await outcomesOf(tab, page, shuffled(NAMES, random))));
    const large = (await outcomesOf(tab, hugePage(largeBytes), [OURS]))[0]?.milliseconds ?? Number.NaN;
    const groups = [
      ...qualityGroups(outcomes),
      ...timeGroups(outcomes),
      single(`one page of ${Math.round(largeBytes / 1e6)} MB`, "ms", 0, large),
      await waitsGroup(browser, share),
      single("the script put into a page on a click", "kB gzip", 1, (await scriptBytes()) / 1000),
    ];
    return { groups, missed: [...missedOfPeers(groups), ...missedOf(groups, BARS)] };
  } finally {
    await browser.close();
  }
}

/** Undefined: one of the sets is not beside this clone, which is said. */
async function publicPages(): Promise<CorpusPage[] | undefined> {
  const pages: CorpusPage[] = [];
  for (const name of Object.keys(SETS)) {
    const archive = sharedFolder(`capture/${name}.tar.xz`);
    if (archive === undefined) return undefined;
    pages.push(...(await readCorpus(archive, name)));
  }
  return pages;
}

async function outcomesOf(tab: Tab, page: CorpusPage, order: readonly string[]): Promise<PageOutcome[]> {
  const { html, url } = page;
  const asked = [html, url, order] as const;
  const readings = await tab.evaluate((told) => capture.readWithAll(...told), asked);
  return order.map((name) => {
    const { text = "", milliseconds = Number.NaN } = readings[name] ?? {};
    return { page, name, ...scoreOf(text, page), milliseconds };
  });
}

async function waitsGroup(browser: TestBrowser, share: number): Promise<Group> {
  const rows: Group["rows"][number][] = [];
  for (const [name, body] of Object.entries(BIG_PAGES)) {
    rows.push({ name, ours: true, figures: { ms: await longestHold(browser, body(share)) } });
  }
  return { name: WAITS, columns: columnsOf({ ms: 0 }), rows };
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
