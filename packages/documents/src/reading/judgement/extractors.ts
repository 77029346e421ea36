// oxlint-disable-next-line typescript/triple-slash-reference -- it declares what only this file imports
/// <reference path="./readability.d.ts" />
import Readability from "@mozilla/readability/Readability.js";
import { blocksOf } from "../blocks.ts";
import type { VisibleCopy } from "../seen/visible-copy.ts";

/** What an extractor holds for the content of a page: the words of its blocks in order. Undefined: it found nothing. */
export type Opinion = readonly (readonly string[])[] | undefined;

/** What an extractor is given of a page. */
export type Asked = Pick<VisibleCopy, "document" | "nodes" | "characters" | "deepest">;

/**
 * Nodes up to which Readability is asked, and characters: it takes longer the more there are, and does not give way to
 * the page meanwhile. So many are a fifth of a second of a quiet machine.
 */
const ASKED_NODES = 20_000;
const ASKED_CHARACTERS = 300_000;
/** It grows with the square of the depth: a nest of 512 costs half a minute. Pages people write stay below 60. */
const ASKED_DEPTH = 100;

/**
 * Fewest characters that Readability is content with; else it starts again, up to three times, each more lenient. A
 * page of many nodes is too slow for that.
 */
const ENOUGH = 200;
const ONCE_NODES = 4_000;

/** Whether a page is small and shallow enough for an extractor. */
export const isAsked = ({ nodes, characters, deepest }: Asked): boolean =>
  nodes <= ASKED_NODES && characters <= ASKED_CHARACTERS && deepest <= ASKED_DEPTH;

/** Readability's opinion, unless the page is too large or too deep. It works on a copy. */
export function readabilityOpinion(copy: Asked): Opinion {
  if (!isAsked(copy)) return undefined;
  const { document, nodes } = copy;
  try {
    const article = new Readability<Element>(document.cloneNode(true) as Document, {
      serializer: (node) => node as Element,
      charThreshold: nodes > ONCE_NODES ? 1 : ENOUGH,
      disableJSONLD: true,
    }).parse();
    return article?.content == null ? undefined : wordsIn(article.content);
  } catch {
    return undefined;
  }
}

/** The words of the blocks in what an extractor found. */
export function wordsIn(content: Element): Opinion {
  const blocks = blocksOf(content).map(({ words }) => words);
  return blocks.length === 0 ? undefined : blocks;
}
