import type { DatabaseSync } from "node:sqlite";
import type { Analyser } from "./analyser.ts";
import { rarityOf, scoreOf } from "./impact.ts";
import { stateOf } from "./index-writer.ts";
import { countWithin, type Filter, Scopes } from "./scope.ts";
import { type KnownTerm, TermReader } from "./term-reader.ts";
import { topPassages, type WeighedList } from "./top-passages.ts";

/** What is searched for, and in what: plain data, so that it can be answered in another thread. */
export interface IndexQuery {
  /** A question or keywords; any of its words may match. */
  readonly text: string;
  /** Pairs whose passages the caller may see: nothing else is counted. Absent: everything is. */
  readonly visible?: readonly number[] | undefined;
  /** What of these may be found. */
  readonly filter: Filter;
  /** Most passages to answer. */
  readonly limit: number;
  /** Time the search may take, milliseconds. */
  readonly budgetMs: number;
}

/** What the index knows of a question. */
export interface Found {
  /** The best first. */
  readonly passages: readonly FoundPassage[];
  /** How many passages the caller may see. */
  readonly corpus: number;
  /** The words that were searched for, each once, in the order they were asked. */
  readonly words: readonly AskedWord[];
}

/** A word of a question. */
export interface AskedWord {
  readonly word: string;
  /** What it was searched by: any of these. */
  readonly terms: readonly string[];
  /** In how many passages the caller may see one of them occurs. */
  readonly holding: number;
  /** The known word it was taken for, where none of what the caller may see holds it. */
  readonly corrected?: string;
}

/** A passage that was found. */
export interface FoundPassage {
  /** Number of its document. */
  readonly document: number;
  /** Which of the document's writes it was cut from. */
  readonly version: number;
  /** Position in the document, from 0. */
  readonly ordinal: number;
  /** What search weighs as the title; may be "". */
  readonly title: string;
  /** Headings above it, outermost first, joined by " > "; may be "". */
  readonly heading: string;
  readonly text: string;
  /** Of the section it was cut from. */
  readonly link: string | null;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
}

/** The search took longer than it may. */
export class OutOfTime extends Error {}

/** Most words of one question that are searched for. */
const MAX_WORDS = 64;

/** An open index, and what is remembered of it from one question to the next. */
export class SearchIndex {
  readonly #sqlite: DatabaseSync;
  readonly #analyser: Analyser;
  readonly #terms: TermReader;
  readonly #scopes: Scopes;

  constructor(sqlite: DatabaseSync, analyser: Analyser) {
    this.#sqlite = sqlite;
    this.#analyser = analyser;
    this.#terms = new TermReader(sqlite);
    this.#scopes = new Scopes(sqlite, this.#terms);
  }

  /** The best passages for a question, in the index as it stands now. Throws OutOfTime. */
  search(query: IndexQuery): Found {
    const until = performance.now() + query.budgetMs;
    const inTime = (): void => {
      if (performance.now() > until) throw new OutOfTime("the search took too long");
    };
    this.#sqlite.exec("BEGIN");
    try {
      this.#scopes.refresh(Number(stateOf(this.#sqlite, "epoch") ?? 0));
      return this.#answer(query, inTime);
    } finally {
      this.#sqlite.exec("COMMIT");
    }
  }

  #answer({ text, visible, filter, limit }: IndexQuery, inTime: () => void): Found {
    const seen = this.#scopes.of({ pairs: visible });
    const corpus = seen.size;
    const words: AskedWord[] = [];
    const lists: WeighedList[] = [];
    for (const [word, term] of this.#termsOf(text)) {
      inTime();
      const known = this.#terms.read(term);
      const holding = known === undefined ? 0 : visible === undefined ? known.passages : countWithin(known.list, seen);
      words.push({ word, terms: [term], holding });
      if (holding > 0) lists.push({ list: (known as KnownTerm).list, weight: rarityOf(corpus, holding) });
    }
    const allowed = this.#scopes.of(filter).and(seen);
    const passages = topPassages(lists, allowed, limit, inTime).flatMap(({ id, sum }) => this.#passage(id, sum));
    return { passages, corpus, words };
  }

  /** The words of a question that say something, each with its term; of words that have one in common the first. */
  #termsOf(text: string): Map<string, string> {
    const language = this.#analyser.languageOf(text);
    const words = new Map<string, string>();
    const terms = new Set<string>();
    for (const word of this.#analyser.wordsOf(text, language)) {
      const term = this.#analyser.termOf(word, language);
      if (term === undefined || terms.has(term) || terms.size === MAX_WORDS) continue;
      terms.add(term);
      words.set(word, term);
    }
    return words;
  }

  #passage(id: number, sum: number): FoundPassage[] {
    const row = this.#sqlite.prepare(PASSAGE).get(id) as Omit<FoundPassage, "score"> | undefined;
    return row === undefined ? [] : [{ ...row, score: scoreOf(sum) }];
  }
}

const PASSAGE = `
  SELECT document, version, ordinal, title, heading, text, link
  FROM passages JOIN documents ON number = document WHERE id = ?`;
