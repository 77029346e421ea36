import type { Block } from "../blocks.ts";
import { type Pace, type Steps, WORD_MS } from "../pace.ts";

const RUN = 4;

/**
 * How much of each block stands elsewhere on the page, from 0 to 1, by its runs of four words: sites bring the same text
 * again for screens of another width. A block of fewer words repeats nothing.
 */
export interface RepeatedRuns {
  /** In blocks before it. */
  readonly before: Float32Array;
  /** In blocks after it. */
  readonly after: Float32Array;
}

/** Finds them in steps. Linear in words. */
export function* repeatedRunsOf(blocks: readonly Block[], pace: Pace): Steps<RepeatedRuns> {
  const texts = blocks.map(({ words }) => words);
  const before = yield* sharesSeen(texts, pace);
  const after = yield* sharesSeen(texts.toReversed(), pace);
  return { before, after: after.toReversed() };
}

/** The runs of four words in a text, in order. */
export function runsOf(words: readonly string[]): string[] {
  return Array.from({ length: Math.max(0, words.length - RUN + 1) }, (_, at) => words.slice(at, at + RUN).join(" "));
}

/** How much of each text's runs the texts before it had. */
function* sharesSeen(texts: readonly (readonly string[])[], pace: Pace): Steps<Float32Array> {
  const seen = new Set<string>();
  const shares = new Float32Array(texts.length);
  for (const [at, words] of texts.entries()) {
    if (pace.isDue(words.length * WORD_MS)) yield;
    const runs = runsOf(words);
    const again = runs.filter((run) => seen.has(run)).length;
    for (const run of runs) seen.add(run);
    shares[at] = runs.length === 0 ? 0 : again / runs.length;
  }
  return shares;
}
