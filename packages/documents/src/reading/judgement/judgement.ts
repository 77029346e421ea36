import type { Block } from "../blocks.ts";
import { type Evidence, featuresOf, PRODUCT } from "./features.ts";
import { isForum } from "./kind-signs.ts";
import { TREES } from "./learned-trees.ts";
import { type Pace, type Steps, WORD_MS } from "../pace.ts";
import { FIXED } from "../seen/visible-copy.ts";
import { RUN } from "./repeated-runs.ts";
import { runsOf, WordNumbers } from "./word-numbers.ts";

/** Least chance of a heading that goes with the text below it. */
const HEADING = 0.3;
/** Least chance of an entry of a list that goes with the paragraph above it. */
const ENTRY = 0.1;
/** Least chance of a remark that goes with the post it stands in. */
const REMARK = 0.05;
/** What is left of the chance of a bar over the page, and of other products on the page of one. */
const FIXED_ASIDE = 0.2;
const OFFERED = 0.4;
/** From this share of runs of words that came before, a text is the same once more; and how many runs can tell. */
const AGAIN = 0.8;
const MIN_RUNS = 3;

/**
 * The blocks a page is about, in order. Each block gets a probability from all that is known of it: the vote of
 * Readability, its links, its place, names around it, what headings above it say, equal siblings, what
 * address and JSON-LD say of the page. So many of the likeliest blocks are taken as promise the best balance between
 * what is missed and what is too much; a heading goes with the text below it; and what a page brings again, for screens
 * of another width, is taken once. Never empty unless the page is.
 */
export function* contentOf(blocks: readonly Block[], evidence: Evidence, pace: Pace): Steps<Block[]> {
  const { rows, offered, levels } = yield* featuresOf(blocks, evidence, pace);
  const hasFixed = evidence.root.querySelector(`[${FIXED}]`) !== null;
  const chances = new Float32Array(blocks.length);
  for (const [at, row] of rows.entries()) {
    if (pace.isDue()) yield;
    const over = hasFixed && isFixedAside(blocks[at]) ? FIXED_ASIDE : 1;
    chances[at] = probability(row) * over * (offered[at] === true ? OFFERED : 1);
  }
  const taken = likeliest(blocks, chances);
  for (let at = blocks.length - 2; at >= 0; at--) {
    if ((levels[at] ?? 0) > 1 && (chances[at] ?? 0) > HEADING && taken.has(at + 1)) taken.add(at);
  }
  const { types } = evidence;
  if (types.some((type) => PRODUCT.test(type))) takeListsBelow(blocks, taken, chances);
  if (isForum(evidence.url)) takeRemarks(blocks, taken, chances);
  const chosen = blocks.filter((_, at) => taken.has(at));
  return yield* once(chosen, pace);
}

/** Where people answer each other, what is remarked inside of a post goes with the post. */
function takeRemarks(blocks: readonly Block[], taken: Set<number>, chances: Float32Array): void {
  const posts = new Set<Element>();
  for (const [at, { container }] of blocks.entries()) {
    const remarks = container.closest("[class*=comment i]");
    const post = remarks?.parentElement;
    if (!taken.has(at)) {
      if (post != null && posts.has(post) && (chances[at] ?? 0) > REMARK) taken.add(at);
      continue;
    }
    // Replies that are themselves called comments are no posts, or each would stand in another.
    if (remarks !== null) continue;
    for (let one = container.parentElement; one !== null && !posts.has(one); one = one.parentElement) posts.add(one);
  }
}

/** Where a product is described, the list below a paragraph says what it is like: its entries go with the paragraph. */
function takeListsBelow(blocks: readonly Block[], taken: Set<number>, chances: Float32Array): void {
  let paragraph: Element | undefined;
  for (const [at, { container, linked }] of blocks.entries()) {
    if (container.localName !== "li") paragraph = taken.has(at) && container.localName === "p" ? container : undefined;
    else if (linked === 0 && (chances[at] ?? 0) > ENTRY && isBelow(container, paragraph)) taken.add(at);
  }
}

const isBelow = (entry: Element, paragraph: Element | undefined): boolean =>
  paragraph !== undefined && entry.parentElement?.parentElement === paragraph.parentElement;

/** Without blocks that say again what those before them said. One with a word or a figure of its own says more. */
function* once(blocks: readonly Block[], pace: Pace): Steps<Block[]> {
  const said = new Set<number>();
  const numbers = new WordNumbers();
  const kept: Block[] = [];
  for (const block of blocks) {
    const { words, goesOn } = block;
    if (pace.isDue(words.length * WORD_MS)) yield;
    const saysMore = words.some((word) => numbers.known(word) === 0);
    const runs = runsOf(numbers.of(words), RUN);
    const again = runs.filter((run) => said.has(run)).length;
    if (!saysMore && !goesOn && runs.length >= MIN_RUNS && again / runs.length >= AGAIN) continue;
    for (const run of runs) said.add(run);
    kept.push(block);
  }
  return kept;
}

/** The learnt trees' answer: each asks the same question of a whole level, so the answers number the leaf. */
function probability(row: Float32Array): number {
  let sum = 0;
  for (const [splits, leaves] of TREES) {
    let leaf = 0;
    for (const [figure, thousandths] of splits) {
      leaf = leaf * 2 + ((row[figure] ?? 0) * 1000 > thousandths + 0.5 ? 1 : 0);
    }
    sum += leaves[leaf] ?? 0;
  }
  return 1 / (1 + Math.exp(-sum / 100));
}

/** Which of the likeliest blocks make the expected F1 over words greatest. */
function likeliest(blocks: readonly Block[], probabilities: Float32Array): Set<number> {
  const order = blocks
    .map((block, at) => ({ at, words: block.words.length, probability: probabilities[at] ?? 0 }))
    .toSorted((a, b) => b.probability - a.probability);
  const expected = order.reduce((sum, one) => sum + one.words * one.probability, 0);
  let right = 0;
  let taken = 0;
  let best = { score: -1, count: 0 };
  for (const [index, one] of order.entries()) {
    right += one.words * one.probability;
    taken += one.words;
    const score = (2 * right) / (taken + expected || 1);
    if (score > best.score) best = { score, count: index + 1 };
  }
  return new Set(order.slice(0, best.count).map(({ at }) => at));
}

/** A bar or banner over the page; not a dialogue the page opened on purpose. */
function isFixedAside(block: Block | undefined): boolean {
  const fixed = block?.container.closest(`[${FIXED}]`) ?? undefined;
  return (
    fixed !== undefined &&
    fixed.closest("[role=dialog],dialog,main,article") === null &&
    fixed.querySelector("main,article,h1") === null
  );
}

const FURNITURE =
  "nav,footer,aside,form,header,[role=navigation],[role=banner],[role=contentinfo],[role=complementary]";

/** All but what stands around content on most pages. For pages too large to be judged, and as the last resort. */
export function* withoutFurniture(blocks: readonly Block[], pace: Pace): Steps<readonly Block[]> {
  const kept: Block[] = [];
  for (const block of blocks) {
    if (pace.isDue()) yield;
    const furniture = block.container.closest(FURNITURE);
    if (furniture === null || (furniture.localName === "header" && furniture.closest("main,article") !== null)) {
      kept.push(block);
    }
  }
  return kept.length > 0 ? kept : blocks;
}
