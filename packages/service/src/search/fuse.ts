import type { Hit } from "./hit.ts";

/** A document that matched, with its passages that did, best first. */
export interface RankedDocument {
  /** Its number. */
  readonly document: number;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
  readonly passages: readonly number[];
}

/** How much the first ranks of a list count before the later ones: the usual constant of reciprocal rank fusion. */
const RANK_OFFSET = 60;

/**
 * The documents of several lists, best first. A document stands in a list where its best passage does; by one list it is
 * ranked as it stands there, by several by the sum of its reciprocal ranks. Its passages keep the order of the first list
 * that holds them.
 */
export function fuse(lists: readonly (readonly Hit[])[]): RankedDocument[] {
  const documents = new Map<number, { score: number; passages: Set<number> }>();
  for (const list of lists) {
    const seen = new Set<number>();
    for (const { document, id, score } of list) {
      let ranked = documents.get(document);
      if (ranked === undefined) documents.set(document, (ranked = { score: 0, passages: new Set() }));
      ranked.passages.add(id);
      if (seen.has(document)) continue;
      seen.add(document);
      ranked.score += lists.length === 1 ? score : 1 / (RANK_OFFSET + seen.size);
    }
  }
  return [...documents]
    .map(([document, { score, passages }]) => ({ document, score, passages: [...passages] }))
    .toSorted((one, other) => other.score - one.score);
}
