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
  const found: Found = { blocks: [], pace };
  yield* collect(root, root.closest("a") !== null, found);
  return found.blocks;
}

/** What is found so far, and how fast. */
interface Found {
  readonly blocks: Block[];
  readonly pace: Pace;
}

/** `inLink`: all of it is a link. */
function* collect(container: Element, inLink: boolean, found: Found): Steps<void> {
  let run: ChildNode[] = [];
  const end = () => {
    const block = run.length === 0 ? undefined : blockOf(container, run, inLink);
    if (block !== undefined) found.blocks.push(block);
    run = [];
  };
  for (const node of container.childNodes) {
    if (found.pace.isDue()) yield;
    if (node.nodeType === 1 && !isOfLine(node as Element)) {
      end();
      yield* collectElement(node as Element, inLink, found);
    } else run.push(node);
  }
  end();
}

/** Code is one block however its lines are marked up; so is a row of a table that is no frame for a page. */
function* collectElement(element: Element, within: boolean, found: Found): Steps<void> {
  const inLink = within || element.localName === "a";
  if (element.localName !== "pre" && !isPlainRow(element)) {
    yield* collect(element, inLink, found);
    return;
  }
  const block = blockOf(element, [...element.childNodes], inLink);
  if (block !== undefined) found.blocks.push(block);
}

const MAX_ROW = 600;

function isPlainRow(element: Element): boolean {
  if (element.localName !== "tr") return false;
  return (element.textContent ?? "").length <= MAX_ROW && element.querySelector("table,p,ul,ol,h1,h2,h3") === null;
}

/** Whether an element is a part of a line: by its name, and by holding nothing that is not. */
export function isOfLine(element: Element): boolean {
  if (!INLINE.has(element.localName) || element.hasAttribute(OWN_LINE)) return false;
  for (const child of element.children) if (!isOfLine(child)) return false;
  return true;
}

/** Most characters by which a block is judged: a chapter. And how many of its source are looked at, for the blanks in it. */
const MAX_JUDGED = 50_000;
const MAX_LOOKED_AT = 4 * MAX_JUDGED;

function blockOf(container: Element, nodes: ChildNode[], inLink: boolean): Block | undefined {
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
  const text = element.childNodes.length === 0 ? "" : Array.from(element.childNodes, textIn).join("");
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
