/** Where a sentence says words of the question: of several values in it, the one beside them is meant. */
import { wordsOf } from "@threadlore/language";
import { stem } from "@threadlore/language/stems";
import type { AskedQuestion } from "../asked.ts";
import { matcherOf } from "../matching.ts";

/** A stretch of a sentence, in UTF-16 units. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

const SAID = 0.6;
/** A word that joins parts of a sentence parts what stands before it from what stands behind. */
const JOINS =
  /(?:^|[^\p{L}])(?:and|but|while|und|aber|sondern|et|mais|y|e|pero|mas|i|и|а|но|och|og|en|ve|または|および)(?=[^\p{L}]|$)|[;:；：—–]/giu;
/** So does a comma, but for a name: "Ada Byrne, director of the museum". */
const COMMAS = /[,、，]/gu;
const APART = 30;
const SHORT = 80;
const NEARBY = 15;

/** Where words of a question stand in a text. */
export function placesOf(question: AskedQuestion, text: string, language: string | undefined): Stretch[] {
  const matcher = matcherOf(question, language);
  return wordsOf(text).filter(({ text: word, start, end }) => {
    const terms = new Set([word, stem(text.slice(start, end), language)]);
    return matcher.match(terms).some((hit) => hit >= SAID);
  });
}

/** How far a stretch is from the nearest of some places, in characters; what joins parts of a sentence counts as many. */
export function distanceTo(
  places: readonly Stretch[],
  { start, end }: Stretch,
  text: string,
  { isName }: { readonly isName: boolean },
): number {
  // A sentence with none of them answers to what stands above or before it: the shorter, the surer.
  if (places.length === 0) return Math.max(NEARBY, text.length - SHORT);
  let least = text.length + APART;
  for (const place of places) {
    const [from, to] = place.end <= start ? [place.end, start] : [end, place.start];
    if (to < from) return 0;
    const between = text.slice(from, to);
    const commas = isName ? 0 : (between.match(COMMAS)?.length ?? 0);
    const joins = commas + (between.match(JOINS)?.length ?? 0);
    least = Math.min(least, to - from + joins * APART);
  }
  return least;
}
