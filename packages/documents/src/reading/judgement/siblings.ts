import type { Block } from "../blocks.ts";
import type { Pace, Steps } from "../pace.ts";
import { remembered } from "../remembered.ts";
import type { SurroundingsFinder } from "./surroundings.ts";

/** What is in an element. */
interface Weight {
  words: number;
  /** Of those, words that are links. */
  linked: number;
  /** Of those, words that Readability holds for content. */
  voted: number;
  headings: number;
}

/** A run of equal siblings: the entries of a listing, the posts of a thread, the cells of a grid. */
export interface Row {
  entries: number;
  /** Words of all entries together. */
  words: number;
  /** Of those, words that are links. */
  linked: number;
  /** Entries that hold a heading. */
  headings: number;
}

/** Words around a block from which on a part of the page tells something of it: a paragraph's, a section's, a page's. */
const PARTS = [40, 200, 800] as const;

const noWeight = (): Weight => ({ words: 0, linked: 0, voted: 0, headings: 0 });

/** Weighs every element of a page, and finds the equal siblings it is among. Linear in blocks and what is around them. */
export class Siblings {
  readonly #weights = new Map<Element, Weight>();
  /** The row each element is in among its siblings, of those whose parents were asked about. */
  readonly #among = new Map<Element, Row>();
  readonly #grouped = new Set<Element>();
  readonly #rows = new Map<Element, Row | undefined>();

  /** @param votes how much of each block Readability holds for content */
  static *of(
    blocks: readonly Block[],
    root: Element,
    around: SurroundingsFinder,
    votes: Float32Array,
    pace: Pace,
  ): Steps<Siblings> {
    const found = new Siblings();
    const weights = found.#weights;
    for (const [at, { container, words, linked }] of blocks.entries()) {
      if (pace.isDue()) yield;
      const weight = remembered(weights, container, noWeight);
      weight.words += words.length;
      weight.linked += words.length * linked;
      weight.voted += words.length * (votes[at] ?? 0);
      weight.headings += around.of(container).level > 0 ? 1 : 0;
      for (let outer = outside(container, root); outer !== null && !weights.has(outer); outer = outside(outer, root)) {
        weights.set(outer, noWeight());
      }
    }
    // The innermost first: what is in an element is known by then.
    const inner = [...weights].map(([element, weight]) => ({ element, weight, depth: around.of(element).depth }));
    for (const { element, weight } of inner.toSorted((a, b) => b.depth - a.depth)) {
      if (pace.isDue()) yield;
      const outer = outside(element, root);
      if (outer !== null) add(remembered(weights, outer, noWeight), weight);
    }
    return found;
  }

  /** How much of the nearest element of so many words around a block was voted for, and is links: of each of three sizes. */
  densitiesAround(container: Element): number[] {
    let element = container;
    return PARTS.flatMap((leastWords) => {
      while (element.parentElement !== null && element.localName !== "body") {
        if ((this.#weights.get(element)?.words ?? 0) >= leastWords) break;
        element = element.parentElement;
      }
      const { words = 0, voted = 0, linked = 0 } = this.#weights.get(element) ?? {};
      return words === 0 ? [0, 0] : [voted / words, linked / words];
    });
  }

  /** The row with most words that the element is in, at any level of the page. */
  rowOf(element: Element): Row | undefined {
    return remembered(this.#rows, element, () => {
      const parent = element.localName === "body" ? null : element.parentElement;
      if (parent === null) return undefined;
      const [own, outer] = [this.#rowAmong(parent, element), this.rowOf(parent)];
      return (own?.words ?? 0) > (outer?.words ?? 0) ? own : outer;
    });
  }

  #rowAmong(parent: Element, element: Element): Row | undefined {
    if (!this.#grouped.has(parent)) this.#group(parent);
    const row = this.#among.get(element);
    return row !== undefined && row.entries >= 3 ? row : undefined;
  }

  #group(parent: Element): void {
    this.#grouped.add(parent);
    const groups = new Map<string, Row>();
    for (let child = parent.firstElementChild; child !== null; child = child.nextElementSibling) {
      const weight = this.#weights.get(child);
      if (weight === undefined) continue;
      const row = remembered(groups, likeness(child), () => ({ entries: 0, words: 0, linked: 0, headings: 0 }));
      row.entries++;
      row.words += weight.words;
      row.linked += weight.linked;
      row.headings += weight.headings > 0 ? 1 : 0;
      this.#among.set(child, row);
    }
  }
}

const outside = (element: Element, root: Element): Element | null => (element === root ? null : element.parentElement);

function add(to: Weight, { words, linked, voted, headings }: Weight): void {
  to.words += words;
  to.linked += linked;
  to.voted += voted;
  to.headings += headings;
}

/** Siblings of one name and one first class are alike. */
function likeness(element: Element): string {
  const first = /\S+/.exec(element.getAttribute("class") ?? "")?.[0] ?? "";
  return `${element.localName}.${first.replace(/\d+/g, "")}`;
}
