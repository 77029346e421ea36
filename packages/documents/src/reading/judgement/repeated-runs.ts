import type { Block } from "../blocks.ts";
import { type Pace, type Steps, WORD_MS } from "../pace.ts";
import { runsOf, WordNumbers } from "./word-numbers.ts";

/** Words of a run by which a text is known again. */
export const RUN = 4;

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
  const numbers = new WordNumbers();
  const runs: number[][] = [];
  /** The blocks that have a run first and last. */
  const [first, last] = [new Map<number, number>(), new Map<number, number>()];
  for (const [at, { words }] of blocks.entries()) {
    if (pace.isDue(words.length * WORD_MS)) yield;
    const own = words.length < RUN ? [] : runsOf(numbers.of(words), RUN);
    runs.push(own);
    for (const run of own) {
      if (!first.has(run)) first.set(run, at);
      last.set(run, at);
    }
  }
  const [before, after] = [new Float32Array(blocks.length), new Float32Array(blocks.length)];
  for (const [at, own] of runs.entries()) {
    if (own.length === 0) continue;
    if (pace.isDue(own.length * WORD_MS)) yield;
    before[at] = own.filter((run) => (first.get(run) ?? at) < at).length / own.length;
    after[at] = own.filter((run) => (last.get(run) ?? at) > at).length / own.length;
  }
  return { before, after };
}
