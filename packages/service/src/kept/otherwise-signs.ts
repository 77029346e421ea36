/** What a sentence of a newer document says of what a kept answer answers: its signs, by which it is judged (otherwise.ts). */
import { foldedWordsOf, languageOf, sentencesOf } from "@threadlore/language";
import { namesOf, polarityOf } from "@threadlore/language/meaning";
import { stem, termsOf } from "@threadlore/language/stems";
import { type AskedQuestion, understand, type WordStatistics } from "../answer/extracted/asked.ts";
import { stanceOf } from "../answer/extracted/conflict/stances.ts";
import {
  allValues,
  canContradict,
  mayBeSame,
  type Sort,
  sortsFor,
  type Value,
} from "../answer/extracted/conflict/values.ts";
import { type Match, type Matcher, matcherOf, together, weightWhere } from "../answer/extracted/matching.ts";
import type { PassageAsRead } from "../answer/extracted/reading.ts";
import { saysChange, saysEnd, saysUnchanged } from "./change-words.ts";
import { groupsOf } from "./related-words.ts";

/** What a sentence says of a kept answer and of its question. Shares are by the weight of words, 0 to 1. */
export interface OtherwiseSigns {
  /** Of the question: what it says itself, with what stands above it, and with its neighbours as well. */
  readonly ownShare: number;
  readonly share: number;
  readonly shareNear: number;
  /** How many words of the question it says with what stands above it. */
  readonly words: number;
  /** Of what the kept answer says beyond its question. */
  readonly keptShare: number;
  /** How much both are, said here and around, of as much as counts: the rarer their words, the more. */
  readonly mass: number;
  /** Of the question: names that nothing here says. */
  readonly nameless: number;
  /** It says, with what is around, a name of the question or the word of it that fewest others say. */
  readonly isOfRarest: boolean;
  /** It lacks a name, and stands under another one. */
  readonly isElsewhere: boolean;
  /** It says that something has changed, that something is no more, that everything is as it was. */
  readonly isChange: boolean;
  readonly isEnd: boolean;
  readonly isUnchanged: boolean;
  /** It or a neighbour says that something of what is kept is no more. */
  readonly isEndOfKept: boolean;
  /** It has another value than what is kept, of one kind; or the same; or another sentence here has that. */
  readonly differs: boolean;
  readonly isSame: boolean;
  /** The same, and no name. */
  readonly isSameMeasure: boolean;
  readonly isSameElsewhere: boolean;
  /** Who is asked for, and it names somebody else, or whoever is kept alone. */
  readonly isNewPerson: boolean;
  readonly isSamePerson: boolean;
  /** Who is asked for, and it names whoever is kept, and somebody else. */
  readonly isOfBoth: boolean;
  /** Yes or no is asked for, and it says the other. */
  readonly isOtherStance: boolean;
  /** How much of one sentence of what is kept it says with the next; the most any sentence here does. */
  readonly repeats: number;
  readonly mostRepeated: number;
}

/** A kept answer, read for its question. Plain data. */
export interface KeptReading {
  readonly question: AskedQuestion;
  /** Its words that the question does not have, as a question's are read. */
  readonly answer: AskedQuestion;
  readonly sentences: readonly string[];
  /** The words of each beyond the question's. */
  readonly words: readonly ReadonlySet<string>[];
  readonly isYes: boolean;
  readonly values: readonly Value[];
  readonly sorts: readonly Sort[];
  /** What words weigh together that are as much as counts: where there is more to read, the rare ones weigh more. */
  readonly fullMass: number;
}

/** So many words that nobody else says are as much as counts, and as few passages as there may be for that to be told. */
const FULL_WORDS = 2.4;
const ADDED_PASSAGES = 2_000;

/** @param statistics of the words of both */
export function readKept(asked: string, text: string, statistics: WordStatistics): KeptReading {
  const question = understand(asked, statistics);
  const language = languageOf(text, question.language);
  const whole = understand(text, statistics);
  const known = new Set(question.words.map(({ word }) => word));
  const sentences = sentencesOf(text, language).map((sentence) => sentence.text);
  const wanted = sortsFor(question).filter((sort) => sort !== "stance");
  const sorts: readonly Sort[] = wanted.length > 0 ? wanted : ["amount", "moment", "name"];
  const answerWords = new Set(whole.words.map(({ word }) => word).filter((word) => !known.has(word)));
  return {
    question,
    answer: { ...whole, words: whole.words.filter(({ word }) => !known.has(word)) },
    sentences,
    words: sentences.map((one) => new Set(foldedWordsOf(one).filter((word) => answerWords.has(word)))),
    isYes: polarityOf(sentences[0] ?? "", language) === "yes",
    values: sorts.flatMap((sort) => allValues(sort, text, language)),
    sorts,
    fullMass: FULL_WORDS * Math.log(1 + 2 * (statistics.passages + ADDED_PASSAGES)),
  };
}

