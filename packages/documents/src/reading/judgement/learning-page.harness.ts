// Put into a page by learned-trees.long.ts: what is known of each block of a page, and how right it is.
import { wordsOf } from "../../text.ts";
import { blocksOf } from "../blocks.ts";
import { readabilityOpinion } from "./extractors.ts";
import { featuresOf } from "./features.ts";
import { declaredBy } from "../json-ld.ts";
import { atOnce, Pace } from "../pace.ts";
import { factsOf } from "../page-facts.ts";
import { VisibleCopy } from "../seen/visible-copy.ts";
import { WordRuns } from "./votes.ts";

/** A page's blocks to learn from. */
export interface Lesson {
  readonly rows: number[][];
  /** How much of each block is in the reference, from 0 to 1. */
  readonly right: number[];
  /** Words of each block. */
  readonly words: number[];
}

/**
 * A page of the corpus as a lesson. `reference` is the text a person found to be its content.
 *
 * @public called in the browser, by its name in the script
 */
export function lessonOf(html: string, url: string, reference: string): Lesson {
  const page = new DOMParser().parseFromString(html, "text/html");
  const base = page.createElement("base");
  base.href = url;
  page.head.prepend(base);
  const declared = declaredBy(page);
  const facts = factsOf(page, declared);
  const limits = { nodes: 200_000, depth: 512, characters: Infinity, milliseconds: Infinity };
  const copy = new VisibleCopy(page, limits, new Pace());
  atOnce(copy.copy());
  const blocks = blocksOf(copy.document.body);
  const { rows } = featuresOf(blocks, {
    root: copy.document.body,
    url,
    readability: readabilityOpinion(copy),
    declared: declared.texts.map(wordsOf),
    title: wordsOf(facts.title),
    types: facts.types,
  });
  const whole = new WordRuns([wordsOf(reference)]);
  const lines = new Set(reference.split("\n").map((line) => wordsOf(line).join(" ")));
  return {
    rows: rows.map((row) => Array.from(row, (value) => Number(value.toFixed(4)))),
    right: blocks.map(({ words }) => rightness(words, whole, lines)),
    words: blocks.map(({ words }) => words.length),
  };
}

/** A word or two may stand anywhere; where they are a line of their own, they are meant. */
function rightness(words: readonly string[], whole: WordRuns, lines: ReadonlySet<string>): number {
  const share = whole.shareOf(words);
  if (words.length >= 3) return share;
  return lines.has(words.join(" ")) ? 1 : share * 1.2;
}
