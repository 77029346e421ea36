import type { DatabaseSync, StatementSync } from "node:sqlite";
import { isFunctionWord } from "@threadlore/language";
import { isOfCharacters } from "../analysis.ts";
import type { Bitmap } from "../postings/bitmap.ts";
import { FEEDBACK_FROM, feedbackTerms } from "./feedback.ts";
import { rarityOf, scoreOf, weightOf } from "../postings/impact.ts";
import { stateOf } from "../postings/index-writer.ts";
import { KnownWords, type Seen, termsIn } from "./known-words.ts";
import { type Meaning, Meanings, type MeantPassages } from "./meaning.ts";
import { NearDuplicates } from "./near-duplicates.ts";
import { mostNearness, nearnessOf, type PassageWords, readPassage } from "./neighbours.ts";
import { type SearchedWord, askedCharacters, type Question, readQuestion } from "./question.ts";
import { byDocument, type ScoredPassage, sorted, withMeaning } from "./ranking.ts";
import { type Filter, Scopes } from "../postings/scope.ts";
import { TermReader } from "../postings/term-reader.ts";
import { type Scored, topPassages, type WeighedList } from "../postings/top-passages.ts";

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
  /** Most passages the caller may see for which the search is widened by what the first finds say. */
  readonly feedbackUpTo: number;
  /** The question's vector. Absent: words alone decide. */
  readonly meaning?: Meaning | undefined;
  /** Makes older documents count less. Absent: age does not matter. */
  readonly decay?: Decay | undefined;
}

/** How documents lose weight with age. */
export interface Decay {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Age at which a document counts half, milliseconds. */
  readonly halfLifeMs: number;
}

/** What the index knows of a question. */
export interface IndexFound {
  /** The best first; near-copies once. */
  readonly passages: readonly FoundPassage[];
  /** How many passages the caller may see. */
  readonly corpus: number;
  /** The words that say something, each once, in the order they were asked. */
  readonly words: readonly SearchedWord[];
}

/** How common words are in what somebody may see. */
export interface WordCounts {
  readonly corpus: number;
  readonly words: readonly SearchedWord[];
}

/** A passage that was found. */
export interface FoundPassage {
  /** Number of its document. */
  readonly document: number;
  /** Position in the document, from 0. */
  readonly ordinal: number;
  /** What search weighs as the title; may be "". */
  readonly title: string;
  /** Headings above it, outermost first, joined by " > "; may be "". */
  readonly heading: string;
  readonly text: string;
  /** Of the section it was cut from. */
  readonly link: string | null;
  /** ISO 639-1 code; "" where nothing tells. */
  readonly language: string;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
  /** How like the question's vector its own is, -1 to 1; absent: one of them has none. */
  readonly similarity?: number;
}

/** The search took longer than it may. */
export class OutOfTime extends Error {}

/** Passages that are looked at where more is done than to add up words. */
const DEPTH = 200;
/** Those whose texts are read, for words that stand side by side. */
const READ = 40;

/** A passage as it is read from the index. */
interface PassageRow extends Omit<FoundPassage, "score" | "similarity"> {
  readonly id: number;
  readonly updatedAt: number;
}

