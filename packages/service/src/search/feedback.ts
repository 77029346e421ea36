import type { Database } from "../store/sqlite/database.ts";
import type { Corpus, Hit } from "./corpus.ts";
import { isStopWord, wordsOf } from "./terms.ts";

/** Documents whose best passages are read, and words taken from them: what did best on two public test sets. */
const READ = 5;
const TAKEN = 10;
/** Words of the passages that are looked at more closely: those the most of them hold. */
const CANDIDATES = 30;

/**
 * Words that the best passages for a question share and few others hold: what is written about a subject names it in
 * more ways than a question does. None where the passages share none.
 * @param asked words that were searched for already
 * @param hits best first
 * @param corpus what words are rare or common in
 */
export function feedbackTerms(db: Database, asked: readonly string[], hits: readonly Hit[], corpus: Corpus) {
  const { passages } = corpus;
  const best = new Map<number, number>();
  for (const { document, id } of hits) {
    if (!best.has(document)) best.set(document, id);
    if (best.size === READ) break;
  }
  const texts = db.values<string>(
    "SELECT title || ' ' || text FROM passages WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify([...best.values()]),
  );
  const shared = sharedWords(texts, new Set(asked));
  // A word in more than every twentieth passage tells little apart.
  const most = Math.floor(passages / 20);
  return shared
    .slice(0, CANDIDATES)
    .map(({ word, weight }) => ({ word, weight, holding: corpus.holding(word, most + 1) }))
    .filter(({ holding }) => holding <= most)
    .map(({ word, weight, holding }) => ({ word, weight: weight * Math.log((passages + 1) / (holding + 0.5)) }))
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, TAKEN)
    .map(({ word }) => word);
}

/** Words that at least two of the texts hold, weighed by how often each text does, the weightiest first. */
function sharedWords(texts: readonly string[], asked: ReadonlySet<string>): { word: string; weight: number }[] {
  const weights = new Map<string, { texts: number; weight: number }>();
  for (const text of texts) {
    const counts = new Map<string, number>();
    for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) {
      const before = weights.get(word);
      weights.set(word, { texts: (before?.texts ?? 0) + 1, weight: (before?.weight ?? 0) + 1 + Math.log(count) });
    }
  }
  return [...weights]
    .filter(([word, of]) => of.texts > 1 && word.length > 2 && /\P{N}/u.test(word))
    .filter(([word]) => !asked.has(word) && !isStopWord(word))
    .map(([word, { weight }]) => ({ word, weight }))
    .toSorted((one, other) => other.weight - one.weight);
}
