/** What a question and a gap, all of whose questions are looked at, have in common, as figures. */
import { type Figures, figuresOf, type Prepared } from "./comparing.ts";
import { type Feature, FEATURES, type GapFigure } from "./figures.ts";
import { above, type Base, type GapCosines } from "./vectors.ts";
import type { Weights } from "./weights.ts";

/** A gap that a question may be of. */
export interface Candidate {
  readonly members: readonly Prepared[];
  readonly cosines?: GapCosines | undefined;
}

/** Answers beyond this are as sure as any. */
const SURE = 8;

const CLASH = FEATURES.indexOf("clash");
const HARD = FEATURES.indexOf("hard");
/** What must agree and does not, from here on. */
const CLASHES = 0.6;

/**
 * How surely a question asks the same as each of a gap, as log-odds. Where a name, a place or a code of it is another one
 * than theirs it is none of them, whatever else they share: "form T-14" and "form T-15".
 */
function scoresWith(question: Prepared, members: readonly Prepared[], pair: Weights<Feature>): number[] {
  const figures = members.map((member) => figuresOf(question, member));
  const isOther =
    figures.some((some) => (some[CLASH] ?? 0) > CLASHES) && !figures.some((some) => (some[HARD] ?? 0) > CLASHES);
  return isOther ? members.map(() => -SURE) : figures.map((some) => pairScore(some, pair));
}

const NAMES_ALONE = FEATURES.indexOf("namesAlone");
/** What names, numbers and dates alone come to at most: they join nothing. */
const LITTLE = -4;

function pairScore(figures: Figures, { weights, bias }: Weights<Feature>): number {
  const score = figures.reduce((sum, figure, at) => sum + figure * (weights[FEATURES[at] as Feature] ?? 0), bias);
  return Math.max(-SURE, Math.min(figures[NAMES_ALONE] === 1 ? LITTLE : SURE, score));
}

/**
 * The figures of a question with each of some gaps.
 * @param base how alike questions of different gaps are by the model
 */
export function gapFigures(
  question: Prepared,
  candidates: readonly Candidate[],
  pair: Weights<Feature>,
  base?: Base,
): Readonly<Record<GapFigure, number>>[] {
  const scores = candidates.map(({ members }) => scoresWith(question, members, pair));
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
      beyond: base === undefined ? 0 : near - base.nearest,
    };
  });
}

/** So many spreads above what is usual are as good as more. */
const FAR = 6;

function highest(some: readonly number[], but: number, least: number): number {
  return some.reduce((most, value, at) => (at === but ? most : Math.max(most, value)), least);
}

/** A question of the gap that is so many times as long holds everything, and is left out; but for those of usual length. */
const MUCH_LONGER = 4;
const LEAST_LONG = 2.5;

/** How much of what a question speaks of any question of the gap speaks of. */
function profileShare(question: Prepared, members: readonly Prepared[]): number {
  if (question.total === 0) return 0;
  const fitting = members.filter(({ total }) => total <= MUCH_LONGER * Math.max(question.total, LEAST_LONG));
  const shared = question.terms.filter(({ trait }) =>
    fitting.some(
      ({ byTerm, byGroup }) => byTerm.has(trait.term) || (trait.group !== undefined && byGroup.has(trait.group)),
    ),
  );
  return shared.reduce((sum, { weight }) => sum + weight, 0) / question.total;
}
