/**
 * The part of the index a limited caller may see, with counts of its own. The index keeps its counts over everything, so
 * that here each word's places are read from its vocabulary, the ones of hidden passages dropped, and BM25 is worked out
 * as FTS5 does it, over what is left. The result is what an index holding nothing else would give.
 */
import type { Database } from "../store/database.ts";
import { type Corpus, type Found, WEIGHTS } from "./corpus.ts";
import type { Scope } from "./scope.ts";

/** The constants of FTS5's own bm25(). */
const K1 = 1.2;
const B = 0.75;
/** What a word counts at least, as there: one in more than half of all passages would count against them. */
const LEAST_IDF = 1e-6;

/** Passage -> how often a term occurs in it, by weight of the column. */
type Occurrences = ReadonlyMap<number, number>;

/** The corpus of what stands under these pairs. */
export function visibleCorpus(db: Database, pairs: readonly number[]): Corpus {
  const lengths = lengthsOf(db, pairs);
  const known = new Map<string, Occurrences>();
  const places = new PlacesOfTokens(db, lengths.of);
  const occurrences = (term: string): Occurrences => {
    let found = known.get(term);
    if (found === undefined) known.set(term, (found = places.occurrences(term)));
    return found;
  };
  return {
    passages: lengths.of.size,
    holding: (word, most) => Math.min(most, occurrences(word).size),
    match(terms, scope, limit) {
      const allowed = scope.isFiltered ? passagesOf(db, scope) : lengths.of;
      const scores = new Map<number, number>();
      for (const term of terms) {
        const found = occurrences(term);
        const idf = idfOf(lengths.of.size, found.size);
        for (const [id, often] of found) {
          if (!allowed.has(id)) continue;
          const length = lengths.of.get(id) ?? 0;
          const score = (idf * often * (K1 + 1)) / (often + K1 * (1 - B + (B * length) / lengths.average));
          scores.set(id, (scores.get(id) ?? 0) + score);
        }
      }
      return best(scores, limit);
    },
  };
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
  const rows = db.all(
    `SELECT passages.id FROM documents JOIN passages ON passages.document = documents.number WHERE 1 ${scope.where}`,
    ...scope.values,
  );
  return new Set(rows.map((row) => Number(row["id"])));
}

// ── Lengths ─────────────────────────────────────────────────────────────────────────────────────────────────────

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
const MOST_REMEMBERED = 8;

function lengthsOf(db: Database, pairs: readonly number[]): Lengths {
  const epoch = epochOf(db);
  let memory = remembered.get(db);
  if (memory?.epoch !== epoch) remembered.set(db, (memory = { epoch, byPairs: new Map() }));
  const key = JSON.stringify(pairs.toSorted((one, other) => one - other));
  let lengths = memory.byPairs.get(key);
  if (lengths === undefined) {
    const [oldest] = memory.byPairs.keys();
    if (memory.byPairs.size === MOST_REMEMBERED && oldest !== undefined) memory.byPairs.delete(oldest);
    memory.byPairs.set(key, (lengths = readLengths(db, key)));
  }
  return lengths;
}

/** The record of the index that tells which parts it has: every write makes a new part. */
function epochOf(db: Database): string {
  const block = db.get("SELECT block FROM passages_index_data WHERE id = 10")?.["block"];
  return block instanceof Uint8Array ? Buffer.from(block).toString("latin1") : "";
}

function readLengths(db: Database, pairs: string): Lengths {
  const rows = db.all(
    `SELECT docsize.id, docsize.sz FROM documents
     JOIN passages ON passages.document = documents.number JOIN passages_index_docsize AS docsize ON docsize.id = passages.id
     WHERE documents.pair_id IN (SELECT value FROM json_each(?)) AND (docsize.id & 63 OR in_time())`,
    pairs,
  );
  const of = new Map<number, number>();
  let total = 0;
  for (const { id, sz } of rows) {
    const length = sz instanceof Uint8Array ? tokensOf(sz) : 0;
    of.set(Number(id), length);
    total += length;
  }
  return { of, average: total / Math.max(1, of.size) };
}

/** The sum of what the index notes per column: numbers of seven bits a byte, the high bit says that more follow. */
function tokensOf(sizes: Uint8Array): number {
  let sum = 0;
  let number = 0;
  for (const byte of sizes) {
    number = number * 128 + (byte & 0x7f);
    if (byte & 0x80) continue;
    sum += number;
    number = 0;
  }
  return sum;
}

// ── Places ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Where a token stands in visible passages: passage -> column and position in one number, ascending. */
type Places = ReadonlyMap<number, readonly number[]>;

/** Positions in one column are below; no passage comes near. */
const COLUMN = 2 ** 32;
const COLUMNS = Object.keys(WEIGHTS);
const WEIGHT_OF_COLUMN = Object.values(WEIGHTS);

class PlacesOfTokens {
  readonly #db: Database;
  readonly #visible: ReadonlyMap<number, unknown>;
  readonly #known = new Map<string, Places>();

  constructor(db: Database, visible: ReadonlyMap<number, unknown>) {
    this.#db = db;
    this.#visible = visible;
    // Of this connection alone: what words the index holds and where, and a way to have words cut as it cuts its own.
    db.sqlite.exec(`
      CREATE VIRTUAL TABLE IF NOT EXISTS temp.places USING fts5vocab(main, passages_index, instance);
      CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked USING fts5(
        text, tokenize = 'porter unicode61 remove_diacritics 2', content = '');
      CREATE VIRTUAL TABLE IF NOT EXISTS temp.asked_tokens USING fts5vocab(temp, asked, instance);`);
  }

  /** How often each visible passage holds a term: a word, or words that stand side by side. */
  occurrences(term: string): Occurrences {
    const [first, ...others] = this.#tokensOf(term);
    const found = new Map<number, number>();
    if (first === undefined) return found;
    const following = others.map((token) => this.#placesOf(token));
    for (const [id, places] of this.#placesOf(first)) {
      const sets = following.map((of) => new Set(of.get(id)));
      let weight = 0;
      for (const place of places) {
        if (!sets.every((set, index) => set.has(place + index + 1))) continue;
        weight += WEIGHT_OF_COLUMN[Math.floor(place / COLUMN)] ?? 0;
      }
      if (weight > 0) found.set(id, weight);
    }
    return found;
  }

  #tokensOf(term: string): string[] {
    this.#db.run("INSERT INTO temp.asked (asked) VALUES ('delete-all')");
    this.#db.run("INSERT INTO temp.asked (rowid, text) VALUES (1, ?)", term);
    return this.#db.all("SELECT term FROM temp.asked_tokens ORDER BY offset").map((row) => String(row["term"]));
  }

  #placesOf(token: string): Places {
    const known = this.#known.get(token);
    if (known !== undefined) return known;
    const places = new Map<number, number[]>();
    const rows = this.#db.all(
      `SELECT doc, col, "offset" FROM temp.places WHERE term = ? AND (doc & 63 OR in_time())`,
      token,
    );
    for (const row of rows) {
      const id = Number(row["doc"]);
      if (!this.#visible.has(id)) continue;
      const place = COLUMNS.indexOf(String(row["col"])) * COLUMN + Number(row["offset"]);
      const before = places.get(id);
      if (before === undefined) places.set(id, [place]);
      else before.push(place);
    }
    this.#known.set(token, places);
    return places;
  }
}
