import { isFunctionWord, foldedWordsOf, languageOf } from "@threadlore/language";
import type { Database } from "../../store/sqlite/database.ts";
import { languageOfText, termsOfText } from "../analysis.ts";
import {
  type FoundPassage,
  type IndexFound,
  type IndexQuery,
  OutOfTime,
  type WordCounts,
} from "../engine/index-query.ts";
import { NearDuplicates } from "../engine/near-duplicates.ts";
import type { SearchedWord } from "../engine/question.ts";
import { byDocument, sorted } from "../engine/ranking.ts";
import type { Answering } from "../hosting/answering.ts";
import { rarityOf, WEIGHTS } from "../postings/impact.ts";
import type { Filter } from "../postings/scope.ts";
import type { Former, KnownVector, SamePassage } from "./former.ts";
import { FormerVectors } from "./former-vectors.ts";
import { LeavingTables, tablesLeft } from "./former-tables-removal.ts";

const SQL = {
  places: "SELECT id, ordinal FROM passages WHERE document = ?",
  vector: `SELECT model, vector FROM vectors JOIN passages ON passages.id = passage_id
           WHERE passages.id = ? AND title = ? AND text = ?`,
  any: "SELECT 1 FROM vectors LIMIT 1",
};

/** The index of the version that kept it among the database's own tables, with SQLite's full-text search. */
export class FormerTables implements Former {
  readonly answering: Answering | undefined;
  readonly #leaving: LeavingTables;
  readonly #vectors: FormerVectors | undefined;

  constructor(db: Database) {
    this.#leaving = new LeavingTables(db);
    // Named so they are as that version left them: see `LeavingTables`.
    const areWhole = tablesLeft(db).includes("passages");
    if (!areWhole || db.get("SELECT 1 FROM passages LIMIT 1") === undefined) return;
    // What is deleted leaves the passages; that the full-text index names it still costs nothing, and to take it out would.
    db.sqlite.exec("DROP TRIGGER IF EXISTS passages_deleted");
    this.#vectors = new FormerVectors(db.sqlite, SQL);
    this.answering = new FullTextSearch(db);
  }

  get hasVectors(): boolean {
    return this.#vectors?.any ?? false;
  }

  vectorOf(passage: SamePassage): KnownVector | undefined {
    return this.#vectors?.find(passage);
  }

  async removeSome(): Promise<boolean> {
    return this.#leaving.removeSome();
  }

  async close(): Promise<void> {
    // They are the database's, which closes them.
  }
}

/** Passages that hold a word are counted up to here: one that more of them hold says little. */
const MAX_COUNTED = 10_000;
/** Passages that are ranked: first what holds the rarest words. */
const MAX_RANKED = 2_000;
/** Words of a question that are looked for. */
const MAX_WORDS = 32;

/** A passage that holds a word. */
interface Hit {
  readonly id: number;
  /** Without the word's rarity; comparable among the passages that hold it. */
  readonly score: number;
}

/** Answers by words as that version did, put simply: BM25 over what the caller may see. */
class FullTextSearch implements Answering {
  readonly #db: Database;
  /** By what may be seen: counted once, since from here on passages only leave. */
  readonly #corpora = new Map<string, number>();

  constructor(db: Database) {
    this.#db = db;
  }

  async search({ text, visible, filter, limit, budgetMs, decay }: IndexQuery): Promise<IndexFound> {
    const inTime = timer(budgetMs);
    const corpus = this.#corpus(visible);
    const language = languageOf(text) ?? "";
    const words = tellingWords(text, language).map((word) => this.#word(word, language, visible, inTime));
    const scores = new Map<number, number>();
    let ranked = 0;
    for (const { word, holding } of words.toSorted((one, other) => one.holding - other.holding)) {
      if (holding === 0 || ranked >= MAX_RANKED) continue;
      inTime();
      const hits = this.#hits(word, visible, filter);
      const best = hits.reduce((most, { score }) => Math.max(most, score), 0);
      // The rarity over what is seen, and nothing of what stands elsewhere.
      const weight = best > 0 ? rarityOf(corpus, holding) / best : 0;
      for (const { id, score } of hits) scores.set(id, (scores.get(id) ?? 0) + weight * score);
      ranked += hits.length;
    }
    const first = sorted(Array.from(scores, ([id, score]) => ({ id, score }))).slice(0, limit * 2 + 10);
    const rows = first.flatMap(({ id, score }) => {
      const row = this.#db.get<PassageRow>(PASSAGE, id);
      if (row === undefined) return [];
      const age = decay === undefined ? 0 : Math.max(0, decay.now - row.updatedAt) / decay.halfLifeMs;
      return [{ ...row, score: score * 0.5 ** age }];
    });
    return { passages: picked(rows, limit), corpus, words };
  }

  async count(words: readonly string[], visible: readonly number[] | undefined, budgetMs: number): Promise<WordCounts> {
    const inTime = timer(budgetMs);
    const language = languageOf(words.join(" ")) ?? "";
    const counted = words.map((word): SearchedWord =>
      isFunctionWord(word, language) ? { word, terms: [], holding: 0 } : this.#word(word, language, visible, inTime),
    );
    return { corpus: this.#corpus(visible), words: counted };
  }

  #corpus(visible: readonly number[] | undefined): number {
    const key = JSON.stringify(visible ?? null);
    let passages = this.#corpora.get(key);
    if (passages === undefined) this.#corpora.set(key, (passages = this.#db.value<number>(CORPUS, key)));
    return passages;
  }

  #word(word: string, language: string, visible: readonly number[] | undefined, inTime: () => void): SearchedWord {
    inTime();
    const { from, where, values } = scopeOf(visible, {});
    const holding = this.#db.value<number>(
      `SELECT count(*) FROM (SELECT 1 ${from} WHERE passages_index MATCH ? ${where} LIMIT ${MAX_COUNTED})`,
      asPhrase(word),
      ...values,
    );
    return { word, terms: termsOfText(word, language), holding };
  }

  #hits(word: string, visible: readonly number[] | undefined, filter: Filter): Hit[] {
    const { from, where, values } = scopeOf(visible, filter);
    return this.#db.all<Hit>(
      `SELECT passages_index.rowid AS id, -bm25(passages_index, ${WEIGHT_LIST}) AS score
       ${from} WHERE passages_index MATCH ? ${where} LIMIT ${MAX_RANKED}`,
      asPhrase(word),
      ...values,
    );
  }
}

