/** Vectors as embedding models of several strengths would give, of questions whose true gaps are known. */
import { seededRandom } from "@threadlore/testkit";
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

const DIMENSIONS = 256;

/** The vector of each question of some gaps. */
export function oracleOf(gaps: readonly TrueGap[], { common, alike, taken, field }: ModelKind): NonNullable<VectorOf> {
  const truth = new Map(gaps.flatMap((gap) => [...gap.asked, ...gap.later].map((words) => [words, gap])));
  const shared = unit("what all texts have in common");
  const [least, most] = alike;
  return (words) => {
    const gap = truth.get(words);
    const own = unit(words);
    if (gap === undefined) return Float32Array.from(mixed(shared, own, Math.sqrt(common)));
    const topic = [gap.id, ...gap.near].toSorted().join(" ");
    const about = mixed(unit(`field ${seedOf(topic) & 3}`), unit(topic), Math.sqrt(field));
    const asked = mixed(about, unit(gap.id), Math.sqrt(taken));
    const told = least + (most - least) * seededRandom(seedOf(`how well ${words} is put`))();
    return Float32Array.from(mixed(shared, mixed(asked, own, told), Math.sqrt(common)));
  };
}

/** A unit vector that has a cosine of `likeness` with the first, as long as the two have next to nothing in common. */
function mixed(one: readonly number[], other: readonly number[], likeness: number): number[] {
  const rest = Math.sqrt(1 - likeness ** 2);
  const sum = one.map((value, at) => likeness * value + rest * (other[at] ?? 0));
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

function unit(text: string): number[] {
  const random = seededRandom(seedOf(text));
  const values = Array.from({ length: DIMENSIONS }, () => random() + random() + random() + random() - 2);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

function seedOf(text: string): number {
  let seed = 2_166_136_261;
  for (const character of text) seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return seed;
}
