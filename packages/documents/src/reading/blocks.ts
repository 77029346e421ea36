import { OWN_LINE } from "./seen/visible-copy.ts";
import { oneLine } from "@threadlore/files";
import { atOnce, Pace, type Steps } from "./pace.ts";
import { wordsOf } from "../text.ts";

/** A run of text that stands by itself on the page: a paragraph, a heading, a cell, a button's row. */
export interface Block {
  /** The innermost element around it that is not a part of a line. */
  readonly container: Element;
  /** The container's children it is made of. */
  readonly nodes: readonly ChildNode[];
  /** Blanks made one; of a long one the beginning, by which it is judged. */
  readonly text: string;
  /** Words of that, in lower case. */
  readonly words: readonly string[];
  /** There is more text than that. */
  readonly goesOn: boolean;
  /** Share of its characters that are links. */
  readonly linked: number;
}

/** Parts of a line; all other elements stand by themselves. */
const INLINE = new Set(
  `a abbr acronym b bdi bdo big br button cite code data del dfn em font i img ins kbd label mark math nobr output picture q
  rp rt ruby s samp small source span strike strong sub sup time tt u var wbr slot`.split(/\s+/),
);

/** Every text of a page that is read by itself, in order. Linear. */
export function blocksOf(root: Element): Block[] {
  return atOnce(findBlocks(root, new Pace()));
}

/** The same in steps. */
export function* findBlocks(root: Element, pace: Pace): Steps<Block[]> {
  const blocks: Block[] = [];
  const take = (container: Element, nodes: readonly ChildNode[], inLink: boolean) => {
    const block = nodes.length === 0 ? undefined : blockOf(container, nodes, inLink);
    if (block !== undefined) blocks.push(block);
  };
  let within: Within = { container: root, inLink: root.closest("a") !== null, run: [], outer: undefined };
  let node = root.firstChild;
  for (;;) {
    if (pace.isDue()) yield;
    if (node === null) {
      take(within.container, within.run, within.inLink);
      if (within.outer === undefined) return blocks;
      node = within.container.nextSibling;
      within = within.outer;
      continue;
    }
    if (node.nodeType !== 1 || isOfLine(node as Element)) {
      within.run.push(node);
      node = node.nextSibling;
      continue;
    }
    take(within.container, within.run, within.inLink);
    within.run = [];
    const element = node as Element;
    const inLink = within.inLink || element.localName === "a";
    if (isWhole(element)) {
      take(element, [...element.childNodes], inLink);
      node = element.nextSibling;
    } else {
      within = { container: element, inLink, run: [], outer: within };
      node = element.firstChild;
    }
  }
}

/** Where blocks are being found. */
interface Within {
  readonly container: Element;
  /** All of it is a link. */
  readonly inLink: boolean;
  /** The nodes since the last block ended. */
  run: ChildNode[];
  readonly outer: Within | undefined;
}

/** Code is one block however its lines are marked up; so is a row of a table that is no frame for a page. */
const isWhole = (element: Element): boolean => element.localName === "pre" || isPlainRow(element);

const MAX_ROW = 600;

function isPlainRow(element: Element): boolean {
  if (element.localName !== "tr") return false;
  return (element.textContent ?? "").length <= MAX_ROW && element.querySelector("table,p,ul,ol,h1,h2,h3") === null;
}

/** Whether an element is a part of a line: by its name, and by holding nothing that is not. */
export function isOfLine(element: Element): boolean {
  if (!INLINE.has(element.localName) || element.hasAttribute(OWN_LINE)) return false;
  for (let child = element.firstElementChild; child !== null; child = child.nextElementSibling) {
    if (!isOfLine(child)) return false;
  }
  return true;
}

/** Most characters by which a block is judged: a chapter. And how many of its source are looked at, for the blanks in it. */
const MAX_JUDGED = 50_000;
const MAX_LOOKED_AT = 4 * MAX_JUDGED;

function blockOf(container: Element, nodes: readonly ChildNode[], inLink: boolean): Block | undefined {
  let raw = "";
  let looked = 0;
  for (const node of nodes) {
    if (raw.length > MAX_LOOKED_AT) break;
    raw = raw === "" ? textIn(node).trimStart() : raw + textIn(node);
    looked++;
  }
  if (raw === "") return undefined;
  const line = oneLine(raw.slice(0, MAX_LOOKED_AT));
  const text = line.slice(0, MAX_JUDGED);
  const goesOn = line.length > MAX_JUDGED || raw.length > MAX_LOOKED_AT;
  const linked = inLink ? 1 : linkedCharacters(nodes.slice(0, looked)) / text.length;
  return { container, nodes, text, words: wordsOf(text), goesOn, linked: Math.min(1, linked) };
}

/** Text with blanks around what stands by itself. */
function textIn(node: Node): string {
  if (node.nodeType !== 1) return node.textContent ?? "";
  const element = node as Element;
  let text = "";
  for (let child = element.firstChild; child !== null; child = child.nextSibling) text += textIn(child);
  return INLINE.has(element.localName) && element.localName !== "br" && !element.hasAttribute(OWN_LINE)
    ? text
    : ` ${text} `;
}

function linkedCharacters(nodes: readonly ChildNode[]): number {
  let characters = 0;
  for (const node of nodes) {
    if (node.nodeType !== 1) continue;
    const element = node as Element;
    const links = element.localName === "a" ? [element] : element.querySelectorAll("a");
    for (const link of links) characters += oneLine(link.textContent ?? "").length;
  }
  return characters;
}
