import type { Block } from "../blocks.ts";
import { type Pace, type Steps, WORD_MS } from "../pace.ts";
import type { Opinion } from "./extractors.ts";
import { runWith, WordNumbers } from "./word-numbers.ts";

const MAX_RUN = 3;

/** Runs of one, two and three words of a text, to find parts of it again however it was cut into blocks. */
export class WordRuns {
  readonly #words = new WordNumbers();
  readonly #pairs = new Set<number>();
  readonly #triples = new Set<number>();
  readonly #whole = new Set<number>();

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

  #add(texts: readonly string[]): void {
    const words = this.#words.of(texts);
    let whole = 0;
    let pair = 0;
    let last = 0;
    for (const [at, word] of words.entries()) {
      whole = runWith(whole, word);
      if (at > 1) this.#triples.add(runWith(pair, word));
      if (at > 0) {
        pair = runWith(runWith(0, last), word);
        this.#pairs.add(pair);
      }
      last = word;
    }
    this.#whole.add(whole);
  }

  /** Share of a block's runs that the text has, from 0 to 1; of a block of one or two words, those words together. */
  shareOf(texts: readonly string[]): number {
    const count = texts.length;
    if (count === 0) return 0;
    const words = texts.map((word) => this.#words.known(word));
    if (!words.includes(0) && this.#whole.has(words.reduce(runWith, 0))) return 1;
    // Half a vote for what is so short that it may stand anywhere.
    if (count === 1) return words[0] === 0 ? 0 : 0.5;
    const [runs, length] = count === 2 ? [this.#pairs, 2] : [this.#triples, MAX_RUN];
    let found = 0;
    for (let at = 0; at + length <= count; at++) {
      let run = 0;
      let isKnown = true;
      for (let next = at; next < at + length; next++) {
        const word = words[next] ?? 0;
        isKnown &&= word !== 0;
        run = runWith(run, word);
      }
      if (isKnown && runs.has(run)) found++;
    }
    return count === 2 ? found / 2 : found / (count - length + 1);
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