/** A sentence, what it says, and the sentence of the kept answer that it is nearest to. */
export interface SignedSentence {
  readonly text: string;
  readonly closest: string;
  readonly signs: OtherwiseSigns;
}

/** A word that weighs so much of the weightiest is as rare as that. */
const AS_RARE = 0.97;

/** What a word says of another that names the same. */
const RELATED = 0.7;

/** The signs of each sentence of a passage that may say anything. */
export function signsOfPassage(kept: KeptReading, passage: PassageAsRead): SignedSentence[] {
  const read = readFor(kept, passage);
  return passage.units.flatMap(({ unit }, at) => {
    if (unit.kind === "code" || unit.isTitle || /[?？]\s*$/u.test(unit.text)) return [];
    const signs = signsAt(kept, read, unit.text, at, passage.language);
    return [{ text: unit.text, closest: closestOf(kept, passage.units[at]?.terms ?? [], passage.language), signs }];
  });
}

/** A passage as it is compared with one kept answer. */
interface ReadFor {
  readonly asks: Matcher;
  readonly ofAsked: Said;
  readonly ofKept: Said;
  /** As `ofAsked`, where a word may be said by another that names the same. */
  readonly ofRelated: Said;
  readonly isEnd: readonly boolean[];
  readonly values: readonly (readonly Value[])[];
  readonly isSame: readonly boolean[];
  readonly repeats: readonly number[];
  /** What stands above it names something that is not spoken of in what is kept. */
  readonly isOfOther: boolean;
}

/** What each sentence says, and what stands above all. */
interface Said {
  readonly above: Match;
  readonly own: readonly Match[];
}

function readFor(kept: KeptReading, { units, above, language, evidence }: PassageAsRead): ReadFor {
  const { question, answer } = kept;
  const saidBy = (match: (terms: ReadonlySet<string>) => Match): Said => ({
    above: match(above),
    own: units.map(({ terms }) => match(new Set(terms))),
  });
  const asks = matcherOf(question, language);
  const ofKept = saidBy(matcherOf(answer, language).match);
  const isEnd = units.map(({ unit }) => saysEnd(unit.text, language));
  const values = units.map(({ unit }) => kept.sorts.flatMap((sort) => allValues(sort, unit.text, language)));
  return {
    asks,
    ofAsked: saidBy(asks.match),
    ofKept,
    ofRelated: saidBy(relatedMatch(question, asks, language)),
    isEnd,
    values,
    isSame: values.map((some) => some.some((value) => kept.values.some((one) => isOne(one, value)))),
    repeats: units.map((_, at) => (isEnd[at] === true || isEnd[at + 1] === true ? 0 : repeatedAt(kept, ofKept, at))),
    isOfOther: isOfOther(kept, evidence.source.title, language),
  };
}

/** How surely each word is said, where others that name the same say it nearly as well: but for names. */
function relatedMatch({ words }: AskedQuestion, matcher: Matcher, language: string | undefined) {
  const groups = words.map(({ written, isName }) => (isName ? [] : [...groupsOf([stem(written, language)], language)]));
  return (terms: ReadonlySet<string>): Match => {
    // A word that is in the question says itself there, and no other word of it.
    const said = groupsOf(
      [...terms].filter((term) => matcher.wordOf(term) === undefined),
      language,
    );
    return matcher
      .match(terms)
      .map((hit, at) => Math.max(hit, groups[at]?.some((group) => said.has(group)) === true ? RELATED : 0));
  };
}

/** How much a sentence and the next say of that sentence of what is kept of which they say most. */
function repeatedAt({ answer, words }: KeptReading, { own }: Said, at: number): number {
  const self = own[at] ?? [];
  const said = together(self, own[at + 1] ?? self);
  const shares = words.flatMap((those) => {
    const total = weightWhere(answer.words, ({ word }) => those.has(word));
    if (those.size < 2 || total === 0) return [];
    const mass = answer.words.reduce(
      (sum, { word, weight }, index) => sum + (those.has(word) ? weight * (said[index] ?? 0) : 0),
      0,
    );
    return mass / total;
  });
  return Math.max(0, ...shares);
}

function isOfOther({ question, answer }: KeptReading, title: string, language: string | undefined): boolean {
  const known = new Set([...question.words, ...answer.words].map(({ word }) => word));
  return namesOf(title, language).some(
    ({ start, end }) => !foldedWordsOf(title.slice(start, end)).some((word) => known.has(word)),
  );
}

function isOne(one: Value, other: Value): boolean {
  return one.sort === other.sort && mayBeSame(one, other);
}

