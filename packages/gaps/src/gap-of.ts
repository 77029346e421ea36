import type { Traits } from "./traits.ts";

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

/** How alike two questions must be, from 0 to 1, to ask for the same thing. */
const ALIKE = 0.5;

/** The gap a question belongs to: that of the question most alike, if one is alike enough; undefined: it is a new one. */
export function gapOf<Gap>(question: ComparedQuestion, known: Iterable<KnownQuestion<Gap>>): Gap | undefined {
  let best: { readonly gap: Gap; readonly likeness: number } | undefined;
  for (const { gap, traits } of known) {
    const likeness = sharedTerms(question.traits, traits);
    if (likeness >= ALIKE && likeness > (best?.likeness ?? 0)) best = { gap, likeness };
  }
  return best?.gap;
}

/** Of all terms of two questions, how many both have. */
function sharedTerms(one: Traits, other: Traits): number {
  const all = new Set([...one.terms, ...other.terms]);
  const shared = one.terms.length + other.terms.length - all.size;
  return all.size === 0 ? 0 : shared / all.size;
}
