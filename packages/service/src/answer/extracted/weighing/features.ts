/** What is weighed of a candidate and of an answer, by name. */

/**
 * What speaks for a unit and against it, each between 0 and about 1.
 *
 * Of the question, by weight: what the unit says (`share`), with its title, headings and columns (`above`),
 * with its neighbours (`near`), with the rest of its passage (`passage`); names and numbers nothing there says (`noName`), the
 * weightiest word nothing there says (`noWord`); words that stand side by side in both (`pairs`), and how close together
 * they stand (`close`). Of the passage: `score` as search gave it, measured on the best, and `rank`. Of the kind of answer
 * that is asked for: held (`kind`), asked for and not held (`noKind`). Of the unit: words the question does not have
 * (`fresh`), few words or very many (`short`, `long`), the passage's first (`first`), a title (`title`), one that begins by saying what is asked about (`defines`).
 */
export const CANDIDATE_FEATURES = [
  "share",
  "above",
  "near",
  "passage",
  "noName",
  "noWord",
  "pairs",
  "close",
  "score",
  "rank",
  "kind",
  "thing",
  "noKind",
  "fresh",
  "short",
  "long",
  "first",
  "title",
  "named",
  "told",
  "toldNear",
  "defines",
] as const;
export type CandidateFeature = (typeof CANDIDATE_FEATURES)[number];
export type Features<Name extends string> = Readonly<Record<Name, number>>;

/** What kind of word one of a question is, see `wordFeatures`. */
export const WORD_SIGNS = [
  "any",
  "rare",
  "rarest",
  "name",
  "about",
  "next",
  "second",
  "late",
  "last",
  "figure",
  "short",
] as const;
export type WordSign = (typeof WORD_SIGNS)[number];

/** Where a word is said: in the sentence, there or above it, anywhere in its passage; or not in the passage. */
export const WORD_PLACES = ["own", "above", "passage", "missing"] as const;
export type WordFeature = `${(typeof WORD_PLACES)[number]}.${WordSign}`;

/**
 * Signs that a question is answered, about 0 to 1 each: how the best candidate scores (`best`), by how much it is better
 * than the next (`margin`) and than the best of another source (`apart`), how far search's first finds stand out
 * (`stands`). What it says of the question, see `CANDIDATE_FEATURES`; `rare`, `common`: of the rarer
 * and the more common half of the words; `name`: of names and numbers. Words no passage at all holds (`unknown`), words said and
 * not said there (`hits`, `misses`), words there are (`words`), letters of the sentence (`length`). Then, of each kind of
 * word, how much of it is said and missing.
 */
export const ANSWER_FEATURES = [
  "best",
  "margin",
  "apart",
  "share",
  "above",
  "near",
  "passage",
  "rare",
  "common",
  "name",
  "noName",
  "noWord",
  "unknown",
  "hits",
  "misses",
  "words",
  "kind",
  "noKind",
  "close",
  "pairs",
  "stands",
  "length",
  "named",
  "told",
  "toldNear",
  "thing",
  "says",
  "compounding",
  "japanese",
  "cases",
  "unspaced",
  "prefixing",
  ...WORD_PLACES.flatMap((place) => WORD_SIGNS.map((sign) => `${place}.${sign}` as const satisfies WordFeature)),
] as const;
export type AnswerFeature = (typeof ANSWER_FEATURES)[number];
