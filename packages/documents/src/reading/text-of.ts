import type { Part } from "@threadlore/files";
import { HtmlText } from "@threadlore/files/html";
import { isBlank } from "../text.ts";
import { type Block, isOfLine } from "./blocks.ts";
import { CHARACTER_MS, type Pace, PIECE, type Steps } from "./pace.ts";
import { remembered } from "./remembered.ts";

/** Shortest description of an image that says something about it. */
const MIN_ALT = 8;
/** Characters around an image in which its description is looked for: what holds more is no teaser. */
const MAX_NEAR = 5_000;
/** Words from which on a text speaks for itself: pictures beside it, not in its lines, are not described. */
const ENOUGH_WORDS = 100;

/**
 * The text of the blocks that were chosen, under their headings, with the shape they have on the page: lists, tables,
 * code; images by what they are said to show, where they stand in a line of the text or in place of one.
 * `images: false` leaves those out.
 */
export function partsOfBlocks(root: Element, blocks: readonly Block[], images: boolean, pace: Pace): Steps<Part[]> {
  return new Writer(blocks, images, pace).write(root);
}

class Writer {
  readonly #text = new HtmlText();
  readonly #nodes = new Set<Node>();
  /** Everything around what was chosen. */
  readonly #around = new Set<Node>();
  readonly #images: boolean;
  /** There is so little text that its pictures may be what the page is about. */
  readonly #isWordless: boolean;
  /** Inside of code, where blanks and line ends are as they are. */
  #code = false;
  readonly #seenAlts = new Set<string>();
  /** The text around pictures. */
  readonly #near = new Map<Element | null, string>();
  readonly #pace: Pace;

  constructor(blocks: readonly Block[], images: boolean, pace: Pace) {
    this.#images = images;
    this.#isWordless = blocks.reduce((sum, { words }) => sum + words.length, 0) < ENOUGH_WORDS;
    this.#pace = pace;
    for (const { container, nodes } of blocks) {
      for (const node of nodes) this.#nodes.add(node);
      for (let element: Element | null = container; element !== null; element = element.parentElement) {
        if (this.#around.has(element)) break;
        this.#around.add(element);
      }
    }
  }

  *write(root: Element): Steps<Part[]> {
    for (const child of root.childNodes) yield* this.#visit(child, false);
    return this.#text.parts();
  }

  *#visit(node: ChildNode, chosen: boolean): Steps<void> {
    if (this.#pace.isDue()) yield;
    const inside = chosen || this.#nodes.has(node);
    if (node.nodeType === 3) {
      if (inside) yield* this.#write((node as Text).data);
      else if (this.#around.has(node.parentNode as Node)) this.#text.write(" ");
    } else if (node.nodeType === 1) yield* this.#visitElement(node as Element, inside);
  }

  *#write(text: string): Steps<void> {
    for (let from = 0; from < text.length; from += PIECE) {
      if (this.#pace.isDue(Math.min(PIECE, text.length) * CHARACTER_MS)) yield;
      this.#text.write(text.slice(from, from + PIECE));
    }
  }

  *#visitElement(element: Element, inside: boolean): Steps<void> {
    const name = element.localName;
    if (name === "img") {
      if (inside || this.#isWordless) this.#describe(element);
      return;
    }
    if (!inside && !this.#around.has(element) && !isCell(element, this.#around)) {
      this.#passBy(element);
      return;
    }
    if (this.#code) {
      yield* this.#visitLine(element, inside);
      return;
    }
    const shape = SHAPES.has(name) || isOfLine(element) ? name : "div";
    this.#text.open(shape, attributesOf(element));
    this.#code = name === "pre";
    for (const child of element.childNodes) yield* this.#visit(child, inside);
    this.#code = false;
    this.#text.close(shape);
  }

  /** Highlighters put each line of code into an element of its own, with or without a line's end. */
  *#visitLine(element: Element, inside: boolean): Steps<void> {
    for (const child of element.childNodes) yield* this.#visit(child, inside);
    const isLine = element.localName === "br" || !isOfLine(element);
    if (isLine && !(element.textContent ?? "").endsWith("\n")) this.#text.write("\n");
  }

  /** Something without text of its own: a place to link to, or a picture beside chosen text. */
  #passBy(element: Element): void {
    const parent = element.parentElement;
    const beside = parent !== null && this.#around.has(parent) && isBlank(element.textContent ?? "");
    if (!beside) return;
    if (element.id !== "" && element.localName === "a") this.#text.open("a", { id: element.id });
    if (this.#isWordless) for (const image of element.querySelectorAll("img")) this.#describe(image);
  }

  #describe(image: Element): void {
    if (this.#isTelling(image)) this.#text.open("img", { alt: image.getAttribute("alt") ?? "" });
  }

  #isTelling(image: Element): boolean {
    const alt = (image.getAttribute("alt") ?? "").trim();
    if (!this.#images || alt.length < MIN_ALT || this.#seenAlts.has(alt)) return false;
    const around = image.closest("figure, p, li, td, section, article, div");
    const near = remembered(this.#near, around, () => (around?.textContent ?? "").slice(0, MAX_NEAR));
    // A picture of a linked teaser repeats the teaser's own words; a file name says nothing.
    if (near.includes(alt) || /^\S+\.(?:jpe?g|png|gif|webp|svg|avif)$/i.test(alt)) return false;
    this.#seenAlts.add(alt);
    return true;
  }
}

const SHAPES = new Set(
  `address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer
  form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre search section summary table tbody td tfoot th
  thead tr ul br`.split(/\s+/),
);

/** An empty cell keeps its place among those that are not. */
function isCell(element: Element, around: ReadonlySet<Node>): boolean {
  const parent = element.parentElement;
  return (element.localName === "td" || element.localName === "th") && parent !== null && around.has(parent);
}

function attributesOf(element: Element): Record<string, string | undefined> {
  const told = (name: string) => element.getAttribute(name) ?? undefined;
  return {
    id: element.id || undefined,
    start: told("start"),
    name: element.localName === "a" ? told("name") : undefined,
  };
}
