/** Vectors as embedding models of several strengths would give, of questions whose true gaps are known. */
import { directionOf, drawnFor, mixed, ofLengthOne, seedOf } from "@threadlore/testkit";
import type { TrueGap, VectorOf } from "./evaluation.harness.ts";

/** What a model is like. */
export interface ModelKind {
  /** Cosine of any two texts: models differ in that by far. */
  readonly common: number;
  /** How much of a question its gap tells, at least and at most: the cosine of two alike ones is the product of both. */
  readonly alike: readonly [number, number];
  /** How much of that two gaps share that are easily taken for one another. */
  readonly taken: number;
  /** How much of what is left any two gaps of one field share. */
  readonly field: number;
}

/** Tells what is asked from what is nearly asked. */
export const GOOD: ModelKind = { common: 0, alike: [0.75, 0.95], taken: 0.5, field: 0.1 };
/** The same, with cosines as those of models whose texts all lie close together. */
export const NARROW: ModelKind = { ...GOOD, common: 0.7 };
/** Knows what a question is about, and hardly what is asked of it: as the small models of word lists. */
export const WEAK: ModelKind = { common: 0.15, alike: [0.5, 0.86], taken: 0.93, field: 0.4 };

/** The vector of each question of some gaps. */
export function oracleOf(gaps: readonly TrueGap[], { common, alike, taken, field }: ModelKind): NonNullable<VectorOf> {
  const truth = new Map(gaps.flatMap((gap) => [...gap.asked, ...gap.later].map((words) => [words, gap])));
  const shared = directionOf("what all texts have in common");
  const vectorOf = (words: string) => {
    const gap = truth.get(words);
    const own = directionOf(words);
    if (gap === undefined) return Float32Array.from(evenly(shared, own, Math.sqrt(common)));
    const topic = [gap.id, ...gap.near].toSorted().join(" ");
    const about = evenly(directionOf(`field ${seedOf(topic) & 3}`), directionOf(topic), Math.sqrt(field));
    const asked = evenly(about, directionOf(gap.id), Math.sqrt(taken));
    const put = evenly(asked, own, drawnFor(`how well ${words} is put`, alike));
    return Float32Array.from(evenly(shared, put, Math.sqrt(common)));
  };
  const known = new Map<string, Float32Array>();
  // The same questions are asked in many orders.
  return (words) => {
    const vector = known.get(words) ?? vectorOf(words);
    known.set(words, vector);
    return vector;
  };
}

/** Of length 1 however much the two have in common: so much is mixed that it would add up. */
const evenly = (one: readonly number[], other: readonly number[], likeness: number): number[] =>
  ofLengthOne(mixed(one, other, likeness));
