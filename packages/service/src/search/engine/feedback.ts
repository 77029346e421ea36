import { isOfCharacters } from "../analysis.ts";
import { rarityOf, weightFor } from "../postings/impact.ts";

/** Passages whose terms are looked at, and terms taken from them: what did best on several public test sets. */
export const FEEDBACK_FROM = 5;
const TAKEN = 10;
/** Terms that are looked up: those the passages say most. */
const CANDIDATES = 100;
/** A term in more than every so manieth passage tells little apart. */
const RARE_FROM = 20;
/** Texts that must share a term. */
const SHARED_BY = 2;

/**
 * How far the terms of the best passages may change the order: their share of the best score for a passage that is full of
 * them, where the best passages are about equal. A question whose best passage is far ahead has been understood, and is
 * left alone.
 */
const SHARE = 3.5;
const FLATNESS_POWER = 3;

/** A passage with the score it has by the question's words. */
interface ScoredTerms {
  readonly score: number;
  readonly terms: ReadonlyMap<string, number>;
}

/** A term that is searched besides. */
export interface FeedbackTerm {
  readonly term: string;
  /** As of the lists of a question. */
  readonly weight: number;
}

/**
 * Terms that the best passages for a question share and few others hold: what is written about a subject names it in more
 * ways than a question does. None where one passage stands out, or they share none.
 * @param best best first
 * @param isAsked whether a term was searched for already
 * @param holding in how many of the caller's passages a term occurs
 */
export function feedbackTerms(
  best: readonly ScoredTerms[],
  isAsked: (term: string) => boolean,
  corpus: number,
  holding: (term: string) => number,
): FeedbackTerm[] {
  const [first] = best;
  const last = best.at(-1);
  if (first === undefined || last === undefined || best.length < SHARED_BY) return [];
  const flatness = (last.score / first.score) ** FLATNESS_POWER;
  const most = Math.floor(corpus / RARE_FROM) + 1;
  const weighed = shared(best, isAsked)
    .slice(0, CANDIDATES)
    .map(({ term, weight }) => ({ term, weight, held: holding(term) }))
    .filter(({ held }) => held > 0 && held <= most)
    .map(({ term, weight, held }) => ({ term, weight: weight * rarityOf(corpus, held), held }))
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, TAKEN)
    .map(({ term, weight, held }) => ({ term, weight: weight * rarityOf(corpus, held) }));
  const all = weighed.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return [];
  // What all of them together give a passage that is full of them.
  const bound = SHARE * flatness * first.score;
  return weighed
    .map(({ term, weight }) => ({ term, weight: weightFor((bound * weight) / all) }))
    .filter(({ weight }) => weight > 0);
}

/** Terms that several of the passages hold, the weightiest first. */
function shared(best: readonly ScoredTerms[], isAsked: (term: string) => boolean) {
  const weights = new Map<string, { passages: number; weight: number }>();
  const top = best[0]?.score ?? 1;
  for (const { score, terms } of best) {
    for (const [term, often] of terms) {
      if (isAsked(term) || !mayTell(term)) continue;
      const before = weights.get(term);
      const weight = (score / top) * (often / (often + 1));
      weights.set(term, { passages: (before?.passages ?? 0) + 1, weight: (before?.weight ?? 0) + weight });
    }
  }
  return [...weights]
    .filter(([, { passages }]) => passages >= SHARED_BY)
    .map(([term, { weight }]) => ({ term, weight }))
    .toSorted((one, other) => other.weight - one.weight || (one.term < other.term ? -1 : 1));
}

function mayTell(term: string): boolean {
  return term.length > 2 && !isOfCharacters(term) && /\P{N}/u.test(term);
}
