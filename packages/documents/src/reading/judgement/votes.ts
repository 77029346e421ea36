import type { Block } from "../blocks.ts";
import { type Pace, type Steps, WORD_MS } from "../pace.ts";
import type { Opinion } from "./extractors.ts";

const MAX_RUN = 3;

/** Runs of one, two and three words of a text, to find parts of it again however it was cut into blocks. */
export class WordRuns {
  readonly #runs = new Set<string>();
  readonly #whole = new Set<string>();

  constructor(texts: Iterable<readonly string[]> = []) {
    for (const words of texts) this.#add(words);
  }

  /** The runs of texts that may be long or many, in steps. */
  static *of(texts: Iterable<readonly string[]>, pace: Pace): Steps<WordRuns> {
    const found = new WordRuns();
    for (const words of texts) {
      if (pace.isDue(words.length * WORD_MS)) yield;
      found.#add(words);
    }
    return found;
  }

  #add(words: readonly string[]): void {
    this.#whole.add(words.join(" "));
    for (let at = 0; at < words.length; at++) {
      let run = "";
      for (let length = 1; length <= MAX_RUN && at + length <= words.length; length++) {
        run = length === 1 ? (words[at] ?? "") : `${run} ${words[at + length - 1] ?? ""}`;
        this.#runs.add(run);
      }
    }
  }

  /** Share of a block's runs that the text has, from 0 to 1; of a block of one or two words, those words together. */
  shareOf(words: readonly string[]): number {
    if (words.length === 0) return 0;
    if (this.#whole.has(words.join(" "))) return 1;
    const length = Math.min(MAX_RUN, words.length);
    let found = 0;
    const runs = words.length - length + 1;
    for (let at = 0; at < runs; at++) {
      let run = words[at] ?? "";
      for (let next = at + 1; next < at + length; next++) run = `${run} ${words[next] ?? ""}`;
      if (this.#runs.has(run)) found++;
    }
    // Half a vote for what is so short that it may stand anywhere.
    return (found / runs) * (words.length < MAX_RUN ? 0.5 : 1);
  }
}

/** How much of each block an extractor holds for content, from 0 to 1. */
export function* votesOf(opinion: Opinion, blocks: readonly Block[], pace: Pace): Steps<Float32Array> {
  const votes = new Float32Array(blocks.length);
  if (opinion === undefined) return votes;
  const runs = yield* WordRuns.of(opinion, pace);
  for (const [index, { words }] of blocks.entries()) {
    if (pace.isDue(words.length * WORD_MS)) yield;
    votes[index] = runs.shareOf(words);
  }
  return votes;
}
