/** What a word in each part of a passage counts: in its title, its headings, its text, and the words about the document. */
export const WEIGHTS = { title: 2, heading: 1.5, text: 1, about: 0.7 } as const;

/** The textbook constants of BM25. */
const K1 = 1.2;
const B = 0.75;
/**
 * Words a passage is taken to have on average. A fixed number, and not what the collection has: nothing of what others
 * wrote is in what a passage counts.
 */
const USUAL_LENGTH = 80;

/** What the most frequent word comes close to. */
const MAX_IMPACT = 255;

/**
 * How much a word says about a passage, 1 to 255: BM25 without the word's rarity, which is told by whoever asks.
 * @param often how often it occurs, each occurrence weighed by where it stands
 * @param length words of the passage, titles and headings included
 */
export function impactOf(often: number, length: number): number {
  const share = often / (often + K1 * (1 - B + (B * length) / USUAL_LENGTH));
  return Math.max(1, Math.round(share * MAX_IMPACT));
}

/** What a score is made of whole numbers by: sums of them are the same in whatever order they are added up. */
const PRECISION = 1_024;

/** How rare a term is, as a whole number, from how many passages there are and how many of them hold it. */
export function rarityOf(passages: number, holding: number): number {
  const idf = Math.log(1 + Math.max(0, passages - holding + 0.5) / (holding + 0.5));
  return Math.max(1, Math.round(idf * PRECISION));
}

/** A rarity in the unit of BM25: what a word counts in a passage that holds it as often as is usual. */
export function weightOf(rarity: number): number {
  return rarity / PRECISION;
}

/** A sum of rarities times impacts in the unit of BM25. */
export function scoreOf(sum: number): number {
  return (sum / PRECISION / MAX_IMPACT) * (K1 + 1);
}

/** The weight of a list that gives a passage so much where its impact is largest. */
export function weightFor(score: number): number {
  return Math.round((score * PRECISION) / (K1 + 1));
}
