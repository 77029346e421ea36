import { functionWordsOfTitle } from "../analysis.ts";
import { impactOf, WEIGHTS } from "./impact.ts";
import type { Lexicon } from "./lexicon.ts";
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

/** Postings of passages that are written together. */
export class Batch {
  readonly #lexicon: Lexicon;
  readonly #postings = new PostingsLog();
  readonly #passage = new PassageTerms();
  /** Passages that hold a term no more. */
  readonly #lost = new Map<number, number>();

  constructor(lexicon: Lexicon) {
    this.#lexicon = lexicon;
  }

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
    this.#postings.push(this.#lexicon.numberOf(mark), id, 1);
  }

  /** What was gathered, in the order terms are kept in. */
  *changes(): Generator<TermChange> {
    const sorted = this.#postings.byTerm(this.#lexicon.size);
    const numbers = new Set([...sorted.numbers, ...this.#lost.keys()]);
    const changed = Array.from(numbers, (number) => ({ number, term: this.#lexicon.termOf(number) }));
    for (const { number, term } of changed.toSorted((one, other) => (one.term < other.term ? -1 : 1))) {
      yield { term, postings: sorted.of(number), lost: this.#lost.get(number) ?? 0 };
    }
  }

  #read(passage: PassageText, language: string): PassageTerms {
    const found = this.#passage;
    found.begin();
    for (const part of ["title", "heading", "text", "about"] as const) {
      const text = passage[part];
      if (text === "") continue;
      const weight = WEIGHTS[part];
      this.#lexicon.each(text, language, (number, length) => found.count(number, weight, length));
    }
    for (const word of functionWordsOfTitle(passage.title, language)) {
      found.count(this.#lexicon.numberOf(word), WEIGHTS.title, 0);
    }
    return found;
  }
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

  /** Brings the postings of each term together; answers which terms have some, and where they are found. */
  byTerm(terms: number): { readonly numbers: readonly number[]; of(term: number): Postings } {
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
    const numbers: number[] = [];
    for (let term = 0; term < terms; term++) if (ends[term] !== ends[term + 1]) numbers.push(term);
    return {
      numbers,
      of(term) {
        const [from, to] = [ends[term] as number, ends[term + 1] as number];
        return { ids: ids.subarray(from, to), impacts: impacts.subarray(from, to), length: to - from };
      },
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
