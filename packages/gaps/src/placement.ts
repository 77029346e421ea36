import { Comparison } from "./comparison.ts";
import type { KnownQuestion, Placement } from "./questions.ts";

/** Makes a placement of questions whose gaps are known: 10,000 of them are no matter. */
export function createPlacement<Gap>(known: Iterable<KnownQuestion<Gap>> = []): Placement<Gap> {
  const placement = new Comparison<Gap>();
  for (const question of known) placement.add(question);
  return placement;
}
