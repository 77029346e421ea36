import type { Traits } from "./trait.ts";

/** A question as it is compared. */
export interface ComparedQuestion {
  readonly traits: Traits;
  /** Of length 1, by an embedding model; those of one model alone are compared. */
  readonly vector?: Float32Array | undefined;
}

/** A question whose gap is known. */
export interface KnownQuestion<Gap> extends ComparedQuestion {
  readonly gap: Gap;
}

/** Where a question belongs. */
export interface Placed<Gap> {
  /** The gap it belongs to; undefined: it is the first of a new one. */
  readonly gap: Gap | undefined;
  /** Gaps that turn out to be the same one as `gap`: to be merged into it. */
  readonly also: readonly Gap[];
}

/** Gaps a question may be of, at most: of some nothing may be shown, and nobody reads through many. */
export const MAX_MAYBE = 8;

/** Gaps that whoever asked is shown, at most, of those their question may be of. */
export const MAX_OFFERED = 3;

/** All questions whose gaps are known, made ready for the next one. */
export interface Placement<Gap> {
  /** How many questions it compares with. */
  readonly size: number;
  /** Adds a question to its gap; one whose traits are of another version is left out. */
  add(question: KnownQuestion<Gap>): void;
  /** Says where a question belongs, and adds nothing. */
  placeOf(question: ComparedQuestion): Placed<Gap>;
  /**
   * Gaps a question may be of besides `but`, the likeliest first: not surely enough to join one, surely enough to ask whoever
   * asked it. At most {@link MAX_MAYBE}.
   */
  maybeOf(question: ComparedQuestion, but?: Gap): readonly Gap[];
  /** All questions of a gap are of another one from now on. */
  merge(from: Gap, into: Gap): void;
  /** Forgets all questions of a gap. */
  forget(gap: Gap): void;
}
