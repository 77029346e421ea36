import type { Caller } from "../context.ts";
import type { Database } from "../store/sqlite/database.ts";
import { visiblePairs } from "../store/visibility.ts";
import type { Scope } from "./scope.ts";
import { matchAny } from "./terms.ts";

/** A passage that matched. */
export interface Hit {
  /** Of the passage. */
  readonly id: number;
  /** Number of the document it is of: ids are unique within a pair only. */
  readonly document: number;
  /** Higher is better; comparable within one list only. */
  readonly score: number;
}

/** A passage the index found, without what the store knows of it. */
export type Found = Omit<Hit, "document">;

/**
 * The passages an answer is drawn from, and that words are rare or common in. Whoever does not see everything is
 * answered from a corpus of what they see: how often a word occurs elsewhere tells what is written there.
 */
export interface Corpus {
  /** How many there are. */
  readonly passages: number;
  /** In how many of them a word occurs, in any of its forms, counted no further than `most`. Asks `in_time()`. */
  holding(word: string, most: number): number;
  /**
   * Those of the scope that match any of the terms (words, or words side by side), best first, at most `limit`: BM25,
   * whose parts are counted over the whole corpus. Asks `in_time()`.
   */
  match(terms: readonly string[], scope: Scope, limit: number): readonly Found[];
}

/** Weights of title, heading, text and words about the document. */
const WEIGHTS = { title: 2, heading: 1.5, text: 1, about: 0.7 } as const;
const WEIGHT_LIST = Object.values(WEIGHTS).join(", ");

/** What a caller may be answered from. */
export function corpusOf(db: Database, caller: Caller): Corpus {
  const pairs = visiblePairs(db, caller);
  return pairs === null ? wholeCorpus(db) : visibleCorpus(db, pairs);
}

/** Everything there is, counted and ranked by the index itself. */
function wholeCorpus(db: Database): Corpus {
  return {
    passages: countPassages(db),
    holding: (word, most) => countPassagesUpTo(db, word, most),
    match: (terms, scope, limit) =>
      db.all(
        `SELECT passages_index.rowid AS id, -bm25(passages_index, ${WEIGHT_LIST}) AS score
         FROM passages_index ${scope.join}
         WHERE passages_index MATCH ? AND (passages_index.rowid & 63 OR in_time()) ${scope.where}
         ORDER BY score DESC LIMIT ?`,
        matchAny(terms),
        ...scope.values,
        limit,
      ),
  };
}

/** How many passages the index holds. Asks the index for its lengths, one small row each: the fastest to count. */
function countPassages(db: Database): number {
  return db.value("SELECT count(*) FROM passages_index_docsize");
}

/** In how many passages a word occurs, in any of its forms, counted no further than `most`. */
function countPassagesUpTo(db: Database, word: string, most: number): number {
  return db.value(
    "SELECT count(*) FROM (SELECT 1 FROM passages_index WHERE passages_index MATCH ? LIMIT ?)",
    `"${word.replaceAll('"', "")}"`,
    most,
  );
}

// ── The part of the index a limited caller may see ──────────────────────────────────────────────────────────────

/** The constants of FTS5's own bm25(). */
const K1 = 1.2;
const B = 0.75;
/** What a word counts at least, as there: one in more than half of all passages would count against them. */
const LEAST_IDF = 1e-6;

/** Passage -> how often a term occurs in it, by weight of the column. */
type Occurrences = ReadonlyMap<number, number>;

/**
 * The corpus of what stands under these pairs, with counts of its own. The index counts over everything, so that only how
 * often each visible passage holds a term is taken from it, and BM25 is worked out here as FTS5 does it, over what is
 * visible. The result is what an index holding nothing else would give.
 */
function visibleCorpus(db: Database, visible: readonly number[]): Corpus {
  const pairs = JSON.stringify(visible.toSorted((one, other) => one - other));
  const lengths = lengthsOf(db, pairs);
  const known = new Map<string, Occurrences>();
  const occurrences = (term: string): Occurrences => {
    let found = known.get(term);
    if (found === undefined) known.set(term, (found = readOccurrences(db, pairs, lengths, term)));
    return found;
  };
  return {
    passages: lengths.of.size,
    holding: (word, most) => Math.min(most, known.get(word)?.size ?? countVisible(db, pairs, word, most)),
    match(terms, scope, limit) {
      const allowed = scope.isFiltered ? passagesOf(db, scope) : lengths.of;
      const scores = new Map<number, number>();
      for (const term of terms) {
        const found = occurrences(term);
        const idf = idfOf(lengths.of.size, found.size);
        for (const [id, often] of found) {
          if (!allowed.has(id)) continue;
          const damping = dampingOf(lengths.of.get(id) ?? 0, lengths.average);
          scores.set(id, (scores.get(id) ?? 0) + (idf * often * (K1 + 1)) / (often + damping));
        }
      }
      return best(scores, limit);
    },
  };
}

/** What holds back a term that occurs often, more in a long passage. */
function dampingOf(length: number, average: number): number {
  return K1 * (1 - B + (B * length) / average);
}

function idfOf(passages: number, holding: number): number {
  const idf = Math.log((passages - holding + 0.5) / (holding + 0.5));
  return idf <= 0 ? LEAST_IDF : idf;
}

