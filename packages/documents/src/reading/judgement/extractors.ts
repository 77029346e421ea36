// oxlint-disable-next-line typescript/triple-slash-reference -- it declares what only this file imports
/// <reference path="./readability.d.ts" />
import Readability from "@mozilla/readability/Readability.js";
import defuddle, { type DefuddleOptions } from "defuddle";
import { blocksOf } from "../blocks.ts";
import type { VisibleCopy } from "../seen/visible-copy.ts";

/** The package is CommonJS and exports the class itself; its types speak of a default export, which is not there. */
const Defuddle = defuddle as unknown as new (
  document: Document,
  options: DefuddleOptions,
) => { parse(): { content?: string } };

/** What an extractor holds for the content of a page: the words of its blocks in order. Undefined: it found nothing. */
export type Opinion = readonly (readonly string[])[] | undefined;

/** What an extractor is given of a page. */
type Asked = Pick<VisibleCopy, "document" | "nodes" | "characters" | "deepest">;

/**
 * Nodes up to which each extractor is asked, and characters: both take longer the more there are, Defuddle more so, and
 * neither gives way to the page meanwhile. So many are a fifth of a second of a quiet machine.
 */
const READABILITY_NODES = 20_000;
const DEFUDDLE_NODES = 6_000;
const ASKED_CHARACTERS = 300_000;
/** Both grow with the square of the depth: a nest of 512 costs half a minute. Pages people write stay below 60. */
const ASKED_DEPTH = 100;

/**
 * Fewest characters that Readability is content with; else it starts again, up to three times, each more lenient. A
 * page of many nodes is too slow for that.
 */
const ENOUGH = 200;
const ONCE_NODES = 4_000;

const isAsked = ({ nodes, characters, deepest }: Asked, most: number): boolean =>
  nodes <= most && characters <= ASKED_CHARACTERS && deepest <= ASKED_DEPTH;

/** Readability's opinion, unless the page is too large or too deep. It works on a copy. */
export function readabilityOpinion(copy: Asked): Opinion {
  if (!isAsked(copy, READABILITY_NODES)) return undefined;
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

/** Defuddle's opinion, unless the page is too large or too deep. It works on a copy, and asks no server for more. */
export function defuddleOpinion(copy: Asked, url: string): Opinion {
  if (!isAsked(copy, DEFUDDLE_NODES)) return undefined;
  try {
    const own = copy.document.cloneNode(true) as Document;
    const { content } = new Defuddle(own, { url, useAsync: false }).parse();
    const parsed = new DOMParser().parseFromString(content ?? "", "text/html");
    return wordsIn(parsed.body);
  } catch {
    return undefined;
  }
}

function wordsIn(content: Element): Opinion {
  const blocks = blocksOf(content).map(({ words }) => words);
  return blocks.length === 0 ? undefined : blocks;
}
