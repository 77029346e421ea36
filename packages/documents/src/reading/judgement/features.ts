import type { Block } from "../blocks.ts";
import { isBlank, wordsOf } from "../../text.ts";
import type { Declared } from "../json-ld.ts";
import type { PageFacts } from "../page-facts.ts";
import type { VisibleCopy } from "../seen/visible-copy.ts";
import { type Row, Siblings } from "./siblings.ts";
import { type Region, type Surroundings, SurroundingsFinder } from "./surroundings.ts";
import { kindSigns } from "./kind-signs.ts";
import { isFurniturePhrase, isMoment, TOPICS, topicOf } from "./phrases.ts";
import { repeatedRunsOf } from "./repeated-runs.ts";
import { WordRuns, votesOf } from "./votes.ts";
import type { Opinion } from "./extractors.ts";
import { type Pace, type Steps, WORD_MS } from "../pace.ts";

/** What is known of a page beside its blocks. */
export interface Evidence {
  readonly root: Element;
  /** Address of the page. */
  readonly url: string;
  readonly readability: Opinion;
  /** Texts that the page's JSON-LD calls the body of an article. */
  readonly bodies: readonly (readonly string[])[];
  /** Texts that the page's JSON-LD holds: article bodies, names, descriptions. */
  readonly declared: readonly (readonly string[])[];
  /** Words of the page's title. */
  readonly title: readonly string[];
  /** `@type`s of JSON-LD and `og:type`, in lower case. */
  readonly types: readonly string[];
}

/** What is known of a page that was copied, with Readability's opinion. */
export function evidenceOf(
  { document }: Pick<VisibleCopy, "document">,
  url: string,
  declared: Declared,
  facts: PageFacts,
  readability: Opinion,
): Evidence {
  return {
    root: document.body,
    url,
    readability,
    declared: declared.texts.map(wordsOf),
    bodies: declared.bodies.map(wordsOf),
    title: wordsOf(facts.title),
    types: facts.types,
  };
}

const near = (distance: number): number => (distance === Infinity ? 0 : 1 / (1 + distance));
const flag = (value: boolean): number => (value ? 1 : 0);
const size = (count: number): number => Math.log1p(count) / 5;

/** Types of pages of products. */
export const PRODUCT = /product|offer/;
const ARTICLE = /article|posting|blog|report/;

/** What is known of each block of a page. */
export interface Features {
  /** A row of figures per block. */
  readonly rows: readonly Float32Array[];
  /** Which blocks stand among other products on the page of one. */
  readonly offered: readonly boolean[];
  /** Of the heading each block is in, from 1 to 6; 0: none. */
  readonly levels: readonly number[];
}

/**
 * One row of figures per block, each about from 0 to 1. Order and meaning belong to the weights: the trees were learnt with these.
 */