const WEIGHT_LIST = Object.values(WEIGHTS).join(", ");

/** What may be found, as SQL behind the full-text index. Its documents are joined only where they decide. */
function scopeOf(visible: readonly number[] | undefined, { pairs, sources, tags, since, until }: Filter) {
  const conditions: readonly (readonly [string, string | number | undefined])[] = [
    ["pair_id IN (SELECT value FROM json_each(?))", visible && JSON.stringify(visible)],
    ["pair_id IN (SELECT value FROM json_each(?))", pairs && JSON.stringify(pairs)],
    ["source IN (SELECT value FROM json_each(?))", sources && JSON.stringify(sources)],
    [HAS_TAG, tags && JSON.stringify(tags.map(({ key, value }) => [key, value]))],
    ["updated_at >= ?", since],
    ["updated_at <= ?", until],
  ];
  const set = conditions.filter((one): one is readonly [string, string | number] => one[1] !== undefined);
  const joins = "JOIN passages ON passages.id = passages_index.rowid JOIN documents ON number = document";
  return {
    from: `FROM passages_index ${set.length === 0 ? "" : joins}`,
    where: set.map(([condition]) => `AND ${condition}`).join(" "),
    values: set.map(([, value]) => value),
  };
}

const HAS_TAG = `EXISTS (
  SELECT 1 FROM tags JOIN json_each(?) ON tag_key = value ->> 0 AND tag_value = value ->> 1 WHERE tags.document = number)`;

/** A word as the full-text index is asked for it: nothing in it can be read as an operator. */
function asPhrase(word: string): string {
  return `"${word.replaceAll('"', "")}"`;
}

/** The best first, near-copies once. */
function picked(rows: readonly (PassageRow & { readonly score: number })[], limit: number): FoundPassage[] {
  const duplicates = new NearDuplicates();
  const found: FoundPassage[] = [];
  for (const { id: _, updatedAt: _at, ...passage } of byDocument(rows)) {
    if (found.length >= limit) break;
    if (!duplicates.isNew(`${passage.title} ${passage.text}`)) continue;
    found.push({ ...passage, language: languageOfText(passage.text) });
  }
  return found;
}

/** The words of a question that say something, each once, in the order they were asked. */
function tellingWords(text: string, language: string): string[] {
  const words = [...new Set(foldedWordsOf(text.slice(0, 20_000).toWellFormed()))];
  const telling = words.filter((word) => !isFunctionWord(word, language));
  return (telling.length === 0 ? words : telling).slice(0, MAX_WORDS);
}

function timer(budgetMs: number): () => void {
  const until = performance.now() + budgetMs;
  return () => {
    if (performance.now() > until) throw new OutOfTime("the search took too long");
  };
}

/** A passage as that version kept it. */
interface PassageRow extends Omit<FoundPassage, "score" | "similarity" | "language"> {
  readonly id: number;
  readonly updatedAt: number;
}

const CORPUS = `
  SELECT count(*) FROM passages JOIN documents ON number = document
  WHERE ?1 = 'null' OR pair_id IN (SELECT value FROM json_each(?1))`;

const PASSAGE = `
  SELECT passages.id, document, ordinal, passages.title, heading, text, passages.link, updated_at AS updatedAt
  FROM passages JOIN documents ON number = document WHERE passages.id = ?`;
