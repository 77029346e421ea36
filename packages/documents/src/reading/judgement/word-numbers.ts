/** Numbers for words: what is compared often is compared as numbers, which costs a tenth of what strings do. */
export class WordNumbers {
  readonly #numbers = new Map<string, number>();

  /** The numbers of a text's words, each from 1; a word that is new gets the next one. */
  of(words: readonly string[]): number[] {
    return words.map((word) => {
      const known = this.#numbers.get(word);
      if (known !== undefined) return known;
      const next = this.#numbers.size + 1;
      this.#numbers.set(word, next);
      return next;
    });
  }

  /** The number of a word; 0: no text so far has it. */
  known(word: string): number {
    return this.#numbers.get(word) ?? 0;
  }
}

/**
 * A number, of 30 bits, for a run of words that begins with a run of that number and goes on with that word. Two runs
 * may have the same one: of those of a long page about one in a hundred thousand, which no share of a text is changed by.
 */
export function runWith(run: number, word: number): number {
  const mixed = Math.imul(run ^ (word + 0x9e3779b9), 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) & 0x3fffffff;
}

/** The numbers of a text's runs of so many words, in order. */
export function runsOf(words: readonly number[], length: number): number[] {
  const runs: number[] = [];
  for (let at = 0; at + length <= words.length; at++) {
    let run = 0;
    for (let next = at; next < at + length; next++) run = runWith(run, words[next] ?? 0);
    runs.push(run);
  }
  return runs;
}
