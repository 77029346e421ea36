/** What comes closest to a question that nothing answers. */
import { beginningOf } from "@threadlore/language";
import type { Evidence, Source } from "../source.ts";
import { saidOf } from "./candidates.ts";
import type { RankedCandidate } from "./weighing/ranking.ts";

/** A source that comes close, with the sentence of it that comes closest. */
export interface Closest {
  readonly source: Source;
  /** At most `MAX_SENTENCE` characters. */
  readonly sentence: string;
}

const MAX_CLOSEST = 3;
const MAX_SENTENCE = 160;
/** How much of a question a passage must say, by weight, to be shown for it. */
const LEAST_SAID = 0.4;
/** How much less than the first a later one may say. */
const BESIDE_FIRST = 0.6;
/** Similarity from which on a passage is about the same, whatever its words are. */
const LEAST_SIMILAR = 0.6;
/** A later one must be nearly as similar as the first. */
const SIMILAR_BESIDE_FIRST = 0.1;

/**
 * At most three sources: those whose passage says enough of the question, or is similar enough to it where passages
 * have vectors; none where nothing comes close.
 * @param candidates best first
 * @param evidence as found, best first
 */
export function closestOf(candidates: readonly RankedCandidate[], evidence: readonly Evidence[]): Closest[] {
  const found = new Map<Source, { sentence: string; said: number }>();
  for (const one of similar(evidence)) {
    const best = candidates.find(({ candidate }) => candidate.passage.evidence === one);
    found.set(one.source, { sentence: shortened(best?.candidate.unit.text ?? one.text), said: 1 });
  }
  for (const { candidate } of candidates) {
    const { source } = candidate.passage.evidence;
    const said = saidOf(candidate);
    if (said >= LEAST_SAID && !found.has(source)) found.set(source, { sentence: shortened(candidate.unit.text), said });
  }
  const most = Math.max(0, ...[...found.values()].map(({ said }) => said));
  return [...found]
    .filter(([, { said }]) => said >= most * BESIDE_FIRST)
    .slice(0, MAX_CLOSEST)
    .map(([source, { sentence }]) => ({ source, sentence }));
}

function similar(evidence: readonly Evidence[]): Evidence[] {
  const most = Math.max(0, ...evidence.map(({ similarity }) => similarity ?? 0));
  return evidence
    .filter(({ similarity = 0 }) => similarity >= LEAST_SIMILAR && similarity >= most - SIMILAR_BESIDE_FIRST)
    .toSorted((one, other) => (other.similarity ?? 0) - (one.similarity ?? 0));
}

/** The beginning of a sentence, in whole words where it has some. */
function shortened(text: string): string {
  const flat = text.replace(/\s+/g, " ").trim();
  if (flat.length <= MAX_SENTENCE) return flat;
  const cut = beginningOf(flat, MAX_SENTENCE - 1);
  const word = cut.lastIndexOf(" ");
  return `${word > MAX_SENTENCE / 2 ? cut.slice(0, word) : cut}…`;
}