function best(scores: ReadonlyMap<number, number>, limit: number): Found[] {
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .toSorted((one, other) => other.score - one.score || one.id - other.id)
    .slice(0, limit);
}

/** The passages a scope leaves. */
function passagesOf(db: Database, scope: Scope): ReadonlySet<number> {
  const ids = db.values<number>(
    `SELECT passages.id FROM documents JOIN passages ON passages.document = documents.number WHERE 1 ${scope.where}`,
    ...scope.values,
  );
  return new Set(ids);
}

/** How many tokens each passage has. */
interface Lengths {
  readonly of: ReadonlyMap<number, number>;
  readonly average: number;
}

/** What was read of an index as it stands now, by the pairs it was read for: nobody is answered from another's. */
interface Remembered {
  /** Changes with every write to the index. */
  readonly epoch: string;
  readonly byPairs: Map<string, Lengths>;
}

const remembered = new WeakMap<Database, Remembered>();
/** Sets of pairs whose lengths are remembered at one time. */
const MAX_REMEMBERED = 8;

function lengthsOf(db: Database, pairs: string): Lengths {
  const epoch = epochOf(db);
  let memory = remembered.get(db);
  if (memory?.epoch !== epoch) remembered.set(db, (memory = { epoch, byPairs: new Map() }));
  let lengths = memory.byPairs.get(pairs);
  if (lengths === undefined) {
    const [oldest] = memory.byPairs.keys();
    if (memory.byPairs.size === MAX_REMEMBERED && oldest !== undefined) memory.byPairs.delete(oldest);
    memory.byPairs.set(pairs, (lengths = readLengths(db, pairs)));
  }
  return lengths;
}

/** The record of the index that tells which parts it has: every write makes a new part. */
function epochOf(db: Database): string {
  return db.value("SELECT hex(block) FROM passages_index_data WHERE id = 10");
}

function readLengths(db: Database, pairs: string): Lengths {
  const rows = db.all<{ id: number; sz: Uint8Array }>(
    `SELECT docsize.id, docsize.sz FROM documents
     JOIN passages ON passages.document = documents.number JOIN passages_index_docsize AS docsize ON docsize.id = passages.id
     WHERE documents.pair_id IN (SELECT value FROM json_each(?)) AND (docsize.id & 63 OR in_time())`,
    pairs,
  );
  const of = new Map<number, number>();
  let total = 0;
  for (const { id, sz } of rows) {
    const length = numbersOf(sz).reduce((sum, one) => sum + one, 0);
    of.set(id, length);
    total += length;
  }
  return { of, average: total / Math.max(1, of.size) };
}

/** Numbers as the index writes them: seven bits a byte, the high bit says that more follow. */
function numbersOf(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 128 + (byte & 0x7f);
    if (byte & 0x80) continue;
    numbers.push(number);
    number = 0;
  }
  return numbers;
}

/** Weights are whole multiples of this, and so is what they add up to. */
const SMALLEST_WEIGHT = 0.1;

/**
 * How often each visible passage holds a term. The index tells this of a row only as part of its bm25(), in which its
 * counts over everything are known: solved for how often, and brought to the next multiple of the weights, nothing is left
 * of them.
 */
function readOccurrences(db: Database, pairs: string, lengths: Lengths, term: string): Occurrences {
  const query = matchAny([term]);
  const whole = totalsOf(db);
  const idf = idfOf(whole.passages, countPassagesUpTo(db, term, whole.passages));
  const rows = db.all<Found>(
    `SELECT passages_index.rowid AS id, -bm25(passages_index, ${WEIGHT_LIST}) AS score
     FROM passages_index ${VISIBLE}
     WHERE passages_index MATCH ? AND (passages_index.rowid & 63 OR in_time())
       AND documents.pair_id IN (SELECT value FROM json_each(?))`,
    query,
    pairs,
  );
  const found = new Map<number, number>();
  for (const { id, score } of rows) {
    const often = (score * dampingOf(lengths.of.get(id) ?? 0, whole.average)) / (idf * (K1 + 1) - score);
    found.set(id, Math.round(often / SMALLEST_WEIGHT) * SMALLEST_WEIGHT);
  }
  return found;
}

/** In how many visible passages a word occurs, counted no further than `most`. */
function countVisible(db: Database, pairs: string, word: string, most: number): number {
  return db.value(
    `SELECT count(*) FROM (
       SELECT 1 FROM passages_index ${VISIBLE}
       WHERE passages_index MATCH ? AND (passages_index.rowid & 63 OR in_time())
         AND documents.pair_id IN (SELECT value FROM json_each(?)) LIMIT ?)`,
    matchAny([word]),
    pairs,
    most,
  );
}

const VISIBLE = `JOIN passages ON passages.id = passages_index.rowid JOIN documents ON documents.number = passages.document`;

/** What the index counts over everything: its record of so many rows, and so many tokens in each column. */
function totalsOf(db: Database): { passages: number; average: number } {
  const [passages = 0, ...tokens] = numbersOf(db.value("SELECT block FROM passages_index_data WHERE id = 1"));
  return { passages, average: tokens.reduce((sum, one) => sum + one, 0) / Math.max(1, passages) };
}
