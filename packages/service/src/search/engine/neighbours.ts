import { eachTermOf } from "../analysis.ts";
import { weightOf } from "../postings/impact.ts";
import type { Question } from "./question.ts";

/** What words in the order they were asked in count, measured on the rarer of two by itself. */
const NEIGHBOUR_WEIGHT = 0.3;
/** Words further apart do not belong together. */
const WINDOW = 3;
/** What is set between the parts of a passage: words of two parts are no neighbours. */
const GAP = 10;

/** What a passage's texts are read for: where the question's words stand, and how often it has which other terms. */
export interface PassageWords {
  /** By place in the question: positions in the passage, ascending. */
  readonly positions: ReadonlyMap<number, readonly number[]>;
  readonly terms: ReadonlyMap<string, number>;
}

/** Reads the parts of a passage. */
export function readPassage(parts: readonly string[], language: string, question: Question): PassageWords {
  const positions = new Map<number, number[]>();
  const terms = new Map<string, number>();
  let at = 0;
  for (const part of parts) {
    if (part === "") continue;
    eachTermOf(part, language, (term) => {
      at++;
      terms.set(term, (terms.get(term) ?? 0) + 1);
      const place = question.places.get(term);
      if (place === undefined) return;
      const before = positions.get(place);
      if (before === undefined) positions.set(place, [at]);
      else before.push(at);
    });
    at += GAP;
  }
  return { positions, terms };
}

/** What it can count at the most. */
export function mostNearness({ rarities }: Question): number {
  let most = 0;
  for (let place = 0; place + 1 < rarities.length; place++) {
    most += weightOf(Math.min(rarities[place] as number, rarities[place + 1] as number));
  }
  return most * NEIGHBOUR_WEIGHT;
}

/** What it counts that words of the question stand close together in a passage, in the unit of BM25. */
export function nearnessOf({ positions }: PassageWords, { rarities }: Question): number {
  let nearness = 0;
  for (let place = 0; place + 1 < rarities.length; place++) {
    const [one, other] = [positions.get(place), positions.get(place + 1)];
    if (one === undefined || other === undefined) continue;
    const apart = leastDistance(one, other);
    if (apart > WINDOW) continue;
    nearness += weightOf(Math.min(rarities[place] as number, rarities[place + 1] as number)) / apart;
  }
  return nearness * NEIGHBOUR_WEIGHT;
}

/** Words from one of the first to one of the second; the other way round it is half a word more. */
function leastDistance(one: readonly number[], other: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let [left, right] = [0, 0]; left < one.length && right < other.length;) {
    const step = (other[right] as number) - (one[left] as number);
    if (step !== 0) least = Math.min(least, step > 0 ? step : -step + 0.5);
    if (step < 0) right++;
    else left++;
  }
  return least;
}
