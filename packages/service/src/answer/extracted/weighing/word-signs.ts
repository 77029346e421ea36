/**
 * Which words of a question an answer says, by what kind of word each is: a name that is missing means more than a verb
 * that may be put otherwise, the noun that is asked for is often left out, and the first word after "who" hardly ever.
 */
import type { AskedQuestion, QuestionWord } from "../asked.ts";
import type { Candidate } from "../candidates.ts";
import { type Features, WORD_SIGNS, type WordFeature, type WordSign } from "./features.ts";
import { together } from "../matching.ts";

/** Of words with so few letters little can be said. */
const SHORT = 3;

/** What kind of word one is, each 0 to 1. `rarest` is that of the question's rarest. */
const SIGNS: Readonly<Record<WordSign, (word: QuestionWord, rarest: number) => number>> = {
  any: () => 1,
  rare: ({ weight }, rarest) => weight / rarest,
  rarest: ({ weight }, rarest) => (weight / rarest) ** 2,
  name: ({ isName }) => Number(isName),
  about: ({ isAbout }) => Number(isAbout),
  next: ({ place }) => Number(place.afterAsking === 1),
  second: ({ place }) => Number(place.afterAsking === 2),
  late: ({ place }) => place.at,
  last: ({ place }) => Number(place.at === 1),
  figure: ({ word }) => Number(/\p{N}/u.test(word)),
  short: ({ word }) => Number(word.length <= SHORT),
};

/**
 * How much is said and missing of each kind of word, by `place.sign`. It grows with the square root of the number of
 * words: two of two say less than six of six, but not three times less.
 */
export function wordFeatures({ words }: AskedQuestion, { own, above, around }: Candidate): Features<WordFeature> {
  const rarest = Math.max(1e-6, ...words.map(({ weight }) => weight));
  const withAbove = together(own, above);
  const scale = Math.sqrt(Math.max(1, words.length));
  const sums: Record<string, number> = {};
  for (const sign of WORD_SIGNS) {
    const values = words.map((word) => SIGNS[sign](word, rarest) / scale);
    const sum = (hit: (at: number) => number) => values.reduce((all, value, at) => all + value * hit(at), 0);
    sums[`own.${sign}`] = sum((at) => own[at] ?? 0);
    sums[`above.${sign}`] = sum((at) => withAbove[at] ?? 0);
    sums[`passage.${sign}`] = sum((at) => around[at] ?? 0);
    sums[`missing.${sign}`] = sum((at) => 1 - (around[at] ?? 0));
  }
  return sums as Features<WordFeature>;
}
