import type { Block } from "../blocks.ts";
import type { SurroundingsFinder } from "./surroundings.ts";

/** A run of equal siblings: the entries of a listing, the posts of a thread, the cells of a grid. */
export interface Row {
  readonly entries: number;
  /** Words of all entries together. */
  readonly words: number;
  /** Of those, words that are links. */
  readonly linked: number;
  /** Entries that hold a heading. */
  readonly headings: number;
}

interface Weight {
  words: number;
  linked: number;
  headings: number;
}

/** Finds the equal siblings a block is in, at every level of the page. Linear in blocks times depth. */
export class SiblingFinder {
  readonly #weights = new Map<Element, Weight>();
  readonly #rows = new Map<Element, Row | undefined>();

  constructor(blocks: readonly Block[], root: Element, around: SurroundingsFinder) {
    for (const { container, words, linked } of blocks) {
      const heading = around.of(container).level > 0 ? 1 : 0;
      for (let element: Element | null = container; element !== null; element = element.parentElement) {
        const weight = this.#weights.get(element) ?? { words: 0, linked: 0, headings: 0 };
        weight.words += words.length;
        weight.linked += words.length * linked;
        weight.headings += heading;
        this.#weights.set(element, weight);
        if (element === root) break;
      }
    }
  }

  /** Words, linked words and headings in an element. */
  weightOf(element: Element): Readonly<Weight> {
    return this.#weights.get(element) ?? { words: 0, linked: 0, headings: 0 };
  }

  /** The row with most words that the element is in, up to `root`. */
  rowOf(element: Element): Row | undefined {
    if (this.#rows.has(element)) return this.#rows.get(element);
    const parent = element.parentElement;
    const own = parent === null || element.localName === "body" ? undefined : this.#rowAmong(parent, element);
    const outer = parent === null || element.localName === "body" ? undefined : this.rowOf(parent);
    const best = (own?.words ?? 0) > (outer?.words ?? 0) ? own : outer;
    this.#rows.set(element, best);
    return best;
  }

  readonly #groups = new Map<Element, Map<string, Row>>();

  #rowAmong(parent: Element, element: Element): Row | undefined {
    let groups = this.#groups.get(parent);
    if (groups === undefined) {
      groups = this.#grouped(parent);
      this.#groups.set(parent, groups);
    }
    const row = groups.get(likeness(element));
    return row !== undefined && row.entries >= 3 ? row : undefined;
  }

  #grouped(parent: Element): Map<string, Row> {
    const groups = new Map<string, { entries: number; words: number; linked: number; headings: number }>();
    for (const child of parent.children) {
      const weight = this.#weights.get(child);
      if (weight === undefined) continue;
      const key = likeness(child);
      const row = groups.get(key) ?? { entries: 0, words: 0, linked: 0, headings: 0 };
      row.entries++;
      row.words += weight.words;
      row.linked += weight.linked;
      row.headings += weight.headings > 0 ? 1 : 0;
      groups.set(key, row);
    }
    return groups;
  }
}

/** Siblings of one name and one first class are alike. */
function likeness(element: Element): string {
  const first = /\S+/.exec(element.getAttribute("class") ?? "")?.[0] ?? "";
  return `${element.localName}.${first.replace(/\d+/g, "")}`;
}
