/** How two sources that answer one question differ, if they do. */
import { beginningOf } from "@threadlore/language";
import { modalityOf, polarityOf } from "@threadlore/language/meaning";
import { termsOf } from "@threadlore/language/stems";
import type { AskedQuestion } from "../asked.ts";
import { matcherOf, shareOf } from "../matching.ts";
import type { Given, Reading } from "./readings.ts";
import { type Stance, stanceOf } from "./stances.ts";
import { allValues, canContradict, isAsPrecise, likeness, mayBeSame, type Value } from "./values.ts";

/** The sentences of two sources that differ, and the words in them that do. */
export interface Differing {
  readonly one: Given;
  readonly other: Given;
  readonly says: readonly [one: string, other: string];
}

const MAX_CHARACTERS = 80;
/** Of the question: what a sentence has to say itself. */
const LEAST_SHARE = { rule: 0.2, other: 0.35 };
/** Pairs of values that are no further behind the best one may be meant as well. */
const NEAR = 1.5;
/** A match from here on says the word. */
const SAID = 0.6;
/** What a pair is worth more whose values are of one unit, or told as exactly. */
const ALIKE = 2;

/** What differs in two answers; undefined where nothing does. */
export function contradiction(question: AskedQuestion, one: Reading, other: Reading): Differing | undefined {
  return one.sort === "stance" ? differentStances(question, one, other) : differentValues(one, other);
}

interface Pair {
  readonly one: Given;
  readonly other: Given;
  readonly worth: number;
}

/** What answers best in both is what both answer, and where that may be the same nothing differs. */
function differentValues(reading: Reading, against: Reading): Differing | undefined {
  const pairs = reading.given
    .flatMap((one) => against.given.flatMap((other) => pairOf(one, other) ?? []))
    .toSorted((one, other) => other.worth - one.worth);
  const worth = pairs[0]?.worth ?? 0;
  const shared = pairs.filter((pair) => pair.worth > worth - NEAR && isSame(pair));
  const [best] = pairs.filter(
    (pair) => !shared.some(({ one, other }) => one.value === pair.one.value || other.value === pair.other.value),
  );
  if (best === undefined || shared.some((pair) => !isBeside(best, pair))) return undefined;
  const { one, other } = best;
  if (mentions(reading, other.value) || mentions(against, one.value)) return undefined;
  return { one, other, says: [wordsOf(one), wordsOf(other)] };
}

function pairOf(one: Given, other: Given): Pair | undefined {
  if (one.value === undefined || other.value === undefined || !canContradict(one.value, other.value)) return undefined;
  return { one, other, worth: one.worth + other.worth + ALIKE * likeness(one.value, other.value) };
}

function isSame({ one, other }: Pair): boolean {
  return one.value !== undefined && other.value !== undefined && mayBeSame(one.value, other.value);
}

/** "9:00 to 16:00" and "9:00 to 17:00": what both say is no answer where the same sentences differ in what answers as well. */
function isBeside(best: Pair, shared: Pair): boolean {
  return (
    shared.one.candidate === best.one.candidate &&
    shared.other.candidate === best.other.candidate &&
    best.one.worth + best.other.worth >= shared.one.worth + shared.other.worth
  );
}

/**
 * Whether a source says a value anywhere, which another one answers with: it tells its own history, or a list, or of
 * more than one thing.
 */
function mentions({ all, sort, given: [best] }: Reading, value: Value | undefined): boolean {
  if (value === undefined || sort === "stance") return false;
  // A name may well occur for another reason; a number of the same unit hardly does.
  const texts =
    sort === "name"
      ? all.filter(({ candidate }) => candidate === best.candidate).map(({ candidate }) => candidate.unit.text)
      : new Set(all.map(({ candidate }) => candidate.passage.evidence.text));
  const { language } = best.candidate.passage;
  return [...texts].some((text) =>
    allValues(sort, text, language).some(
      (own) => canContradict(own, value) && isAsPrecise(own, value) && mayBeSame(own, value),
    ),
  );
}

function wordsOf({ candidate, value }: Given): string {
  return value === undefined ? "" : candidate.unit.text.slice(value.start, value.end).trim();
}

function differentStances(question: AskedQuestion, one: Reading, other: Reading): Differing | undefined {
  const [first, second] = [stanceBy(question, one), stanceBy(question, other)];
  if (first === undefined || second === undefined || first.stance === second.stance) return undefined;
  if (!areOfOneDeed(question, first.given, second.given)) return undefined;
  return { one: first.given, other: second.given, says: [shortened(first.clause), shortened(second.clause)] };
}

/** Whether two sentences say a word of the question, beyond that something is allowed or not. */
function areOfOneDeed({ words, language }: AskedQuestion, one: Given, other: Given): boolean {
  return words.some(
    ({ written }, index) =>
      Math.min(one.candidate.own[index] ?? 0, other.candidate.own[index] ?? 0) >= SAID &&
      modalityOf(written, language) === undefined,
  );
}

function stanceBy(question: AskedQuestion, { given }: Reading) {
  for (const one of given) {
    const clause = clauseOf(question, one);
    const stance = stanceIn(question, one, clause);
    if (isAbout(question, one, stance, clause)) return { given: one, clause, stance };
  }
  return undefined;
}

/** A sentence that only does not deny anything has to say more of the question to be an answer to it. */
function isAbout(question: AskedQuestion, { candidate }: Given, stance: Stance, clause: string): boolean {
  const isRule = stance === "no" || modalityOf(clause, candidate.passage.language) !== undefined;
  return shareOf(question, candidate.own) >= (isRule ? LEAST_SHARE.rule : LEAST_SHARE.other);
}

function shortened(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const cut = beginningOf(text, MAX_CHARACTERS - 1);
  return `${cut.replace(/\s+\S*$/u, "")}…`;
}

function stanceIn(question: AskedQuestion, { candidate }: Given, clause: string) {
  const { language } = candidate.passage;
  const matcher = matcherOf(question, language);
  // "No, wash it by hand": the first word answers for all that follows.
  const opening = /^[^\s,.，。、]{1,8}(?=[,.，。、])/u.exec(candidate.unit.text)?.[0] ?? "";
  if (opening !== clause && polarityOf(opening, language) === "no") return "no";
  return stanceOf(clause, language, (text) => matcher.match(new Set(termsOf(text, language))).some((hit) => hit > 0));
}

const JOINING =
  "(?:and|but|or|so|because|since|otherwise|und|aber|oder|denn|et|mais|ou|car|y|pero|o|porque|и|а|но|или)";
/** Words that begin a condition or an exception, which says nothing of the rule itself. */
const BESIDE =
  "(?:if|unless|when|while|as long as|provided|except|wenn|falls|sofern|solange|sobald|außer|es sei denn|si|sauf|à condition|lorsque|tant que|salvo|excepto|siempre que|cuando|a menos que|se|quando|если|кроме|когда)";
/** Where a sentence may be parted so that each part says something. */
const CLAUSES = new RegExp(String.raw`(?<=[;；:：—–])\s*|(?<=[,，،])\s*(?=(?:${JOINING}|${BESIDE})\s)`, "iu");
const OPENING = new RegExp(String.raw`^${JOINING}\s+`, "iu");

/** The part of a sentence that says most of the question, and of those the shortest. */
function clauseOf(question: AskedQuestion, { candidate }: Given): string {
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