export function* featuresOf(blocks: readonly Block[], evidence: Evidence, pace: Pace): Steps<Features> {
  const around = new SurroundingsFinder();
  const votes = yield* votesOf(evidence.readability, blocks, pace);
  const siblings = yield* Siblings.of(blocks, evidence.root, around, votes, pace);
  const declared = evidence.declared.length === 0 ? undefined : yield* WordRuns.of(evidence.declared, pace);
  const bodies = evidence.bodies.length === 0 ? undefined : yield* WordRuns.of(evidence.bodies, pace);
  const title = new WordRuns([evidence.title]);
  const repeated = yield* repeatedRunsOf(blocks, pace);
  const { total, page } = yield* pageFigures(blocks, evidence, around, votes, pace);
  const counts = timesOf(blocks);
  const [first, last] = spanOf(votes);
  const firstHeading = blocks.findIndex(({ container }) => around.of(container).level === 1);
  const sizes = Float32Array.from(blocks, ({ words }) => Math.sqrt(words.length));
  const smoothVotes = smoothed(sizes, votes);
  const smoothLinks = smoothed(
    sizes,
    Float32Array.from(blocks, ({ linked }) => linked),
  );
  let before = 0;
  const topics = yield* topicsOf(blocks, around, pace);
  const rows: Float32Array[] = [];
  for (const [at, block] of blocks.entries()) {
    if (pace.isDue(block.words.length * WORD_MS)) yield;
    const { container, words, text, linked } = block;
    const where = around.of(container);
    const { level } = where;
    const count = words.length;
    const previous = blocks[at - 1];
    const next = blocks[at + 1];
    const vote = votes[at] ?? 0;
    const values = [
      vote,
      smoothVotes[at] ?? 0,
      flag(at >= first && at <= last),
      ...siblings.densitiesAround(container),
      size(count),
      linked,
      smoothLinks[at] ?? 0,
      linked * size(count),
      ...textFigures(text, count),
      flag((counts.get(text) ?? 1) > 1),
      flag(level === 1),
      flag(level === 2),
      flag(level > 2),
      level === 0 ? 0 : title.shareOf(words),
      ...elementFigures(container.localName),
      flag(where.regions.has("button") || isButton(block)),
      ...placeFigures(where),
      ...rowFigures(siblings.rowOf(container), total),
      at / blocks.length,
      before / total,
      firstHeading === -1 ? 0.5 : flag(at >= firstHeading),
      firstHeading === -1 ? 0 : Math.max(-1, Math.min(1, (at - firstHeading) / 30)),
      size(previous?.words.length ?? 0),
      size(next?.words.length ?? 0),
      previous?.linked ?? 1,
      next?.linked ?? 1,
      votes[at + 1] ?? 0,
      votes[at - 1] ?? 0,
      declared?.shareOf(words) ?? 0,
      bodies?.shareOf(words) ?? 0,
      flag(bodies !== undefined),
      repeated.before[at] ?? 0,
      repeated.after[at] ?? 0,
      ...(topics[at] ?? []),
      flag(isMoment(text)),
      near(where.comment) * (1 - vote),
      ...page,
    ];
    before += count;
    rows.push(new Float32Array(values));
  }
  const isProduct = hasType(evidence, PRODUCT) === 1;
  return {
    rows,
    offered: blocks.map(({ container }) => isProduct && around.of(container).related < Infinity),
    levels: blocks.map(({ container }) => around.of(container).level),
  };
}

/** How often each text stands on the page. */
function timesOf(blocks: readonly Block[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { text } of blocks) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
}

/** From the first block that Readability is sure of to the last. */
const spanOf = (votes: Float32Array): [first: number, last: number] => [
  votes.findIndex((vote) => vote > 0.8),
  votes.findLastIndex((vote) => vote > 0.8),
];

/** What is known of a page as a whole: a row of figures, and how many words it has. */
function* pageFigures(
  blocks: readonly Block[],
  evidence: Evidence,
  around: SurroundingsFinder,
  votes: Float32Array,
  pace: Pace,
): Steps<{ page: number[]; total: number }> {
  const total = blocks.reduce((sum, { words }) => sum + words.length, 0) || 1;
  const share = (of: (block: Block, at: number) => number): number =>
    blocks.reduce((sum, block, at) => sum + block.words.length * of(block, at), 0) / total;
  if (pace.isDue(total * WORD_MS)) yield;
  const inCode = share(({ container }) => flag(around.of(container).regions.has("code")));
  const page = [
    share((_, at) => votes[at] ?? 0),
    size(total) / 2,
    share(({ linked }) => linked),
    share(({ text, words }) => flag(isSentence(text, words.length))),
    hasType(evidence, ARTICLE),
    hasType(evidence, PRODUCT),
    hasType(evidence, /forum|discussion|question|qapage/),
    hasType(evidence, /collection|itemlist|listing|search/),
    flag(evidence.readability === undefined),
    inCode,
    ...headingFigures(blocks, around),
    ...kindSigns(evidence.url).map(flag),
  ];
  if (pace.isDue(total * WORD_MS)) yield;
  return { page, total };
}

const hasType = ({ types }: Evidence, pattern: RegExp): number => flag(types.some((type) => pattern.test(type)));

/**
 * What the heading above each block says that it is about, and what any heading above has said since the page began: a
 * flag for each topic.
 */
