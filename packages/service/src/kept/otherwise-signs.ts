/** What speaks for a sentence of a newer document saying otherwise than a kept answer, and what against it, in figures. */
import { languageOf, sentencesOf } from "@threadlore/language";
import { polarityOf } from "@threadlore/language/meaning";
import { termsOf } from "@threadlore/language/stems";
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
import { saysChange, saysEnd } from "./change-words.ts";

/**
 * Each 0 to 1. Of the question, by weight: what the sentence says (`asked`), with what stands above it (`askedAbove`) and its
 * neighbours (`askedNear`); a name that nothing there says (`noName`). Of what the kept answer says beyond its question: what
 * the sentence says (`kept`), with what is around it (`keptNear`). Both together (`mass`, `massNear`). That something has changed
 * (`change`, next to it `changeNear`, where much is said of both `changeMass`) or is no more (`end`, of what is kept
 * `endOfKept`), with another name (`replaced`). Another value of one kind (`differs`, `differsMass`), the same one (`same`,
 * `sameElsewhere`). How much of the kept answer one sentence says that ends nothing (`agrees`). Another answer of yes or no
 * (`stance`), where such is asked for (`choice`).
 */
export const OTHERWISE_SIGNS = [
  "asked",
  "askedAbove",
  "askedNear",
  "kept",
  "keptNear",
  "mass",
  "massNear",
  "noName",
  "change",
  "changeNear",
  "end",
  "endOfKept",
  "differs",
  "same",
  "stance",
  "choice",
  "changeMass",
  "differsMass",
  "agrees",
  "sameElsewhere",
  "replaced",
] as const;
export type OtherwiseSign = (typeof OTHERWISE_SIGNS)[number];

/** A kept answer, read for its question. Plain data. */
export interface KeptReading {
  readonly question: AskedQuestion;
  /** Its words that the question does not have, as a question's are read. */
  readonly answer: AskedQuestion;
  readonly sentences: readonly string[];
  readonly isYes: boolean;
  readonly values: readonly Value[];
  readonly sorts: readonly Sort[];
}

/** @param statistics of the words of both */
export function readKept(asked: string, text: string, statistics: WordStatistics): KeptReading {
  const question = understand(asked, statistics);
  const language = languageOf(text, question.language);
  const whole = understand(text, statistics);
  const known = new Set(question.words.map(({ word }) => word));
  const sentences = sentencesOf(text, language).map((sentence) => sentence.text);
  const wanted = sortsFor(question).filter((sort) => sort !== "stance");
  const sorts: readonly Sort[] = wanted.length > 0 ? wanted : ["amount", "moment", "name"];
  return {
    question,
    answer: { ...whole, words: whole.words.filter(({ word }) => !known.has(word)) },
    sentences,
    isYes: polarityOf(sentences[0] ?? "", language) === "yes",
    values: sorts.flatMap((sort) => allValues(sort, text, language)),
    sorts,
  };
}

/** A sentence, what speaks for it, and the sentence of the kept answer that it is nearest to. */
export interface SignedSentence {
  readonly text: string;
  readonly closest: string;
  readonly signs: Readonly<Record<OtherwiseSign, number>>;
}

/** Weights of words that are as much as counts. */
const FULL_MASS = 24;
const FULL_KEPT = 16;

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
  readonly isEnd: readonly boolean[];
  readonly isChange: readonly boolean[];
  readonly values: readonly (readonly Value[])[];
  readonly isSame: readonly boolean[];
  readonly agrees: number;
}

/** What each sentence says, and what stands above all. */
interface Said {
  readonly above: Match;
  readonly own: readonly Match[];
}

