import type { Block } from "../blocks.ts";

const RUN = 4;

/**
 * How much of each block stands elsewhere on the page, from 0 to 1, by its runs of four words: sites bring the same text
 * again for screens of another width. A block of fewer words repeats nothing.
 */
export class RepeatedRuns {
  /** In blocks before it. */
  readonly before: Float32Array;
  /** In blocks after it. */
  readonly after: Float32Array;

  constructor(blocks: readonly Block[]) {
    const runs = blocks.map(({ words }) => runsOf(words));
    this.before = sharesSeen(runs);
    this.after = sharesSeen(runs.toReversed()).toReversed();
  }
}

/** The runs of four words in a text, in order. */
export function runsOf(words: readonly string[]): string[] {
  return Array.from({ length: Math.max(0, words.length - RUN + 1) }, (_, at) => words.slice(at, at + RUN).join(" "));
}

/** How much of each text's runs the texts before it had. */
function sharesSeen(texts: readonly (readonly string[])[]): Float32Array {
  const seen = new Set<string>();
  return Float32Array.from(texts, (runs) => {
    const again = runs.filter((run) => seen.has(run)).length;
    for (const run of runs) seen.add(run);
    return runs.length === 0 ? 0 : again / runs.length;
  });
}
