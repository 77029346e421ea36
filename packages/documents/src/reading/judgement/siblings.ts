import type { Block } from "../blocks.ts";
import type { Pace, Steps } from "../pace.ts";
import { remembered } from "../remembered.ts";
import type { SurroundingsFinder } from "./surroundings.ts";

/** What is in an element. */
interface Weight {
  words: number;
  /** Of those, words that are links. */
  linked: number;
  /** Of those, words that each extractor holds for content. */
  readonly voted: [first: number, second: number];
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

/** Weighs every element of a page, and finds the equal siblings it is among. Linear in blocks times depth. */
export class Siblings {
  readonly #weights = new Map<Element, Weight>();
  readonly #groups = new Map<Element, Map<string, Row>>();
  readonly #rows = new Map<Element, Row | undefined>();

  /** @param votes how much of each block each of two extractors holds for content */
  static *of(
    blocks: readonly Block[],
    root: Element,
    around: SurroundingsFinder,
    [first, second]: readonly [Float32Array, Float32Array],
    pace: Pace,
  ): Steps<Siblings> {
    const found = new Siblings();
    for (const [at, { container, words, linked }] of blocks.entries()) {
      if (pace.isDue()) yield;
      const heading = around.of(container).level > 0 ? 1 : 0;
      for (let element: Element | null = container; element !== null; element = element.parentElement) {
        const weight = remembered(found.#weights, element, (): Weight => ({
          words: 0,
          linked: 0,
          voted: [0, 0],
          headings: 0,
        }));
        weight.words += words.length;
        weight.linked += words.length * linked;
        weight.voted[0] += words.length * (first[at] ?? 0);
        weight.voted[1] += words.length * (second[at] ?? 0);
        weight.headings += heading;
        if (element === root) break;
      }
    }
    return found;
  }

  /** How much of the nearest element of so many words around a block was voted for, and is links. */
  densityAround(container: Element, leastWords: number): [first: number, second: number, linked: number] {
    let element = container;
    while (element.parentElement !== null && element.localName !== "body") {
      if ((this.#weights.get(element)?.words ?? 0) >= leastWords) break;
      element = element.parentElement;
    }
    const { words = 0, voted: [first, second] = [0, 0], linked = 0 } = this.#weights.get(element) ?? {};
    return words === 0 ? [0, 0, 0] : [first / words, second / words, linked / words];
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
    const row = remembered(this.#groups, parent, () => this.#grouped(parent)).get(likeness(element));
    return row !== undefined && row.entries >= 3 ? row : undefined;
  }

  #grouped(parent: Element): Map<string, Row> {
    const groups = new Map<string, Row>();
    for (const child of parent.children) {
      const weight = this.#weights.get(child);
      if (weight === undefined) continue;
      const row = remembered(groups, likeness(child), () => ({ entries: 0, words: 0, linked: 0, headings: 0 }));
      row.entries++;
      row.words += weight.words;
      row.linked += weight.linked;
      row.headings += weight.headings > 0 ? 1 : 0;
    }
    return groups;
  }
}

/** Siblings of one name and one first class are alike. */
function likeness(element: Element): string {
  const first = /\S+/.exec(element.getAttribute("class") ?? "")?.[0] ?? "";
  return `${element.localName}.${first.replace(/\d+/g, "")}`;
}