function massOf({ words }: AskedQuestion, match: Match): number {
  return words.reduce((sum, { weight }, at) => sum + weight * (match[at] ?? 0), 0);
}

function isOfRarest({ words }: AskedQuestion, match: Match): boolean {
  const rarest = AS_RARE * Math.max(...words.map(({ weight }) => weight));
  return words.some(({ weight, isName }, at) => (isName || weight >= rarest) && (match[at] ?? 0) >= 0.5);
}

/** What a sentence says with those beside it. */
function nearOf({ own }: Said, at: number): Match {
  const [before, self, after] = [own[at - 1], own[at] ?? [], own[at + 1]];
  return together(self, before ?? self, after ?? self);
}

function signsAt(
  kept: KeptReading,
  read: ReadFor,
  text: string,
  at: number,
  language: string | undefined,
): OtherwiseSigns {
  const { question, answer } = kept;
  const { asks, ofAsked, ofKept, ofRelated } = read;
  const [isEnd, isSame] = [read.isEnd[at] === true, read.isSame[at] === true];
  const own = ofRelated.own[at] ?? [];
  const withAbove = together(own, ofRelated.above);
  const near = together(ofAsked.above, nearOf(ofAsked, at));
  const keptMass = massOf(answer, ofKept.own[at] ?? []);
  // What is called by another name in what is kept may be called so here.
  const named = together(nearOf(ofKept, at), ofKept.above);
  const mass = massOf(question, near) + massOf(answer, named);
  const isNamedAsKept = answer.words.filter(({ isName }, index) => isName && (named[index] ?? 0) >= 0.5).length > 1;
  const nameless = isNamedAsKept
    ? 0
    : weightWhere(question.words, ({ isName }, index) => isName && (near[index] ?? 0) < 0.5);
  const endsKept = (place: number): boolean =>
    read.isEnd[place] === true && massOf(answer, ofKept.own[place] ?? []) > 0;
  const around = together(withAbove, nearOf(ofRelated, at));
  return {
    ownShare: massOf(question, own) / question.total,
    share: massOf(question, withAbove) / question.total,
    shareNear: massOf(question, around) / question.total,
    words: withAbove.filter((hit) => hit >= RELATED).length,
    keptShare:
      keptMass /
      Math.max(
        1e-6,
        weightWhere(answer.words, () => true),
      ),
    mass: Math.min(1, mass / kept.fullMass),
    nameless: nameless / question.total,
    isOfRarest: isOfRarest(question, around),
    isElsewhere: nameless > 0 && read.isOfOther,
    isChange: saysChange(text, language),
    isEnd,
    isUnchanged: saysUnchanged(text, language),
    isEndOfKept: [at - 1, at, at + 1].some(endsKept),
    ...valueSigns(kept, read.values[at] ?? [], isSame, isEnd),
    isSame,
    isSameElsewhere: !isSame && read.isSame.includes(true),
    isOtherStance: question.kind === "choice" && isOtherStance(kept, asks, text, language),
    repeats: read.repeats[at] ?? 0,
    mostRepeated: Math.max(0, ...read.repeats),
  };
}

function valueSigns(kept: KeptReading, values: readonly Value[], isSame: boolean, isEnd: boolean) {
  const isPerson = kept.question.kind === "person";
  const names = values.flatMap((value) => (value.sort === "name" ? [value.words] : []));
  // A name is shorter or longer as people please.
  const known = new Set([...kept.question.words, ...kept.answer.words].map(({ word }) => word));
  const isKnown = (name: readonly string[]): boolean => name.some((word) => known.has(word));
  const isNewName = !names.every(isKnown);
  return {
    isSameMeasure: values.some((value) => value.sort !== "name" && kept.values.some((one) => isOne(one, value))),
    differs: !isSame && values.some((value) => kept.values.some((one) => canContradict(one, value))),
    isNewPerson: isPerson && isNewName && !isSame,
    isOfBoth: isPerson && isNewName && names.some(isKnown),
    isSamePerson: isPerson && !isEnd && !isNewName && names.length > 0,
  };
}

function isOtherStance(kept: KeptReading, asks: Matcher, text: string, language: string | undefined): boolean {
  const stance = stanceOf(text, language, (part) =>
    asks.match(new Set(termsOf(part, language))).some((hit) => hit > 0),
  );
  return (stance === "yes") !== kept.isYes;
}

/** The sentence of the kept answer that shares most terms with some. */
function closestOf({ sentences }: KeptReading, terms: readonly string[], language: string | undefined): string {
  const wanted = new Set(terms);
  const shared = sentences.map((one) => new Set(termsOf(one, language).filter((term) => wanted.has(term))).size);
  return sentences[shared.indexOf(Math.max(...shared))] ?? "";
}
