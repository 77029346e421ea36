/** What is weighed of a candidate and of an answer, by name. */

/**
 * What speaks for a unit and against it, each between 0 and about 1.
 *
 * Of the question, by weight: what the unit says (`share`), what only its title, headings or columns say (`above`), only
 * its neighbours (`near`), only the rest of its passage (`passage`); names and numbers nothing there says (`noName`), the
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

/**
 * Signs that a question is answered, about 0 to 1 each: how the best candidate scores (`best`), by how much it is better
 * than the next (`margin`) and than the best of another source (`apart`), how far search's first finds stand out
 * (`stands`). What it says of the question, see `CANDIDATE_FEATURES`; `all`: with its passage; `rare`, `common`: of the rarer
 * and the more common half of the words; `name`: of names and numbers. Words no passage at all holds (`unknown`), words said and
 * not said there (`hits`, `misses`), words there are (`words`), letters of the sentence (`length`).
 */
export const ANSWER_FEATURES = [
  "best",
  "margin",
  "apart",
  "share",
  "above",
  "near",
  "passage",
  "all",
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
  "cases",
  "unspaced",
  "prefixing",
] as const;
export type AnswerFeature = (typeof ANSWER_FEATURES)[number];
