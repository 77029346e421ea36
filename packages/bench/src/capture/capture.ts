import { join } from "node:path";
import { mean, seededRandom, sharedFolder } from "@threadlore/testkit";
import { startBrowser, type TestBrowser } from "@threadlore/testkit/browser";
import { build } from "rolldown";
import { missedOf } from "../bars.ts";
import { CAPTURE_BARS, missedOfPeers, ratiosOf } from "./capture-bars.ts";
import { type CorpusPage, hugePage, readCorpus } from "./capture-corpus.ts";
import type { Reading } from "./capture-page.ts";
import { scoreOf } from "./capture-score.ts";
import { scriptSize } from "./capture-size.ts";
import { median, shuffled } from "../measure.ts";
import { percentile } from "../relay/relay.ts";
import type { Column, Group, Row } from "../report.ts";

/** The contestants, by the names `capture-page.ts` knows them by. */
const NAMES = ["Readability", "Defuddle", "threadlore"];
const OURS = "threadlore";

const QUALITY: readonly Column[] = [
  { title: "word F1", digits: 3 },
  { title: "snippet F1", digits: 3 },
];
const TIME: readonly Column[] = [
  { title: "median ms", digits: 0 },
  { title: "p95 ms", digits: 0 },
];

type Tab = Awaited<ReturnType<TestBrowser["context"]["newPage"]>>;

declare const capture: typeof import("./capture-page.ts");

interface Outcome {
  readonly page: CorpusPage;
  readonly name: string;
  readonly words: number;
  readonly snippets: number | undefined;
  readonly milliseconds: number;
}

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
export async function benchCapture({
  pages = corpus(),
  largeBytes,
}: CaptureSize): Promise<{ groups: Group[]; missed: string[] }> {
  const browser = pages === undefined ? undefined : await startBrowser();
  if (pages === undefined || browser === undefined) return { groups: [], missed: ["nothing was measured."] };
  try {
    const tab = await browser.context.newPage();
    await tab.evaluate((await pageScript()).replace(/^var capture/, "globalThis.capture"));
    const random = seededRandom(1);
    const outcomes: Outcome[] = [];
    for (const page of pages) outcomes.push(...(await outcomesOf(tab, page, shuffled(NAMES, random))));
    const large = (await outcomesOf(tab, hugePage(largeBytes), [OURS]))[0]?.milliseconds ?? Number.NaN;
    const groups = [...qualityGroups(outcomes), timeGroup(outcomes), largeGroup(largeBytes, large), await sizeGroup()];
    return { groups, missed: [...missedOfPeers(groups, OURS), ...missedOf(groups, CAPTURE_BARS)] };
  } finally {
    await browser.close();
  }
}

function corpus(): CorpusPage[] | undefined {
  const archive = sharedFolder("capture/wcxb-dev.tar.xz");
  return archive === undefined ? undefined : readCorpus(archive);
}

async function pageScript(): Promise<string> {
  const { output } = await build({
    input: join(import.meta.dirname, "capture-page.ts"),
    platform: "browser",
    write: false,
    output: { format: "iife", name: "capture", minify: true },
  });
  return output[0].code;
}

async function outcomesOf(tab: Tab, page: CorpusPage, order: readonly string[]): Promise<Outcome[]> {
  const { html, url } = page;
  const readings = await tab.evaluate((asked) => capture.readWithAll(asked.html, asked.url, asked.order), {
    html,
    url,
    order,
  });
  return order.map((name) => outcomeOf(page, name, readings[name]));
}

function outcomeOf(page: CorpusPage, name: string, reading: Reading | undefined): Outcome {
  return { page, name, ...scoreOf(reading?.text ?? "", page), milliseconds: reading?.milliseconds ?? Number.NaN };
}

function qualityGroups(outcomes: readonly Outcome[]): Group[] {
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

function timeGroup(outcomes: readonly Outcome[]): Group {
  const rows = rowsOf(outcomes, (own) => {
    const times = own.map(({ milliseconds }) => milliseconds);
    return { "median ms": median(times), "p95 ms": percentile(times, 0.95) };
  });
  return {
    name: "time per page",
    columns: [...TIME, { title: "times both extractors", digits: 2 }],
    rows: ratiosOf(outcomes, rows, OURS),
  };
}

function rowsOf(
  outcomes: readonly Outcome[],
  figures: (own: readonly Outcome[]) => Readonly<Record<string, number>>,
): Row[] {
  return NAMES.map((name) => ({
    name,
    ours: name === OURS,
    figures: figures(outcomes.filter((one) => one.name === name)),
  }));
}

function largeGroup(bytes: number, milliseconds: number): Group {
  return {
    name: `one page of ${Math.round(bytes / 1e6)} MB`,
    columns: [{ title: "ms", digits: 0 }],
    rows: [{ name: OURS, ours: true, figures: { ms: milliseconds } }],
  };
}

async function sizeGroup(): Promise<Group> {
  const bytes = await scriptSize();
  return {
    name: "the script put into a page on a click",
    columns: [{ title: "kB gzip", digits: 1 }],
    rows: [{ name: OURS, ours: true, figures: { "kB gzip": bytes / 1000 } }],
  };
}
