/** What speaks for two different answers being to one question about one thing, and what against it, in figures. */
import type { AskedQuestion } from "../asked.ts";
import type { Candidate } from "../candidates.ts";
import { type Match, shareOf, together } from "../matching.ts";
import type { Differing } from "./contradiction.ts";
import type { Reading } from "./readings.ts";
import { freshShared, isOfOther, topicsOf } from "./subject.ts";
import { measuresWhatIsAsked } from "./values.ts";

/**
 * Each about 0 to 1. Of the question, by weight: what both sentences say with all that stands around them (`asked`),
 * with title and headings alone (`own`), what the poorer one says with its neighbours (`near`), what one says and the
 * other's source never does (`lacking`). Words both have beyond the question (`beyond`). Of the answers: how far the
 * poorer one falls behind (`behind`), how well it was found (`found`), whether a time is given where a size is asked for
 * (`unfit`), how many values a sentence has (`many`), the length of both (`long`). Against it: one names something else
 * where the other has a name that is asked about (`rival`), a source is about what nobody asks and the other never says
 * (`topic`), and that in the place of what is asked (`instead`). A question of yes or no (`stance`), a script without
 * blanks (`unspaced`).
 */
export const SIGNS = [
  "asked",
  "own",
  "near",
  "lacking",
  "beyond",
  "behind",
  "found",
  "unfit",
  "many",
  "long",
  "rival",
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
/** A character says more where words are written without blanks, and hardly any word is told from its neighbours. */
const UNSPACED: ReadonlySet<string> = new Set(["zh", "ja", "th", "lo", "km", "my"]);
const SAYS_MORE = 2.5;

/** The signs of two answers. */
export function signsOf(
  question: AskedQuestion,
  { one, other }: Differing,
  sort: Reading["sort"],
): Readonly<Record<Sign, number>> {
  const [first, second] = [one.candidate, other.candidate];
  const names = [one, other].flatMap(({ value }) => (value?.sort === "name" ? value.words : []));
  const isUnspaced = UNSPACED.has(question.language ?? "");
  const length = (first.unit.text.length + second.unit.text.length) * (isUnspaced ? SAYS_MORE : 1);
  const [lackedByOne, lackedByOther] = [lackingIn(question, second, first), lackingIn(question, first, second)];
  const [topics, otherTopics] = [topicsOf(question, first, second), topicsOf(question, second, first)];
  return {
    asked: sharedOf(question, first.around, second.around),
    own: sharedOf(question, whole(first), whole(second)),
    near: Math.min(first.features.near, second.features.near),
    lacking: [...lackedByOne, ...lackedByOther].reduce((sum, { weight }) => sum + weight, 0) / question.total,
    beyond: Math.min(1, 2 * freshShared(question, first, second)),
    behind: Math.min(FARTHEST_BEHIND, Math.abs(one.worth - other.worth)) / FARTHEST_BEHIND,
    found: Math.min(first.features.score, second.features.score),
    unfit: [one, other].some(({ value }) => value !== undefined && !measuresWhatIsAsked(question, value)) ? 1 : 0,
    many: Math.min(1, Math.max(0, one.values - 1, other.values - 1) / MANY),
    long: Math.min(1, length / LONGEST),
    rival: isOfOther(question, first, second, names) ? 1 : 0,
    topic: Math.min(1, (topics + otherTopics) / 2),
    instead: (lackedByOne.length > 0 && topics > 0) || (lackedByOther.length > 0 && otherTopics > 0) ? 1 : 0,
    stance: sort === "stance" ? 1 : 0,
    unspaced: isUnspaced ? 1 : 0,
  };
}

/** What a sentence says with its title and headings. */
function whole({ own, above }: Candidate): Match {
  return together(own, above);
}

function sharedOf(question: AskedQuestion, one: Match, other: Match): number {
  return shareOf(
    question,
    one.map((hit, index) => Math.min(hit, other[index] ?? 0)),
  );
}

/** The question's words that one sentence says, and the other's source nowhere does. */
function lackingIn({ words }: AskedQuestion, one: Candidate, other: Candidate) {
  const said = whole(one);
  return words.filter((_, index) => (said[index] ?? 0) >= SAID && (other.around[index] ?? 0) < SAID);
}
