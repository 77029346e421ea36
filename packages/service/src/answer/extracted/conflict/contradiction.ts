/** How two sentences that answer one question differ, if they do. */
import { modalityOf, polarityOf } from "@threadlore/language/meaning";
import { termsOf } from "@threadlore/language/stems";
import type { AskedQuestion } from "../asked.ts";
import { matcherOf, shareOf } from "../matching.ts";
import type { Reading } from "./readings.ts";
import { type Stance, stanceOf } from "./stances.ts";
import { allValues, type Answer, canContradict, mayBeSame, type Value } from "./values.ts";

/** The words of each that differ. */
export interface Differing {
  readonly one: string;
  readonly other: string;
  /** Those values; none of rules. */
  readonly values: readonly Answer[];
}

const MAX_CHARACTERS = 80;
/** Of the question: what a sentence has to say itself. */
const LEAST_SHARE = { rule: 0.2, other: 0.35 };
/** Sentences that score so much less may name what the other source does. */
const NEAR = 1.5;

/** What differs in two answers; undefined where nothing does. */
export function contradiction(question: AskedQuestion, one: Reading, other: Reading): Differing | undefined {
  return one.sort === "stance" ? differentStances(question, one, other) : differentValues(one, other);
}

function differentValues(one: Reading, other: Reading): Differing | undefined {
  for (const first of one.values) {
    const second = other.values.find((value) => canContradict(first, value));
    if (second === undefined) continue;
    // What is nearest to the question's words in both is what both answer.
    if (mayBeSame(first, second)) return undefined;
    return { one: wordsOf(one, first), other: wordsOf(other, second), values: [first, second] };
  }
  return undefined;
}

/**
 * Whether one of two sources says elsewhere what the other says: it tells its own history, or a list, or of more than one
 * thing.
 */
export function saysBoth(one: Reading, other: Reading, { values }: Differing): boolean {
  const [first, second] = values;
  return first !== undefined && second !== undefined && (says(one, second) || says(other, first));
}

function says({ candidate: { passage }, sort, others, score }: Reading, value: Value): boolean {
  if (sort === "stance") return false;
  // A name may well occur for another reason; a number of the same unit hardly does.
  const texts =
    sort === "name"
      ? others.filter((other) => other.score > score - NEAR).map(({ candidate }) => candidate.unit.text)
      : new Set(others.map(({ candidate }) => candidate.passage.evidence.text));
  return [...texts].some((text) =>
    allValues(sort, text, passage.language).some((own) => canContradict(own, value) && mayBeSame(own, value)),
  );
}

function wordsOf({ candidate }: Reading, { start, end }: Value): string {
  return candidate.unit.text.slice(start, end).trim();
}

function differentStances(question: AskedQuestion, one: Reading, other: Reading): Differing | undefined {
  const [first, second] = [clauseOf(question, one), clauseOf(question, other)];
  const [stance, against] = [stanceIn(question, one, first), stanceIn(question, other, second)];
  if (!isAbout(question, one, stance, first) || !isAbout(question, other, against, second)) return undefined;
  return stance === against ? undefined : { one: shortened(first), other: shortened(second), values: [] };
}

/** A sentence that only does not deny anything has to say more of the question to be an answer to it. */
function isAbout(question: AskedQuestion, { candidate }: Reading, stance: Stance, clause: string): boolean {
  const isRule = stance === "no" || modalityOf(clause, candidate.passage.language) !== undefined;
  return shareOf(question, candidate.own) >= (isRule ? LEAST_SHARE.rule : LEAST_SHARE.other);
}

function shortened(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const cut = text.slice(0, MAX_CHARACTERS - 1).toWellFormed();
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

const JOINING =
  "(?:and|but|or|so|because|since|otherwise|und|aber|oder|denn|et|mais|ou|car|y|pero|o|porque|и|а|но|или)";
/** Where a sentence may be parted so that each part says something. */
const CLAUSES = new RegExp(String.raw`(?<=[;；:：—–])\s*|(?<=[,，،])\s*(?=${JOINING}\s)`, "iu");
const OPENING = new RegExp(String.raw`^${JOINING}\s+`, "iu");

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
  return best.text.replace(OPENING, "").replace(/[\s.,;:，；：、。]+$/u, "");
}
