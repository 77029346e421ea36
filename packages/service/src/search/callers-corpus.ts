import type { Caller } from "../context.ts";
import type { Database } from "../store/sqlite/database.ts";
import { countPassages, countPassagesUpTo } from "../store/term-counts.ts";
import { visiblePairs } from "../store/visibility.ts";
import { type Corpus, WEIGHTS } from "./corpus.ts";
import { matchAny } from "./terms.ts";
import { visibleCorpus } from "./visible-corpus.ts";

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
        `SELECT passages_index.rowid AS id, -bm25(passages_index, ${Object.values(WEIGHTS).join(", ")}) AS score
         FROM passages_index ${scope.join}
         WHERE passages_index MATCH ? AND (passages_index.rowid & 63 OR in_time()) ${scope.where}
         ORDER BY score DESC LIMIT ?`,
        matchAny(terms),
        ...scope.values,
        limit,
      ),
  };
}
