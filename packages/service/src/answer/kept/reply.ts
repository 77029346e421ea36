/**
 * Which kept answer is the reply to a question, if one is. A quote is weighed by the sentence; a reply was written for its
 * question, which stands beside it, so that the two questions and the words of the answer say together what it is about.
 */
import { gapOf, traitsOf } from "@threadlore/gaps";
import { stem, termsOf } from "@threadlore/language/stems";
import { type AskedQuestion, understand, type WordStatistics } from "../extracted/asked.ts";
import { type Match, matcherOf, shareOf, together } from "../extracted/matching.ts";

/** A kept answer that may be the reply. */
export interface PossibleReply {
  readonly number: number;
  /** What it is known to answer. */
  readonly questions: readonly string[];
  readonly answer: string;
  /** How like the question it is by an embedding model, -1 to 1; undefined: nobody knows. */
  readonly similarity: number | undefined;
}

/** By an embedding model one that is so much more like it than everything else is the reply. */
const MORE_LIKE = 0.15;
/** By words it has to say so much of the question, in all and by share, and so much more than another one. */
const LEAST_SAID = 14;
const LEAST_SHARE = 0.62;
const AHEAD = 1.2;
/** A word that all questions of a kept answer have counts, and so does the share of its question that is asked again. */
const BASE = 0.4;
const REPEATED = 6;

/**
 * The number of the reply.
 * @param otherwise how like the question everything else is that was found
 * @param known the reply to what people asked before that is alike, where somebody said which it is
 */
export function replyTo(
  text: string,
  possible: readonly PossibleReply[],
  statistics: WordStatistics,
  { otherwise, known }: { readonly otherwise: readonly number[]; readonly known?: number | undefined },
): number | undefined {
  const asked = possible.flatMap(({ number, questions }) =>
    questions.map((question) => ({ gap: number, traits: traitsOf(question) })),
  );
  return (
    likest(possible, otherwise) ??
    gapOf({ traits: traitsOf(text) }, asked) ??
    known ??
    mostSaid(text, possible, statistics)
  );
}

function likest(possible: readonly PossibleReply[], otherwise: readonly number[]): number | undefined {
  const alike = possible.filter(({ similarity }) => similarity !== undefined);
  const [first, second] = alike.toSorted((one, other) => (other.similarity ?? 0) - (one.similarity ?? 0));
  if (first?.similarity === undefined) return undefined;
  const next = Math.max(0, second?.similarity ?? 0, ...otherwise);
  return first.similarity >= next + MORE_LIKE ? first.number : undefined;
}

function mostSaid(text: string, possible: readonly PossibleReply[], statistics: WordStatistics): number | undefined {
  const question = understand(text, statistics);
  const said = possible
    .map((one) => ({ number: one.number, ...saidBy(question, one) }))
    .toSorted((one, other) => other.said - one.said);
  const [first, second] = said;
  if (first === undefined || first.share < LEAST_SHARE || first.lacksName) return undefined;
  return first.said >= LEAST_SAID && first.said >= AHEAD * (second?.said ?? 0) ? first.number : undefined;
}

/** Another everyday word for the same says nearly as much. */
const OTHER_WORD = 0.7;

/** What words of a text are called among everyday words that say the same. */
function groupsIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    traitsOf(text).terms.flatMap(({ term, group }) => (group === undefined ? [] : [[term, group] as const])),
  );
}

function saidBy(question: AskedQuestion, { questions, answer }: PossibleReply) {
  const { language, words, total } = question;
  const matcher = matcherOf(question, language);
  const groupOf = groupsIn(question.text);
  const groups = new Set([answer, ...questions].flatMap((one) => [...groupsIn(one).values()]));
  const isInOtherWords = words.map(({ written, word }) => {
    const group = groupOf.get(stem(written, language)) ?? groupOf.get(word);
    return group !== undefined && groups.has(group);
  });
  const match = (one: string): Match =>
    matcher
      .match(new Set(termsOf(one, language)))
      .map((hit, at) => (isInOtherWords[at] === true ? Math.max(hit, OTHER_WORD) : hit));
  const whole = together(match(answer), ...questions.map(match));
  const share = shareOf(question, whole);
  const asked = new Set(termsOf(question.text, language));
  const repeated = Math.max(
    0,
    ...questions.map((one) => {
      const terms = new Set(termsOf(one, language));
      return [...terms].filter((term) => asked.has(term)).length / Math.max(1, terms.size);
    }),
  );
  return {
    share,
    said: share * total * (BASE + share) + REPEATED * repeated,
    lacksName: words.some(({ isName }, at) => isName && (whole[at] ?? 0) < 0.5),
  };
}
