import { eachSpellingOf, lengthOfTerm, spelledTerm } from "../analysis.ts";
import { Stretches } from "./stretches.ts";

/** What stands for the number of a spelling that is no term: a function word. */
const NO_TERM = -1;

/** Terms after which everything is forgotten: some 50 MB. */
const MAX_TERMS = 250_000;

/** The terms of one language, by what they are made of. */
interface Spellings {
  readonly termOf: (spelling: string) => string;
  /** Words as they stand in texts, and by their numbers the terms'. */
  readonly words: Stretches;
  readonly ofWords: number[];
  /** Words up to which they are settled. */
  settled: number;
  /** Of words that were joined up, and of numbers without their marks. */
  readonly others: Map<string, number>;
}

/**
 * Numbers terms as their spellings come, so that a word is looked up once for each place it stands at, and all else is
 * arithmetic on arrays.
 */
export class Lexicon {
  readonly #numbers = new Map<string, number>();
  readonly #terms: string[] = [];
  /** By term's number: what it counts as a word of its passage. */
  readonly #lengths: number[] = [];
  readonly #spellings = new Map<string, Spellings>();

  /** How many terms there are. */
  get size(): number {
    return this.#terms.length;
  }

  /** Whether it is time to begin with a new one. */
  get isFull(): boolean {
    return this.#terms.length > MAX_TERMS;
  }

  numberOf(term: string): number {
    let number = this.#numbers.get(term);
    if (number === undefined) {
      this.#numbers.set(term, (number = this.#terms.length));
      this.#terms.push(term);
      this.#lengths.push(lengthOfTerm(term));
    }
    return number;
  }

  termOf(number: number): string {
    return this.#terms[number] as string;
  }

  /** Calls for each term of a text, by its number, with what it counts as a word of its passage. */
  each(text: string, language: string, take: (number: number, length: number) => void): void {
    const spellings = this.#of(language);
    const { words, ofWords, others } = spellings;
    const taken = (number: number): void => {
      if (number !== NO_TERM) take(number, this.#lengths[number] as number);
    };
    eachSpellingOf(text, language, {
      word: (start, end) => {
        const word = words.numberOf(text, start, end);
        if (word === ofWords.length) ofWords.push(this.#numberSpelled(text.slice(start, end), spellings));
        taken(ofWords[word] as number);
      },
      other: (spelling, _start, _end, isTerm) => {
        let number = isTerm ? this.numberOf(spelling) : others.get(spelling);
        if (number === undefined) others.set(spelling, (number = this.#numberSpelled(spelling, spellings)));
        taken(number);
      },
    });
  }

  /** The words that say something, as they are written, that were met since `settle`. */
  *fresh(): Generator<{ readonly language: string; readonly words: Iterable<string> }> {
    for (const [language, spellings] of this.#spellings) yield { language, words: freshOf(spellings) };
  }

  /** Notes that what is fresh was written. */
  settle(): void {
    for (const spellings of this.#spellings.values()) spellings.settled = spellings.ofWords.length;
  }

  #of(language: string): Spellings {
    let spellings = this.#spellings.get(language);
    if (spellings === undefined) {
      spellings = {
        termOf: spelledTerm(language),
        words: new Stretches(),
        ofWords: [],
        settled: 0,
        others: new Map(),
      };
      this.#spellings.set(language, spellings);
    }
    return spellings;
  }

  #numberSpelled(spelling: string, { termOf }: Spellings): number {
    const term = termOf(spelling);
    return term === "" ? NO_TERM : this.numberOf(term);
  }
}

function* freshOf({ words, ofWords, settled }: Spellings): Generator<string> {
  for (let word = settled; word < ofWords.length; word++) {
    if (ofWords[word] !== NO_TERM) yield words.textOf(word);
  }
}