function readFor(kept: KeptReading, { units, above, language }: PassageAsRead): ReadFor {
  const { question, answer } = kept;
  const saidBy = (matcher: Matcher): Said => ({
    above: matcher.match(above),
    own: units.map(({ terms }) => matcher.match(new Set(terms))),
  });
  const asks = matcherOf(question, language);
  const ofKept = saidBy(matcherOf(answer, language));
  const isEnd = units.map(({ unit }) => saysEnd(unit.text, language));
  const values = units.map(({ unit }) => kept.sorts.flatMap((sort) => allValues(sort, unit.text, language)));
  const total = Math.max(
    1e-6,
    weightWhere(answer.words, () => true),
  );
  return {
    asks,
    ofAsked: saidBy(asks),
    ofKept,
    isEnd,
    isChange: units.map(({ unit }) => saysChange(unit.text, language)),
    values,
    isSame: values.map((some) => some.some((value) => kept.values.some((one) => isOne(one, value)))),
    agrees: Math.max(0, ...ofKept.own.map((match, at) => (isEnd[at] === true ? 0 : massOf(answer, match) / total))),
  };
}

function isOne(one: Value, other: Value): boolean {
  return one.sort === other.sort && mayBeSame(one, other);
}

function massOf({ words }: AskedQuestion, match: Match): number {
  return words.reduce((sum, { weight }, at) => sum + weight * (match[at] ?? 0), 0);
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
): SignedSentence["signs"] {
  const { question, answer } = kept;
  const { asks, ofAsked, ofKept } = read;
  const [isChange, isEnd, isSame] = [read.isChange[at] === true, read.isEnd[at] === true, read.isSame[at] === true];
  const asked = ofAsked.own[at] ?? [];
  const askedAbove = together(asked, ofAsked.above);
  const askedNear = together(askedAbove, nearOf(ofAsked, at));
  const keptMass = massOf(answer, ofKept.own[at] ?? []);
  const keptNear = massOf(answer, together(nearOf(ofKept, at), ofKept.above));
  const massNear = Math.min(1, (massOf(question, askedNear) + keptNear) / FULL_MASS);
  const values = read.values[at] ?? [];
  const differs = !isSame && values.some((value) => kept.values.some((one) => canContradict(one, value)));
  const isNewName = values.some((value) => value.sort === "name" && !kept.values.some((one) => isOne(one, value)));
  const isChoice = question.kind === "choice";
  const stance = stanceOf(text, language, (part) =>
    asks.match(new Set(termsOf(part, language))).some((hit) => hit > 0),
  );
  const endsKept = (place: number): boolean =>
    read.isEnd[place] === true && massOf(answer, ofKept.own[place] ?? []) > 0;
  const noName = weightWhere(question.words, ({ isName }, index) => isName && (askedNear[index] ?? 0) < 0.5);
  return {
    asked: massOf(question, asked) / question.total,
    askedAbove: massOf(question, askedAbove) / question.total,
    askedNear: massOf(question, askedNear) / question.total,
    kept: Math.min(1, keptMass / FULL_KEPT),
    keptNear: Math.min(1, keptNear / FULL_KEPT),
    mass: Math.min(1, (massOf(question, askedAbove) + keptMass) / FULL_MASS),
    massNear,
    noName: Math.min(1, noName / question.total),
    change: Number(isChange),
    changeNear: Number(read.isChange[at - 1] === true || read.isChange[at + 1] === true),
    end: Number(isEnd),
    endOfKept: Number([at - 1, at, at + 1].some(endsKept)),
    differs: Number(differs),
    same: Number(isSame),
    stance: Number(isChoice && (stance === "yes") !== kept.isYes),
    choice: Number(isChoice),
    changeMass: isChange || isEnd ? massNear : 0,
    differsMass: differs ? massNear : 0,
    agrees: read.agrees,
    sameElsewhere: Number(!isSame && read.isSame.includes(true)),
    replaced: Number((isChange || isEnd) && isNewName && keptMass > 0),
  };
}

/** The sentence of the kept answer that shares most terms with some. */
function closestOf({ sentences }: KeptReading, terms: readonly string[], language: string | undefined): string {
  const wanted = new Set(terms);
  const shared = sentences.map((one) => new Set(termsOf(one, language).filter((term) => wanted.has(term))).size);
  return sentences[shared.indexOf(Math.max(...shared))] ?? "";
}
