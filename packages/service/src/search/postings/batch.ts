import { eachSpellingOf, functionWordsOfTitle, lengthOfTerm, spelledTerm } from "../analysis.ts";
import { impactOf, WEIGHTS } from "./impact.ts";
import type { Postings } from "./postings.ts";

/** What a passage is found by. */
export interface PassageText {
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  readonly about: string;
}

/** What is to be changed of a term. */
export interface TermChange {
  readonly term: string;
  /** What comes behind those it has. */
  readonly postings: Postings;
  /** How many passages hold it no more. */
  readonly lost: number;
}

/** What stands for the number of a spelling that is no term: a function word. */
const NO_TERM = -1;

/** The terms of one language, by what they are made of. */
interface Spellings {
  readonly termOf: (spelling: string) => string;
  /** Of words as they stand in a text. */
  readonly words: Map<string, number>;
  /** Of words that were joined up, and of numbers without their marks. */
  readonly others: Map<string, number>;
}

/**
 * Postings of passages that are written together. Terms are numbered as their spellings come, so that one is looked up
 * once for each place it stands at, and all else is arithmetic on arrays.
 */
export class Batch {
  readonly #terms = new Map<string, number>();
  /** By term's number: what it counts as a word of its passage. */
  readonly #lengths: number[] = [];
  readonly #postings = new PostingsLog();
  readonly #passage = new PassageTerms();
  /** Passages that hold a term no more. */
  readonly #lost = new Map<number, number>();
  /** By language. */
  readonly #spellings = new Map<string, Spellings>();

  /** Postings gathered so far. */
  get size(): number {
    return this.#postings.length;
  }

