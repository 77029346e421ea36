import type { MeantPassages } from "./meaning.ts";

/** A passage with what it counts. */
export interface ScoredPassage {
  readonly id: number;
  readonly score: number;
}

/** A passage, and where it stands. */
export interface Located extends ScoredPassage {
  readonly document: number;
  readonly ordinal: number;
}

/** What meaning counts whose first finds are no better than the next, measured on a passage that holds every word. */
const MEANING_WEIGHT = 0.5;
/** What it counts besides where they stand out: a list of passages that are all alike says little. */
const MARGIN_WEIGHT = 1;
/** Passages the first are compared with. */
const COMPARED = 10;

/**
 * What words and meaning find as one list, best first. Meaning counts by how far a passage stands above what is usual,
 * and by how far the first stands above the next, so that it may bring in what no word of the question names.
 * @param full what a passage counts that holds every word of the question
 */
export function withMeaning(
  ranked: readonly ScoredPassage[],
  { best, mean }: MeantPassages,
  full: number,
): ScoredPassage[] {
  const [first] = best;
  const compared = best[Math.min(best.length, COMPARED) - 1];
  if (first === undefined || compared === undefined) return [...ranked];
  const above = (similarity: number): number => Math.max(0, similarity - mean) / Math.max(1e-6, 1 - mean);
  const weight = MEANING_WEIGHT + MARGIN_WEIGHT * (above(first.similarity) - above(compared.similarity));
  const scores = new Map(ranked.map(({ id, score }) => [id, score]));
  for (const { id, similarity } of best) scores.set(id, (scores.get(id) ?? 0) + weight * full * above(similarity));
  return sorted([...scores].map(([id, score]) => ({ id, score })));
}

/** Best first; of equals the newest. */
export function sorted<Item extends ScoredPassage>(items: readonly Item[]): Item[] {
  return items.toSorted((one, other) => other.score - one.score || other.id - one.id);
}

/** Passages of one document that are shown before those of others get their turn. */
const TOGETHER = 3;

/**
 * Passages in the order they are shown in: a document stands where its best passage does, with at most three of its
 * passages; the others follow when all documents had their turn. Of equals the newest document comes first, then in
 * reading order.
 */
export function byDocument<Passage extends Located>(passages: readonly Passage[]): Passage[] {
  const inOrder = passages.toSorted(
    (one, other) =>
      other.score - one.score || other.id - other.ordinal - (one.id - one.ordinal) || one.ordinal - other.ordinal,
  );
  const documents = [...Map.groupBy(inOrder, ({ document }) => document).values()];
  return [
    ...documents.flatMap((some) => some.slice(0, TOGETHER)),
    ...documents.flatMap((some) => some.slice(TOGETHER)),
  ];
}
