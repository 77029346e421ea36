import type { Database } from "../store/sqlite/database.ts";
import type { Corpus, Found, Hit } from "./corpus.ts";
import { feedbackTerms } from "./feedback.ts";
import type { Scope } from "./scope.ts";
import type { Terms } from "./terms.ts";

/** A hit, and the passage's position in its document. */
interface Located extends Hit {
  readonly ordinal: number;
}

/** Passages that are ranked where lists are fused. */
const DEPTH = 200;
/** Passages that are ranked by meaning: every one is like the question to some degree, so the rest says little. */
const MEANT = 50;
/** What two words side by side count, measured on each by itself. */
const PAIR_WEIGHT = 0.5;

/**
 * The passages that match any of the terms, best first, as one list or as two to be fused: by the words asked for, and
 * by these together with what the best of the first say. In an index of more than `feedbackUpTo` passages, by the words
 * alone. Asks `in_time()`.
 * @param least passages wanted at least, where so many match
 */
export function rankByWords(
  db: Database,
  corpus: Corpus,
  terms: Terms,
  scope: Scope,
  { least, feedbackUpTo }: { readonly least: number; readonly feedbackUpTo: number },
): readonly (readonly Hit[])[] {
  if (corpus.passages > feedbackUpTo) return [located(db, corpus.match(terms.words, scope, least))];
  const depth = Math.max(least, DEPTH);
  const words = corpus.match(terms.words, scope, depth);
  // Words that stand side by side as they were asked for say more than the same words apart.
  const pairs = terms.pairs.length === 0 ? [] : corpus.match(terms.pairs, scope, depth);
  const first = located(db, sum(words, pairs, PAIR_WEIGHT).slice(0, depth));
  const further = feedbackTerms(db, terms.words, first, corpus);
  if (further.length === 0) return [first];
  const second = sum(words, corpus.match(further, scope, depth), 1);
  return [first, located(db, second.slice(0, depth), first)];
}

/**
 * The passages whose vectors are most like the question's, best first; none where none is. Looks at each vector in scope,
 * so its time grows with their number. Asks `in_time()`.
 */
export function rankByMeaning(db: Database, model: string, question: Float32Array, scope: Scope): readonly Hit[] {
  return db.all(
    `WITH found AS MATERIALIZED (
       SELECT passages_index.rowid AS id, similarity(vector, ?) AS score
       FROM (SELECT passage_id AS rowid, vector FROM vectors WHERE model = ? AND vector IS NOT NULL) AS passages_index
       ${scope.join}
       WHERE (passages_index.rowid & 63 OR in_time()) ${scope.where}
       ORDER BY score DESC, id LIMIT ?)
     SELECT found.id, document, score FROM found JOIN passages ON passages.id = found.id
     WHERE score > 0 ORDER BY score DESC, found.id`,
    new Uint8Array(question.buffer, question.byteOffset, question.byteLength),
    model,
    ...scope.values,
    MEANT,
  );
}

/**
 * Two lists of the same search as one, each hit with what both give it. What an index query gives a passage is a sum over
 * its words, so the words of a query can be looked up list by list.
 */
function sum(first: readonly Found[], second: readonly Found[], weight: number): readonly Found[] {
  const scores = new Map(first.map(({ id, score }) => [id, score]));
  for (const { id, score } of second) scores.set(id, (scores.get(id) ?? 0) + score * weight);
  return [...scores].map(([id, score]) => ({ id, score })).toSorted((one, other) => other.score - one.score);
}

/**
 * The same passages with the documents they are of; of equals the newest document comes first, then in reading order.
 * @param known hits that need not be looked up again
 */
function located(db: Database, found: readonly Found[], known: readonly Located[] = []): readonly Located[] {
  const places = new Map<number, Omit<Located, "score">>(known.map((hit) => [hit.id, hit]));
  const missing = found.filter(({ id }) => !places.has(id)).map(({ id }) => id);
  const rows = db.all<Omit<Located, "score">>(
    "SELECT id, document, ordinal FROM passages WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(missing),
  );
  for (const row of rows) places.set(row.id, row);
  return found
    .flatMap(({ id, score }) => {
      const place = places.get(id);
      return place === undefined ? [] : [{ ...place, score }];
    })
    .toSorted(
      (one, other) =>
        other.score - one.score || other.id - other.ordinal - (one.id - one.ordinal) || one.ordinal - other.ordinal,
    );
}

/** A document that matched, with its passages that did, best first. */
export interface RankedDocument {
  /** Its number. */
  readonly document: number;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
  readonly passages: readonly number[];
}

/** How much the first ranks of a list count before the later ones: the usual constant of reciprocal rank fusion. */
const RANK_OFFSET = 60;

/**
 * The documents of several lists, best first. A document stands in a list where its best passage does; by one list it is
 * ranked as it stands there, by several by the sum of its reciprocal ranks. Its passages keep the order of the first list
 * that holds them.
 */
export function fuse(lists: readonly (readonly Hit[])[]): RankedDocument[] {
  const documents = new Map<number, { score: number; passages: Set<number> }>();
  for (const list of lists) {
    const seen = new Set<number>();
    for (const { document, id, score } of list) {
      let ranked = documents.get(document);
      if (ranked === undefined) documents.set(document, (ranked = { score: 0, passages: new Set() }));
      ranked.passages.add(id);
      if (seen.has(document)) continue;
      seen.add(document);
      ranked.score += lists.length === 1 ? score : 1 / (RANK_OFFSET + seen.size);
    }
  }
  return [...documents]
    .map(([document, { score, passages }]) => ({ document, score, passages: [...passages] }))
    .toSorted((one, other) => other.score - one.score);
}