  /** Adds a passage whose id is higher than those before. */
  add(id: number, passage: PassageText, language: string): void {
    this.#read(passage, language).each((number, often, length) => {
      this.#postings.push(number, id, impactOf(often, length));
    });
  }

  /** Counts a passage no more that was written before. Its postings stay where they are. */
  remove(passage: PassageText, language: string): void {
    this.#read(passage, language).each((number) => this.#lost.set(number, (this.#lost.get(number) ?? 0) + 1));
  }

  /** Adds a mark: a term that no text holds, for what is known of the passage. */
  mark(id: number, mark: string): void {
    this.#postings.push(this.#numberOf(mark), id, 1);
  }

  /** What was gathered, in the order terms are kept in. */
  *changes(): Generator<TermChange> {
    const sorted = this.#postings.byTerm(this.#terms.size);
    for (const term of [...this.#terms.keys()].toSorted()) {
      const number = this.#terms.get(term) as number;
      yield { term, postings: sorted(number), lost: this.#lost.get(number) ?? 0 };
    }
  }

  /** The words of the texts that say something, as they are written, by language. */
  *written(): Generator<{ readonly language: string; readonly words: Iterable<string> }> {
    for (const [language, { words }] of this.#spellings) {
      yield { language, words: withTerm(words) };
    }
  }

  #read(passage: PassageText, language: string): PassageTerms {
    const found = this.#passage;
    const spellings = this.#spellingsOf(language);
    found.begin();
    for (const part of ["title", "heading", "text", "about"] as const) {
      const text = passage[part];
      if (text === "") continue;
      const weight = WEIGHTS[part];
      eachSpellingOf(text, language, (spelling, start, end, isTerm) => {
        let number: number | undefined;
        if (isTerm) number = this.#numberOf(spelling);
        else {
          const known = end - start === spelling.length ? spellings.words : spellings.others;
          number = known.get(spelling);
          if (number === undefined) known.set(spelling, (number = this.#numberSpelled(spelling, spellings)));
        }
        if (number !== NO_TERM) found.count(number, weight, this.#lengths[number] as number);
      });
    }
    for (const word of functionWordsOfTitle(passage.title, language)) {
      found.count(this.#numberOf(word), WEIGHTS.title, 0);
    }
    return found;
  }

  #spellingsOf(language: string): Spellings {
    let spellings = this.#spellings.get(language);
    if (spellings === undefined) {
      spellings = { termOf: spelledTerm(language), words: new Map(), others: new Map() };
      this.#spellings.set(language, spellings);
    }
    return spellings;
  }

  #numberSpelled(spelling: string, { termOf }: Spellings): number {
    const term = termOf(spelling);
    return term === "" ? NO_TERM : this.#numberOf(term);
  }

  #numberOf(term: string): number {
    let number = this.#terms.get(term);
    if (number === undefined) {
      this.#terms.set(term, (number = this.#terms.size));
      this.#lengths.push(lengthOfTerm(term));
    }
    return number;
  }
}

function* withTerm(words: ReadonlyMap<string, number>): Generator<string> {
  for (const [word, number] of words) if (number !== NO_TERM) yield word;
}

/** How often each term occurs in one passage. */
class PassageTerms {
  /** By term's number: the passage it was met in last, and how often there. */
  #passages = new Uint32Array(1_024);
  #often = new Float64Array(1_024);
  #met: number[] = [];
  #passage = 0;
  #length = 0;

  begin(): void {
    this.#passage++;
    this.#length = 0;
    this.#met = [];
  }

  count(term: number, weight: number, length: number): void {
    if (term >= this.#passages.length) {
      this.#passages = grown(this.#passages, term + 1);
      this.#often = grown(this.#often, term + 1);
    }
    this.#length += length;
    if (this.#passages[term] === this.#passage) this.#often[term] = (this.#often[term] as number) + weight;
    else {
      this.#passages[term] = this.#passage;
      this.#often[term] = weight;
      this.#met.push(term);
    }
  }

  each(take: (term: number, often: number, length: number) => void): void {
    for (const term of this.#met) take(term, this.#often[term] as number, this.#length);
  }
}

/** Postings in the order they came. */
class PostingsLog {
  #terms = new Uint32Array(1_024);
  #ids = new Uint32Array(1_024);
  #impacts = new Uint8Array(1_024);
  length = 0;

  push(term: number, id: number, impact: number): void {
    const at = this.length++;
    if (at >= this.#terms.length) {
      this.#terms = grown(this.#terms, at + 1);
      this.#ids = grown(this.#ids, at + 1);
      this.#impacts = grown(this.#impacts, at + 1);
    }
    this.#terms[at] = term;
    this.#ids[at] = id;
    this.#impacts[at] = impact;
  }

  /** Brings the postings of each term together; answers where they are found. */
  byTerm(terms: number): (term: number) => Postings {
    const ends = new Uint32Array(terms + 1);
    for (let at = 0; at < this.length; at++) increase(ends, (this.#terms[at] as number) + 1, 1);
    for (let term = 0; term < terms; term++) increase(ends, term + 1, ends[term] as number);
    const ids = new Uint32Array(this.length);
    const impacts = new Uint8Array(this.length);
    const next = ends.slice();
    for (let at = 0; at < this.length; at++) {
      const term = this.#terms[at] as number;
      const place = next[term] as number;
      next[term] = place + 1;
      ids[place] = this.#ids[at] as number;
      impacts[place] = this.#impacts[at] as number;
    }
    return (term) => {
      const [from, to] = [ends[term] as number, ends[term + 1] as number];
      return { ids: ids.subarray(from, to), impacts: impacts.subarray(from, to), length: to - from };
    };
  }
}

function increase(numbers: Uint32Array, at: number, by: number): void {
  numbers[at] = (numbers[at] as number) + by;
}

/** The same numbers with room for more. */
function grown<Numbers extends Uint8Array | Uint32Array | Float64Array>(numbers: Numbers, least: number): Numbers {
  const more = new (numbers.constructor as new (length: number) => Numbers)(Math.max(least, numbers.length * 2));
  more.set(numbers);
  return more;
}
