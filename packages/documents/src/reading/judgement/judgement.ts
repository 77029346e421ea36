import type { Block } from "../blocks.ts";
import type { Opinion } from "./extractors.ts";
import { ARTICLE, type Evidence, featuresOf, isSentence, smoothed } from "./features.ts";
import { TREES } from "./learned-trees.ts";
import { FIXED } from "../seen/visible-copy.ts";
import { votesOf } from "./votes.ts";

/** From this share of sentences in what would be taken, a page is prose, which extractors are made for. */
const PROSE = 0.5;
/** Of the words that we or Readability would take, the share that both would: from here on, both see the same article. */
const SAME_ARTICLE = 0.6;
/** Documentation that is seen alike; and seen so differently that Readability looked elsewhere. */
const ALIKE = 0.8;
const ASTRAY = 0.3;
/** What the mean of our chance and Readability's vote has to pass in an article too large for Defuddle. */
const MAJORITY = 0.6;
/** Weight of Defuddle's vote on documentation. */
const DEFUDDLE_VOTE = 1 / 3;
/** Part of a block's chance that its neighbours have a say in. */
const NEIGHBOURS = 0.2;
/** Least chance of a heading that goes with the text below it. */
const HEADING = 0.1;
/** What is left of the chance of a bar over the page, and of other products on the page of one. */
const FIXED_ASIDE = 0.2;
const OFFERED = 0.4;

/**
 * The blocks a page is about, in order. Each block gets a probability from all that is known of it: Readability's
 * vote, its links, its place, names around it, equal siblings, what address and JSON-LD say of the page. So many of
 * the likeliest blocks are taken as promise the best balance between what is missed and what is too much, and a
 * heading goes with the text below it.
 *
 * Defuddle, which costs most, is asked on two kinds of prose: on an article that Readability sees too, where a block
 * is taken that two of the three hold for content; and on documentation of which Readability would take another part.
 * Never empty unless the page is.
 */
export function contentOf(blocks: readonly Block[], evidence: Evidence, askDefuddle: () => Opinion): Block[] {
  const { rows, readability, offered, levels, documents } = featuresOf(blocks, evidence);
  const hasFixed = evidence.root.querySelector(`[${FIXED}]`) !== null;
  const alone = Float32Array.from(rows, (row, at) => {
    const over = hasFixed && isFixedAside(blocks[at]) ? FIXED_ASIDE : 1;
    return probability(row) * over * (offered[at] === true ? OFFERED : 1);
  });
  const around = smoothed(blocks, alone);
  const own = alone.map((chance, at) => (1 - NEIGHBOURS) * chance + NEIGHBOURS * (around[at] ?? 0));
  const likely = likeliest(blocks, own);
  const taken = new Set(decided());
  for (let at = blocks.length - 2; at >= 0; at--) {
    if ((levels[at] ?? 0) > 1 && (own[at] ?? 0) > HEADING && taken.has(at + 1)) taken.add(at);
  }
  return blocks.filter((_, at) => taken.has(at));

  function decided(): ReadonlySet<number> {
    const { prose, agreement } = accordOf(blocks, likely, readability);
    if (prose < PROSE || agreement < ASTRAY) return likely;
    const isArticle = evidence.types.some((type) => ARTICLE.test(type));
    if (isArticle && agreement >= SAME_ARTICLE) {
      const chosen = ofArticle(blocks, own, readability, askDefuddle());
      return chosen.size > 0 ? chosen : likely;
    }
    const opinion = documents && agreement < ALIKE ? askDefuddle() : undefined;
    if (opinion === undefined) return likely;
    const votes = votesOf(opinion, blocks);
    const mean = own.map((chance, at) => (1 - DEFUDDLE_VOTE) * chance + DEFUDDLE_VOTE * (votes[at] ?? 0));
    return likeliest(blocks, mean);
  }
}

/** What two of three hold for content; where Defuddle has no opinion, what the mean of the other two passes. */
function ofArticle(
  blocks: readonly Block[],
  own: Float32Array,
  first: Float32Array,
  opinion: Opinion,
): ReadonlySet<number> {
  if (opinion === undefined)
    return above(
      own.map((chance, at) => (chance + (first[at] ?? 0)) / 2),
      MAJORITY,
    );
  const second = votesOf(opinion, blocks);
  return above(
    own.map((chance, at) => middle(chance, first[at] ?? 0, second[at] ?? 0)),
    0.5,
  );
}

const above = (chances: Float32Array, limit: number): Set<number> =>
  new Set([...chances.keys()].filter((at) => (chances[at] ?? 0) > limit));

/** The one of three that lies between the others. */
const middle = (a: number, b: number, c: number): number => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));

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

/** How much of what we would take is in sentences, and how much of what we or Readability would take both would. */
function accordOf(
  blocks: readonly Block[],
  taken: ReadonlySet<number>,
  readability: Float32Array,
): { readonly prose: number; readonly agreement: number } {
  let words = 0;
  let inSentences = 0;
  let both = 0;
  let either = 0;
  for (const [at, block] of blocks.entries()) {
    const count = block.words.length;
    const vote = readability[at] ?? 0;
    const isTaken = taken.has(at);
    either += isTaken ? count : count * vote;
    if (!isTaken) continue;
    words += count;
    both += count * vote;
    if (isSentence(block.text, count)) inSentences += count;
  }
  return { prose: words === 0 ? 0 : inSentences / words, agreement: either === 0 ? 0 : both / either };
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
export function withoutFurniture(blocks: readonly Block[]): readonly Block[] {
  const kept = blocks.filter(({ container }) => {
    const furniture = container.closest(FURNITURE);
    return furniture === null || (furniture.localName === "header" && furniture.closest("main,article") !== null);
  });
  return kept.length > 0 ? kept : blocks;
}
