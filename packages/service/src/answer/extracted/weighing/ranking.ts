/** The candidates of a question in order. */
import type { Candidate } from "../candidates.ts";
import type { CandidateFeature, Features } from "./features.ts";
import { CANDIDATE_WEIGHTS } from "./weights.ts";

/** A candidate with how well it answers: comparable within one question only. */
export interface RankedCandidate {
  readonly candidate: Candidate;
  readonly score: number;
}

/** The candidates, best first. */
export function ranked(candidates: readonly Candidate[], weights = CANDIDATE_WEIGHTS): RankedCandidate[] {
  return candidates
    .map((candidate) => ({ candidate, score: weighed(candidate.features, weights) }))
    .toSorted((one, other) => other.score - one.score);
}

/** The sum of some features, each by its weight. */
export function weighed<Name extends string = CandidateFeature>(
  features: Features<Name>,
  weights: Readonly<Record<Name, number>>,
): number {
  let sum = 0;
  for (const name in weights) sum += weights[name] * features[name];
  return sum;
}
