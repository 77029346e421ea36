import { createPlacement } from "./placement.ts";
import type { ComparedQuestion, KnownQuestion } from "./questions.ts";

/**
 * The gap a question belongs to; undefined: it is the first of a new one. Whoever asks for many questions keeps a
 * placement (`createPlacement`), which need not be made anew for each.
 */
export function gapOf<Gap>(question: ComparedQuestion, known: Iterable<KnownQuestion<Gap>>): Gap | undefined {
  return createPlacement(known).placeOf(question).gap;
}
