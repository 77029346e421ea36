/** What speaks for two different answers being to one question about one thing, and what against it, in figures. */
import type { AskedQuestion } from "../asked.ts";
import type { Candidate } from "../candidates.ts";
import { type Match, shareOf, together } from "../matching.ts";
import { magnitudesBetween } from "./amounts.ts";
import type { Differing } from "./contradiction.ts";
import type { Given } from "./readings.ts";
import { topicsOf } from "./subject.ts";
import { measuresWhatIsAsked } from "./values.ts";

/**
 * Each about 0 to 1. Of the question, by weight: what both sources say (`asked`), what the poorer sentence says with its
 * neighbours (`near`) and with its title and headings (`poorest`). Of the answers: how much the poorer one looks like one
 * of the kind asked for (`kind`), how far one falls behind the other
 * (`behind`), how well the poorer was found (`found`), whether a time is given where a size is asked for (`unfit`), how
 * many times the one the other is, two powers of ten being 1 (`magnitude`), how many values a sentence has (`many`), the
 * length of both (`long`). Against it: a source is about what nobody asks and the other never says (`topic`), and that in
 * the place of what is asked (`instead`). A question of yes or no (`stance`), a script without blanks (`unspaced`).
 */
export const SIGNS = [
  "asked",
  "near",
  "poorest",
  "kind",
  "behind",
  "found",
  "unfit",
  "magnitude",
  "many",
  "long",
  "topic",
  "instead",
  "stance",
  "unspaced",
] as const;
export type Sign = (typeof SIGNS)[number];

/** A match from here on says the word. */
const SAID = 0.6;
/** Beyond these, more makes no difference. */
const FARTHEST_BEHIND = 7;
const LONGEST = 500;
const MANY = 4;
const MAX_MAGNITUDES = 2;
/** A character says more where words are written without blanks, and hardly any word is told from its neighbours. */
const UNSPACED: ReadonlySet<string> = new Set(["zh", "ja", "th", "lo", "km", "my"]);
const SAYS_MORE = 2.5;

/** Whether a language is written without blanks between words. */
export function isUnspaced(language: string | undefined): boolean {
  return UNSPACED.has(language ?? "");
}

/** The signs of two answers. */
export function signsOf(question: AskedQuestion, { one, other }: Differing): Readonly<Record<Sign, number>> {
  const [first, second] = [one.candidate, other.candidate];
  const areUnspaced = isUnspaced(question.language);
  const length = (first.unit.text.length + second.unit.text.length) * (areUnspaced ? SAYS_MORE : 1);
  const [topics, otherTopics] = [topicsOf(question, first, second), topicsOf(question, second, first)];
  return {
    asked: sharedOf(question, first.around, second.around),
    near: Math.min(first.features.near, second.features.near),
    poorest: Math.min(first.features.above, second.features.above),
    kind: Math.min(first.features.kind + first.features.thing, second.features.kind + second.features.thing),
    behind: Math.min(FARTHEST_BEHIND, Math.abs(one.worth - other.worth)) / FARTHEST_BEHIND,
    found: Math.min(first.features.score, second.features.score),
    unfit: [one, other].some(({ value }) => value !== undefined && !measuresWhatIsAsked(question, value)) ? 1 : 0,
    magnitude: magnitudeOf(one, other),
    many: Math.min(1, Math.max(0, one.values - 1, other.values - 1) / MANY),
    long: Math.min(1, length / LONGEST),
    topic: Math.min(1, (topics + otherTopics) / 2),
    instead:
      (isLacking(question, second, first) && topics > 0) || (isLacking(question, first, second) && otherTopics > 0)
        ? 1
        : 0,
    stance: one.value === undefined ? 1 : 0,
    unspaced: areUnspaced ? 1 : 0,
  };
}

function magnitudeOf({ value: one }: Given, { value: other }: Given): number {
  if (one?.sort !== "amount" || other?.sort !== "amount") return 0;
  return Math.min(1, magnitudesBetween(one.amount, other.amount) / MAX_MAGNITUDES);
}

function sharedOf(question: AskedQuestion, one: Match, other: Match): number {
  return shareOf(
    question,
    one.map((hit, index) => Math.min(hit, other[index] ?? 0)),
  );
}

/** Whether one sentence says, with its title, a word of the question that the other's source nowhere does. */
function isLacking({ words }: AskedQuestion, one: Candidate, other: Candidate): boolean {
  const said = together(one.own, one.above);
  return words.some((_, index) => (said[index] ?? 0) >= SAID && (other.around[index] ?? 0) < SAID);
}
