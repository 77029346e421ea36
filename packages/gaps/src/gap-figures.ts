/** What a question and a gap, all of whose questions are looked at, have in common, as figures. */
import { figuresOf, type Prepared } from "./comparing.ts";
import { FEATURES, type GapFigure } from "./figures.ts";
import type { GapCosines } from "./vectors.ts";
import { PAIR_BIAS, PAIR_WEIGHTS } from "./weights.ts";

/** A gap that a question may be of. */
export interface Candidate {
  readonly members: readonly Prepared[];
  readonly cosines?: GapCosines | undefined;
}

/** Answers beyond this are as sure as any. */
const SURE = 8;

/** How surely two questions ask the same, as log-odds. */
function pairScore(one: Prepared, other: Prepared): number {
  const score = figuresOf(one, other).reduce(
    (sum, figure, at) => sum + figure * PAIR_WEIGHTS[FEATURES[at] as (typeof FEATURES)[number]],
    PAIR_BIAS,
  );
  return Math.max(-SURE, Math.min(SURE, score));
}

/**
 * The figures of a question with each of some gaps.
 * @param base how alike questions of different gaps are by the model
 */
export function gapFigures(
  question: Prepared,
  candidates: readonly Candidate[],
  base?: { readonly mean: number; readonly spread: number },
): Readonly<Record<GapFigure, number>>[] {
  const scores = candidates.map(({ members }) => members.map((member) => pairScore(question, member)));
  const bests = scores.map((some) => Math.max(-SURE, ...some));
  const nears = candidates.map(({ cosines }) =>
    base === undefined ? 0 : above(cosines?.best ?? base.mean, base.mean),
  );
  return candidates.map(({ members, cosines }, at) => {
    const best = bests[at] ?? -SURE;
    const near = nears[at] ?? 0;
    const some = scores[at] ?? [];
    return {
      best,
      mean: some.reduce((sum, score) => sum + score, 0) / Math.max(1, some.length),
      profile: profileShare(question, members),
      ahead: best - highest(bests, at, -SURE),
      near,
      nearMean: base === undefined ? 0 : above(cosines?.mean ?? base.mean, base.mean),
      apart: base === undefined ? 0 : Math.min(FAR, ((cosines?.best ?? base.mean) - base.mean) / base.spread),
      nearAhead: near - highest(nears, at, 0),
    };
  });
}

/** So many spreads above what is usual are as good as more. */
const FAR = 6;

/** Where a cosine lies between what is usual and 1. */
function above(cosine: number, usual: number): number {
  return (cosine - usual) / Math.max(0.05, 1 - usual);
}

function highest(some: readonly number[], but: number, least: number): number {
  return some.reduce((most, value, at) => (at === but ? most : Math.max(most, value)), least);
}

/** How much of what a question speaks of any question of the gap speaks of. */
function profileShare(question: Prepared, members: readonly Prepared[]): number {
  if (question.total === 0) return 0;
  const shared = question.terms.filter(({ trait }) =>
    members.some(
      ({ byTerm, byGroup }) => byTerm.has(trait.term) || (trait.group !== undefined && byGroup.has(trait.group)),
    ),
  );
  return shared.reduce((sum, { weight }) => sum + weight, 0) / question.total;
}
