/** Which of the possible points a summary has: what is central and stands first, spread over the whole document. */
import { termsOf } from "@threadlore/language/stems";
import type { PossiblePoint } from "./possible-points.ts";

/** What the points of a summary are chosen by. */
export interface PointChoice {
  /** What the document is called; several names are parted by lines. */
  readonly titles: string;
  readonly language: string | undefined;
  readonly most: number;
  readonly characters: number;
}

/** What speaks for a point, against its centrality, which is 1 for the most central one. */
const OPENS_DOCUMENT = 0.6;
const OPENS_SECTION = 0.45;
const OPENS_PARAGRAPH = 0.15;
const SAYS_NUMBER = 0.1;
const IS_ASIDE = -0.6;
/** Each length beyond what a point has room for; nearly nothing of what it has room for. */
const IS_LONG = -0.25;
const IS_SHORT = -0.35;

/** A second point of the same section, or the same stretch of the document, counts so much of the first. */
const SAME_SECTION = 0.3;
const SAME_STRETCH = 0.6;
/** Of two points that share so many of their terms, one says nothing new. */
const MAX_SHARED = 0.6;

/** Words behind the terms of a point that keep a short one from being all centre. */
const ADDED_TERMS = 6;
/** What a word of the title or of a heading says, in paragraphs that hold it. */
const TITLE_COUNT = 6;
const HEADING_COUNT = 2;

/** The chosen points, in reading order. */
export function chosenPoints(points: readonly PossiblePoint[], choice: PointChoice): PossiblePoint[] {
  const { most, characters } = choice;
  const stretches = Math.max(1, most);
  const scores = scoresOf(points, choice);
  const chosen: number[] = [];
  const inSection = new Map<number, number>();
  const inStretch = new Map<number, number>();
  const shared = points.map(() => 0);
  let left = characters;
  while (chosen.length < most) {
    let best = -1;
    let bestScore = 0;
    for (const [index, point] of points.entries()) {
      if (point.text.length > left || (shared[index] ?? 0) > MAX_SHARED || chosen.includes(index)) continue;
      const spread =
        SAME_SECTION ** (inSection.get(point.section) ?? 0) *
        SAME_STRETCH ** (inStretch.get(stretchOf(index, points.length, stretches)) ?? 0);
      const score = Math.max(0.01, scores[index] ?? 0) * spread * (1 - (shared[index] ?? 0));
      if (score > bestScore) {
        best = index;
        bestScore = score;
      }
    }
    const point = points[best];
    if (point === undefined) break;
    chosen.push(best);
    left -= point.text.length;
    count(inSection, point.section);
    count(inStretch, stretchOf(best, points.length, stretches));
    for (const [index, other] of points.entries()) {
      shared[index] = Math.max(shared[index] ?? 0, sharedBy(point.terms, other.terms));
    }
  }
  return chosen.toSorted((one, other) => one - other).flatMap((index) => points[index] ?? []);
}

function stretchOf(index: number, points: number, stretches: number): number {
  return Math.floor((index * stretches) / points);
}

function count(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** How much of what two points say is the same, 0 to 1. */
function sharedBy(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0;
  for (const term of one) if (other.has(term)) both++;
  return (2 * both) / Math.max(1, one.size + other.size);
}

function scoresOf(points: readonly PossiblePoint[], choice: PointChoice): number[] {
  const weights = weightsOf(points, choice);
  const central = points.map(({ terms }) => {
    let sum = 0;
    for (const term of terms) sum += weights.get(term) ?? 0;
    return sum / (terms.size + ADDED_TERMS);
  });
  const highest = central.reduce((most, one) => Math.max(most, one), 1e-9);
  const room = choice.characters / Math.max(1, choice.most);
  return points.map(
    (point, index) => (central[index] ?? 0) / highest + placeScore(point, index) + lengthScore(point, room),
  );
}

function placeScore(point: PossiblePoint, index: number): number {
  let score =
    index === 0 && point.opensSection
      ? OPENS_DOCUMENT
      : point.opensSection
        ? OPENS_SECTION
        : point.opensParagraph
          ? OPENS_PARAGRAPH
          : 0;
  if (/\p{Nd}/u.test(point.text)) score += SAYS_NUMBER;
  if (point.isAside) score += IS_ASIDE;
  return score;
}

function lengthScore({ text }: PossiblePoint, room: number): number {
  const beyond = Math.max(0, text.length / room - 1);
  return beyond * IS_LONG + Math.max(0, 1 - text.length / (room / 2)) * IS_SHORT;
}

/** How central each term is: the more paragraphs hold it, the more, and what the title names most of all. */
function weightsOf(points: readonly PossiblePoint[], { titles, language }: PointChoice): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (term: string, count_: number) => counts.set(term, (counts.get(term) ?? 0) + count_);
  const seen = new Map<string, number>();
  const headings = new Set<string>();
  for (const { terms, paragraph, heading, isAside } of points) {
    if (!isAside) headings.add(heading);
    for (const term of terms) {
      if (seen.get(term) === paragraph) continue;
      seen.set(term, paragraph);
      add(term, 1);
    }
  }
  for (const heading of headings) {
    for (const term of new Set(termsOf(heading, language, { characters: "pairs" }))) add(term, HEADING_COUNT);
  }
  for (const term of new Set(termsOf(titles, language, { characters: "pairs" }))) add(term, TITLE_COUNT);
  // A word that stands once says nothing of the whole.
  return new Map([...counts].map(([term, times]) => [term, Math.log(times)]));
}