/** An open index, and what is remembered of it from one question to the next. */
export class SearchIndex {
  readonly #sqlite: DatabaseSync;
  readonly #terms: TermReader;
  readonly #scopes: Scopes;
  readonly #words: KnownWords;
  readonly #meanings: Meanings;
  readonly #passage: StatementSync;
  #everything: Seen | undefined;
  /** What the search at hand has read. */
  readonly #rows = new Map<number, PassageRow | undefined>();
  readonly #texts = new Map<number, PassageWords>();

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite;
    this.#terms = new TermReader(sqlite);
    this.#scopes = new Scopes(sqlite, this.#terms);
    this.#words = new KnownWords(sqlite, this.#terms, this.#scopes);
    this.#meanings = new Meanings(sqlite);
    this.#passage = sqlite.prepare(PASSAGE);
  }

  /** The best passages for a question, in the index as it stands now. Throws OutOfTime. */
  search(query: IndexQuery): IndexFound {
    const inTime = timer(query.budgetMs);
    return this.#reading(() => {
      const seen = this.#seen(query.visible);
      const question = readQuestion(query.text, this.#words, seen, inTime);
      const allowed = this.#scopes.of(query.filter).and(seen.passages);
      const meant = query.meaning && this.#meanings.compare(query.meaning, allowed, inTime);
      const passages = query.limit < 1 ? [] : this.#ranked(query, question, seen, allowed, meant, inTime);
      return { passages, corpus: seen.size, words: question.words };
    });
  }

  /** The passages that hold a question's words, by these alone, as the search begins with them. Throws OutOfTime. */
  match({ text, visible, filter, limit, budgetMs }: Omit<IndexQuery, "feedbackUpTo">) {
    const inTime = timer(budgetMs);
    return this.#reading(() => {
      const seen = this.#seen(visible);
      const question = readQuestion(text, this.#words, seen, inTime);
      const found = topPassages(question.lists, this.#scopes.of(filter).and(seen.passages), limit, inTime);
      const passages = found.flatMap(({ id, sum }) => {
        const row = this.#read(id);
        return row === undefined ? [] : [{ ...row, score: scoreOf(sum) }];
      });
      return { passages, corpus: seen.size, words: question.words };
    });
  }

  /** How common the words of a text are, folded, over what the caller may see. Throws OutOfTime. */
  count(words: readonly string[], visible: readonly number[] | undefined, budgetMs: number): WordCounts {
    const inTime = timer(budgetMs);
    return this.#reading(() => {
      const seen = this.#seen(visible);
      const languages = this.#words.languagesFor(words.join(" "), seen);
      const counted = words.map((word): SearchedWord => {
        inTime();
        if (isFunctionWord(word, languages[0])) return { word, terms: [], holding: 0 };
        if (isOfCharacters(word)) {
          return askedCharacters(word, languages[0], (term) => this.#words.holding(term, seen));
        }
        const { terms, holding, corrected } = this.#words.find(word, termsIn(word, languages), languages, seen);
        return { word, terms, holding, ...(corrected !== undefined && { corrected }) };
      });
      return { corpus: seen.size, words: counted };
    });
  }

  #reading<Result>(work: () => Result): Result {
    this.#sqlite.exec("BEGIN");
    try {
      this.#scopes.refresh(Number(stateOf(this.#sqlite, "epoch") ?? 0));
      return work();
    } finally {
      this.#rows.clear();
      this.#texts.clear();
      this.#sqlite.exec("COMMIT");
    }
  }

  /** Who sees everything sees the same until the index is another. */
  #seen(visible: readonly number[] | undefined): Seen {
    const passages = this.#scopes.of({ pairs: visible });
    if (visible === undefined && this.#everything?.passages === passages) return this.#everything;
    const seen = { passages, size: passages.size, isLimited: visible !== undefined };
    if (visible === undefined) this.#everything = seen;
    return seen;
  }

  #ranked(
    query: IndexQuery,
    question: Question,
    seen: Seen,
    allowed: Bitmap,
    meant: MeantPassages | undefined,
    inTime: () => void,
  ): FoundPassage[] {
    // Some more than asked for, since near-copies fall away.
    const depth = Math.max(query.limit * 2 + 10, DEPTH);
    const first = topPassages(question.lists, allowed, depth, inTime);
    let ranked = this.#withNeighbours(first, query, question, inTime);
    if (seen.size <= query.feedbackUpTo && !isAskedInCharacters(question)) {
      const further = this.#feedback(ranked.slice(0, FEEDBACK_FROM), question, seen);
      if (further.length > 0) {
        const gained = new Map(ranked.map(({ id, nearness }) => [id, nearness]));
        const wider = topPassages([...question.lists, ...further], allowed, depth, inTime);
        ranked = sorted(wider.map(({ id, sum }) => ({ id, score: scoreOf(sum) + (gained.get(id) ?? 0), nearness: 0 })));
      }
    }
    const fused = meant === undefined ? ranked : withMeaning(ranked, meant, fullScore(question, seen));
    return this.#picked(fused, query, meant, inTime);
  }

  /** The same passages; those that can come among the best are read, and gain where the question's words stand together. */
  #withNeighbours(found: readonly Scored[], { limit }: IndexQuery, question: Question, inTime: () => void) {
    const most = mostNearness(question);
    const scored = found.map(({ id, sum }) => ({ id, score: scoreOf(sum), nearness: 0 }));
    const wanted = scored[Math.min(limit, scored.length) - 1]?.score ?? 0;
    for (const one of scored.slice(0, READ)) {
      if (most === 0 || one.score + most < wanted) break;
      inTime();
      const read = this.#readTerms(one.id, question);
      if (read === undefined) continue;
      one.nearness = nearnessOf(read, question);
      one.score += one.nearness;
    }
    return sorted(scored);
  }

  #feedback(best: readonly ScoredPassage[], question: Question, seen: Seen): WeighedList[] {
    const texts = best.flatMap(({ id, score }) => {
      const read = this.#readTerms(id, question);
      return read === undefined ? [] : [{ score, terms: read.terms }];
    });
    const taken = feedbackTerms(
      texts,
      (term) => question.places.has(term),
      seen.size,
      (term) => this.#words.holding(term, seen),
    );
    return taken.flatMap(({ term, weight }) => {
      const known = this.#terms.read(term);
      return known === undefined ? [] : [{ list: known.list, weight }];
    });
  }

  /** The passages to show, read as far as they are needed. */
  #picked(
    ranked: readonly ScoredPassage[],
    { limit, decay }: IndexQuery,
    meant: MeantPassages | undefined,
    inTime: () => void,
  ): FoundPassage[] {
    inTime();
    const rows = ranked.slice(0, Math.max(limit * 2 + 10, READ)).flatMap(({ id, score }) => {
      const row = this.#read(id);
      return row === undefined ? [] : [{ ...row, score: score * freshness(row.updatedAt, decay) }];
    });
    const duplicates = new NearDuplicates();
    const picked: FoundPassage[] = [];
    for (const { id, updatedAt: _, ...passage } of byDocument(rows)) {
      if (picked.length === limit) break;
      if (!duplicates.isNew(`${passage.title} ${passage.text}`)) continue;
      const similarity = meant?.of.get(id);
      picked.push({ ...passage, ...(similarity !== undefined && { similarity }) });
    }
    return picked;
  }

  #readTerms(id: number, question: Question): PassageWords | undefined {
    const row = this.#read(id);
    if (row === undefined) return undefined;
    let read = this.#texts.get(id);
    if (read === undefined) this.#texts.set(id, (read = readPassage(partsOf(row), row.language, question)));
    return read;
  }

  #read(id: number): PassageRow | undefined {
    if (!this.#rows.has(id)) this.#rows.set(id, this.#passage.get(id) as PassageRow | undefined);
    return this.#rows.get(id);
  }
}

const PASSAGE = `
  SELECT id, document, ordinal, title, heading, text, link, language, updated_at AS updatedAt
  FROM passages JOIN documents ON number = document WHERE id = ?`;

/** What Chinese and Japanese texts share by pairs of characters names no subject: measured, it found less. */
function isAskedInCharacters({ places }: Question): boolean {
  return [...places.keys()].some(isOfCharacters);
}

function partsOf({ title, heading, text }: PassageRow): readonly string[] {
  return [title, heading, text];
}

function freshness(updatedAt: number, decay: Decay | undefined): number {
  return decay === undefined ? 1 : 0.5 ** (Math.max(0, decay.now - updatedAt) / decay.halfLifeMs);
}

/** What a passage counts that holds every word of the question, also those nobody wrote. */
function fullScore({ words }: Question, { size }: Seen): number {
  const full = words.reduce((sum, { holding }) => sum + weightOf(rarityOf(size, holding)), 0);
  return Math.max(full, 1);
}

function timer(budgetMs: number): () => void {
  const until = performance.now() + budgetMs;
  return () => {
    if (performance.now() > until) throw new OutOfTime("the search took too long");
  };
}
