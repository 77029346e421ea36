/** How two sentences that answer one question differ, if they do. */
import type { AskedQuestion } from "../asked.ts";
import { matcherOf } from "../matching.ts";
import { polarityOf } from "@threadlore/language/meaning";
import { termsOf } from "@threadlore/language/stems";
import type { Reading } from "./readings.ts";
import { stanceOf } from "./stances.ts";
import { allValues, canContradict, mayBeSame, type Answer, type Value } from "./values.ts";

/** The words of each that differ. */
export interface Differing {
  readonly one: string;
  readonly other: string;
  /** Those values; none of rules. */
  readonly values: readonly Answer[];
}

const MOST_CHARACTERS = 80;
/** Sentences that score so much less may name what the other source does. */
const NEAR = 1.5;

/** What differs in two answers; undefined where they may agree. */
export function contradiction(question: AskedQuestion, one: Reading, other: Reading): Differing | undefined {
  return one.sort === "stance" ? differentStances(question, one, other) : differentValues(one, other);
}

function differentValues(one: Reading, other: Reading): Differing | undefined {
  const [first] = one.values;
  const second = first === undefined ? undefined : other.values.find((value) => canContradict(first, value));
  if (first === undefined || second === undefined) return undefined;
  // A source that also says what the other says is its own history, or a list, or speaks of more than one thing.
  if (says(one, second) || says(other, first)) return undefined;
  return { one: wordsOf(one, first), other: wordsOf(other, second), values: [first, second] };
}

function says({ candidate, sort, others, score }: Reading, value: Value): boolean {
  if (sort === "stance") return false;
  const { evidence, language } = candidate.passage;
  // A name may well occur for another reason; a number of the same unit hardly does.
  const texts =
    sort === "name"
      ? others.filter((other) => other.score > score - NEAR).map((other) => other.candidate.unit.text)
      : [evidence.text];
  return texts.some((text) =>
    allValues(sort, text, language).some((own) => canContradict(own, value) && mayBeSame(own, value)),
  );
}

function wordsOf({ candidate }: Reading, { start, end }: Value): string {
  return candidate.unit.text.slice(start, end).trim();
}

function differentStances(question: AskedQuestion, one: Reading, other: Reading): Differing | undefined {
  const [first, second] = [clauseOf(question, one), clauseOf(question, other)];
  const [stance, against] = [stanceIn(question, one, first), stanceIn(question, other, second)];
  return stance === against ? undefined : { one: shortened(first), other: shortened(second), values: [] };
}

function shortened(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const cut = text.slice(0, MOST_CHARACTERS - 1).toWellFormed();
  return `${cut.replace(/\s+\S*$/u, "")}…`;
}

function stanceIn(question: AskedQuestion, { candidate }: Reading, clause: string) {
  const { language } = candidate.passage;
  const matcher = matcherOf(question, language);
  // "No, wash it by hand": the first word answers for all that follows.
  const opening = /^[^\s,.，。、]{1,8}(?=[,.，。、])/u.exec(candidate.unit.text)?.[0] ?? "";
  if (opening !== clause && polarityOf(opening, language) === "no") return "no";
  return stanceOf(clause, language, (text) => matcher.match(new Set(termsOf(text, language))).some((hit) => hit > 0));
}

/** Where a sentence may be parted so that each part says something. */
const CLAUSES =
  /(?<=[;；:：—–])\s*|(?<=[,，،])\s*(?=(?:and|but|or|so|because|since|otherwise|und|aber|oder|denn|et|mais|ou|car|y|pero|o|porque|и|а|но|или)\s)/iu;

/** The part of a sentence that says most of the question, and of those the shortest. */
function clauseOf(question: AskedQuestion, { candidate }: Reading): string {
  const { language } = candidate.passage;
  const matcher = matcherOf(question, language);
  const parts = candidate.unit.text.split(CLAUSES).filter((part) => /\p{L}/u.test(part));
  let best = { text: candidate.unit.text, said: -1 };
  for (const text of parts) {
    const match = matcher.match(new Set(termsOf(text, language)));
    const said = match.reduce((sum, hit, index) => sum + hit * (question.words[index]?.weight ?? 0), 0);
    if (said > best.said) best = { text, said };
  }
  return best.text.replace(/[\s.,;:，；：、。]+$/u, "");
}