function* topicsOf(blocks: readonly Block[], around: SurroundingsFinder, pace: Pace): Steps<number[][]> {
  const last = new Map<string, number>();
  let current: string | undefined;
  const found: number[][] = [];
  for (const [at, { container, text, words }] of blocks.entries()) {
    if (pace.isDue()) yield;
    const isHeading = around.of(container).level > 0;
    const topic = words.length <= 8 ? topicOf(text) : undefined;
    if (isHeading) current = topic;
    if (topic !== undefined && !last.has(topic)) last.set(topic, at);
    found.push(
      TOPICS.flatMap((one) => [
        flag(current === one || topic === one),
        last.has(one) ? near((at - (last.get(one) ?? 0)) / 10) : 0,
      ]),
    );
  }
  return found;
}

/** How many headings a page has, and how many of them can be linked to. */
function headingFigures(blocks: readonly Block[], around: SurroundingsFinder): number[] {
  const headings = blocks.filter(({ container }) => around.of(container).level > 0);
  const anchored = headings.filter(({ container }) => around.of(container).anchored);
  return [size(headings.length) / 2, anchored.length / (headings.length || 1)];
}

/** How a text of so many words is written. */
function textFigures(text: string, words: number): number[] {
  let [commas, digits] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) digits++;
    else if (code === 0x2c || code === 0x3b || code === 0xff0c || code === 0x3001) commas++;
  }
  return [
    flag(isSentence(text, words)),
    flag(/[.!?。！？…:]["'”’)]*$/.test(text)),
    Math.min(1, commas / 5),
    digits / text.length,
    flag(/[$€£¥₹]\s?\d|\d\s?[$€£¥₹]/.test(text)),
    flag(/\p{Lu}{2}/u.test(text) && text === text.toUpperCase()),
    flag(words < 12 && isFurniturePhrase(text)),
  ];
}

function elementFigures(name: string): number[] {
  return [["p"], ["li"], ["td", "th"], ["dt", "dd"], ["a"], ["div"]].map((names) => flag(names.includes(name)));
}

/** The row of equal siblings that a block stands in. */
function rowFigures(row: Row | undefined, total: number): number[] {
  if (row === undefined) return [0, 0, 0, 0, 0];
  const { entries, words, linked, headings } = row;
  return [size(entries), words / total, linked / words, size(words / entries), headings / entries];
}

function placeFigures(where: Surroundings): number[] {
  const isIn = (region: Region) => where.regions.has(region);
  const isInContent = isIn("main") || isIn("article");
  return [
    flag(isIn("navigation")),
    flag(isIn("header") && !isInContent),
    flag(isIn("header") && isInContent),
    flag(isIn("footer") && !isInContent),
    flag(isIn("footer") && isInContent),
    ...WITHIN.map((region) => flag(isIn(region))),
    ...DISTANCES.map((name) => near(where[name])),
    flag(where.furniture < Infinity),
    flag(where.related < Infinity),
    flag(where.comment < Infinity),
    flag(where.content < where.furniture),
    flag(where.anchored),
    flag(isIn("caption")),
    Math.min(1, where.depth / 30),
  ];
}

const WITHIN = ["aside", "form", "dialog", "main", "article", "list", "table", "code", "figure", "quote"] as const;
const DISTANCES = [
  "furniture",
  "content",
  "comment",
  "related",
  "declared",
  "byline",
  "filter",
  "review",
  "specification",
  "figure",
  "card",
  "body",
] as const;

function isButton({ nodes }: Block): boolean {
  return nodes.every((node) => isBlank(node.textContent ?? "") || (node as Element).localName === "button");
}

/** Whether a text of so many words reads as prose. */
const isSentence = (text: string, words: number): boolean => words >= 8 && /[.!?。！？]/.test(text);

/** Mean over four blocks to each side, weighted by their sizes and nearness. */
function smoothed(sizes: Float32Array, values: Float32Array): Float32Array {
  const means = new Float32Array(values.length);
  for (let at = 0; at < values.length; at++) {
    let sum = 0;
    let weights = 0;
    for (let other = Math.max(0, at - 4); other <= Math.min(values.length - 1, at + 4); other++) {
      if (other === at) continue;
      const weight = (sizes[other] ?? 0) / Math.abs(other - at);
      sum += weight * (values[other] ?? 0);
      weights += weight;
    }
    means[at] = weights === 0 ? 0 : sum / weights;
  }
  return means;
}
