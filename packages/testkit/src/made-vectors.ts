import { seededRandom } from "./seeded-random.ts";

/** A seed that is the same for the same text (FNV-1a over its characters). */
export function seedOf(text: string): number {
  let seed = 2_166_136_261;
  for (const character of text) seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return seed;
}

/** A number between two, the same for the same text. */
export function drawnFor(text: string, [least, most]: readonly [number, number]): number {
  return least + (most - least) * seededRandom(seedOf(text))();
}

/** A vector of length 1 in a direction of its own, the same for the same text: any two have next to nothing in common. */
export function directionOf(text: string, dimensions = 256): number[] {
  const random = seededRandom(seedOf(text));
  // The sum of a few even numbers is near enough to normal for no direction to be preferred.
  const values = Array.from({ length: dimensions }, () => random() + random() + random() + random() - 2);
  return ofLengthOne(values);
}

/**
 * A vector whose cosine with the first of two of length 1 is `likeness`, and all else is of the other; its length is 1, as far as the
 * two have nothing in common.
 */
export function mixed(one: readonly number[], other: readonly number[], likeness: number): number[] {
  const rest = Math.sqrt(1 - likeness ** 2);
  return one.map((value, at) => likeness * value + rest * (other[at] ?? 0));
}

/** The same direction, with a length of 1. */
export function ofLengthOne(values: readonly number[]): number[] {
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}
