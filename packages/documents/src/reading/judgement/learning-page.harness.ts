// Put into a page by learned-trees.long.ts: what is known of each block of a page, and how right it is.
import defuddle, { type DefuddleOptions } from "defuddle";
import { wordsOf } from "../../text.ts";
import { type Block, blocksOf } from "../blocks.ts";
import { type Asked, isAsked, type Opinion, readabilityOpinion, wordsIn } from "./extractors.ts";
import { evidenceOf, featuresOf } from "./features.ts";
import { declaredBy } from "../json-ld.ts";
import { atOnce, Pace } from "../pace.ts";
import { factsOf } from "../page-facts.ts";
import { VisibleCopy } from "../seen/visible-copy.ts";
import { votesOf, WordRuns } from "./votes.ts";

/** The package is CommonJS and exports the class itself; its types speak of a default export, which is not there. */
const Defuddle = defuddle as unknown as new (
  document: Document,
  options: DefuddleOptions,
) => { parse(): { content?: string } };

/** A page's blocks to learn from. */
export interface Lesson {
  readonly rows: number[][];
  /** How much of each block is content, from 0 to 1. */
  readonly right: number[];
  /** How sure that is, from 0 to 1; 0: nothing is known of the block. */
  readonly sure: number[];
  /** Words of each block. */
  readonly words: number[];
}

/** What a person found out about a page: the text of its content, or some strings that belong to it and some that do not. */
export type Known =
  | { readonly content: string }
  | { readonly with: readonly string[]; readonly without: readonly string[] };

/**
 * A page of a corpus as a lesson.
 *
 * @public called in the browser, by its name in the script
 */
export function lessonOf(html: string, url: string, known: Known): Lesson {
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
  const readability = readabilityOpinion(copy);
  const evidence = evidenceOf(copy, url, declared, facts, readability);
  const { rows } = atOnce(featuresOf(blocks, evidence, new Pace()));
  const judged =
    "content" in known
      ? byContent(blocks, known.content)
      : bySnippets(blocks, known, [readability, defuddleOpinion(copy, url)]);
  return {
    rows: rows.map((row) => Array.from(row, (value) => Number(value.toFixed(4)))),
    right: judged.map(([right]) => right),
    sure: judged.map(([, sure]) => sure),
    words: blocks.map(({ words }) => words.length),
  };
}

/** Defuddle's opinion, as of its own: it helps to tell what of a page is nobody's content, and is asked for nothing else. */
function defuddleOpinion(copy: Asked, url: string): Opinion {
  if (!isAsked(copy)) return undefined;
  try {
    const own = copy.document.cloneNode(true) as Document;
    const { content } = new Defuddle(own, { url, useAsync: false }).parse();
    return wordsIn(new DOMParser().parseFromString(content ?? "", "text/html").body);
  } catch {
    return undefined;
  }
}

type Judged = readonly [right: number, sure: number];

function byContent(blocks: readonly Block[], content: string): Judged[] {
  const whole = new WordRuns([wordsOf(content)]);
  const lines = new Set(content.split("\n").map((line) => wordsOf(line).join(" ")));
  return blocks.map(({ words }) => [rightness(words, whole, lines), 1]);
}

/** A word or two may stand anywhere; where they are a line of their own, they are meant. */
function rightness(words: readonly string[], whole: WordRuns, lines: ReadonlySet<string>): number {
  const share = whole.shareOf(words);
  if (words.length >= 3) return share;
  return lines.has(words.join(" ")) ? 1 : share * 1.2;
}

/**
 * Blocks that hold a string are known. Paragraphs beside those that belong to the content are likely to belong to it,
 * too; what neither extractor would take is likely not to; of all others nothing is known.
 */
function bySnippets(
  blocks: readonly Block[],
  known: Extract<Known, { with: unknown }>,
  opinions: readonly Opinion[],
): Judged[] {
  const [belonging, strange] = [known.with, known.without].map((snippets) =>
    snippets.map((snippet) => ` ${wordsOf(snippet).join(" ")} `).filter((words) => words.trim() !== ""),
  );
  const [first, second] = opinions.map((opinion) => atOnce(votesOf(opinion, blocks, new Pace())));
  const says = ({ words }: Block, snippets: readonly string[] = []) =>
    snippets.some((snippet) => ` ${words.join(" ")} `.includes(snippet));
  const sides = blocks.map((block) => Number(says(block, belonging)) - Number(says(block, strange)));
  const beside = new Set(blocks.filter((_, at) => sides[at] === 1).map(({ container }) => container.parentElement));
  return blocks.map(({ container }, at) => {
    if (sides[at] !== 0) return [sides[at] === 1 ? 1 : 0, 1];
    if (container.localName === "p" && beside.has(container.parentElement)) return [0.97, 0.5];
    return (first?.[at] ?? 0) < 0.1 && (second?.[at] ?? 0) < 0.1 ? [0.02, 0.5] : [0, 0];
  });
}
