/** What a sentence answers with: the amounts, moments or names in it that the question does not say itself. */
import { foldedWordsOf, isQuestionWord, wordsOf } from "@threadlore/language";
import { type AnswerKind, agrees, type Moment, momentsOf, namesOf } from "@threadlore/language/meaning";
import { stem } from "@threadlore/language/stems";
import type { AskedQuestion } from "../asked.ts";
import { type Amount, amountsOf, areAlike, areComparable, areOneUnit, isMeasured, isMoney, isTime } from "./amounts.ts";
import { distanceTo, placesOf, type Stretch } from "./places.ts";

/** Something a sentence may answer with. */
export type Value = Stretch &
  (
    | { readonly sort: "amount"; readonly amount: Amount }
    | { readonly sort: "moment"; readonly moment: Moment }
    | { readonly sort: "name"; readonly words: readonly string[] }
  );
export type Sort = Value["sort"];
/** A value of a sentence, with how far it stands from the question's words. */
export type Answer = Value & { readonly distance: number };

/** What answers a question of a kind, the likeliest first; kinds that are answered by anything have none. */
const SORTS: Readonly<Partial<Record<AnswerKind, readonly (Sort | "stance")[]>>> = {
  number: ["amount"],
  money: ["amount"],
  duration: ["amount"],
  time: ["moment", "amount"],
  person: ["name"],
  place: ["name"],
  choice: ["stance"],
  thing: ["amount", "moment"],
};

/** Not what is told by numbers or quotation marks, nor what is written small. */
const NAME = /^(?!.*(?<!von) (?:der|des|dem|den|die|das) )[^\p{Ll}\p{P}][^\p{N}«»"“”„]*$/u;

/** What stands before a colon says what follows it. */
const LABEL = /^\s?[:：]/u;
/** "Priya and Tom" are two. */
const JOINED = /\s(?:and|und|et|y|e|i|и|&)\s/u;
/** IT, NASA: neither who nor where. */
const LETTERS = /^\p{Lu}+$/u;

/** "Half an hour after midnight" is another time. */
const BESIDE_MOMENT =
  /(?<![\p{L}])(?:after|before|past|nach|vor|après|avant|después de|antes de|dopo|prima di|после|до)\s(?:\p{L}{1,4}\s)?$/iu;

/** Which sorts of value answer a question. */
export function sortsFor({ kind }: AskedQuestion): readonly (Sort | "stance")[] {
  return SORTS[kind] ?? [];
}

/** "Which version": what is asked for by a noun is no amount, unless that noun stands with it. */
function isOfNoun(question: AskedQuestion, value: Value, text: string, language: string | undefined): boolean {
  const { kind, about, text: asked } = question;
  if (kind !== "thing" || about === undefined || value.sort !== "amount") return true;
  if (!wordsOf(asked).some(({ text: word }) => isQuestionWord(word, question.language))) return true;
  const before = wordsOf(text.slice(Math.max(0, value.start - MAX_NOUN), value.start)).at(-1)?.text;
  const noun = stem(about, language);
  // What is measured has a noun in its unit: metres are a length, whichever word asks for it.
  return (
    (isMeasured(value.amount) && !isMoney(value.amount.unit)) ||
    value.amount.counts === noun ||
    (before !== undefined && stem(before, language) === noun)
  );
}
const MAX_NOUN = 40;

/** The values of one sort in a text, those nearest to the question's words first. */
export function valuesIn(question: AskedQuestion, sort: Sort, text: string, language: string | undefined): Answer[] {
  const found = allValues(sort, text, language).filter(
    (value) => isNew(question, value, text) && fits(question, value) && isOfNoun(question, value, text, language),
  );
  // Most sentences have none.
  if (found.length === 0) return [];
  const places = placesOf(question, text, language);
  const values = found
    .map((value) => ({ ...value, distance: distanceTo(places, value, text, { isName: sort === "name" }) }))
    .toSorted((one, other) => one.distance - other.distance);
  if (question.kind !== "person") return values;
  // A person has a first name and another; a single word may be a team, a title or a sentence's beginning.
  const single = values.filter(({ start, end }) => !JOINED.test(text.slice(start, end)));
  const full = single.filter((value) => value.sort === "name" && value.words.length > 1);
  return full.length > 0 ? full : single;
}

/** Every value of one sort in a text, in order. */
export function allValues(sort: Sort, text: string, language: string | undefined): Value[] {
  switch (sort) {
    case "amount":
      return amountsOf(text, language).map((amount) => ({ sort, amount, start: amount.start, end: amount.end }));
    case "moment":
      return momentsOf(text, language)
        .filter(({ start, end }) => /\p{N}/u.test(text.slice(start, end)) || !BESIDE_MOMENT.test(text.slice(0, start)))
        .map((moment) => ({ sort, moment, start: moment.start, end: moment.end }));
    case "name": {
      const moments = momentsOf(text, language);
      return namesOf(text, language)
        .filter(({ start, end }) => NAME.test(text.slice(start, end)) && !LABEL.test(text.slice(end, end + 2)))
        .filter((name) => !moments.some(({ start, end }) => start < name.end && name.start < end))
        .map(({ start, end }) => ({ sort, words: foldedWordsOf(text.slice(start, end)), start, end }));
    }
  }
}

function isNew(question: AskedQuestion, value: Value, text: string): boolean {
  const { said, words } = question;
  switch (value.sort) {
    case "amount":
      return !said.has(String(value.amount.value)) || !isAsked(question, value.amount);
    case "moment":
      return foldedWordsOf(text.slice(value.start, value.end)).some((word) => !said.has(word));
    case "name":
      return (
        !value.words.some((word) => said.has(word) || words.some((asked) => asked.word === word)) &&
        !LETTERS.test(text.slice(value.start, value.end))
      );
  }
}

/** "Mole 3" says nothing of three years. */
function isAsked({ text, language }: AskedQuestion, amount: Amount): boolean {
  return amountsOf(text, language).some((asked) => areComparable(asked, amount) && areAlike(asked, amount));
}

function fits({ kind }: AskedQuestion, value: Value): boolean {
  if (value.sort !== "amount") return true;
  const { unit } = value.amount;
  switch (kind) {
    case "money":
      return isMoney(unit);
    case "duration":
    case "time":
      return isTime(unit);
    default:
      return true;
  }
}

/** Whether two values say something of the same kind, so that one may contradict the other. */
export function canContradict(one: Value, other: Value): boolean {
  if (one.sort === "amount" && other.sort === "amount") return areComparable(one.amount, other.amount);
  if (one.sort === "moment" && other.sort === "moment") return arePrecise(one.moment, other.moment);
  return one.sort === other.sort;
}

/** Whether a value counts the noun that is asked for. */
export function countsWhatIsAsked({ about, language }: AskedQuestion, value: Value): boolean {
  return value.sort === "amount" && about !== undefined && value.amount.counts === stem(about, language);
}

/** Whether a value may be what a count or a size is asked for: that is no time, and seldom money. */
export function measuresWhatIsAsked({ kind }: AskedQuestion, value: Value): boolean {
  return value.sort !== "amount" || kind !== "number" || !isTime(value.amount.unit);
}

/** Whether a value says as much as another one: a month alone does not say a day of it. */
export function isAsPrecise(one: Value, other: Value): boolean {
  if (one.sort !== "moment" || other.sort !== "moment") return true;
  return (["day", "hour"] as const).every((part) => other.moment[part] === undefined || one.moment[part] !== undefined);
}

/** Both tell a day, or both a year, or both a time of day. */
function arePrecise(one: Moment, other: Moment): boolean {
  return (["year", "month", "hour", "weekday"] as const).some(
    (part) => one[part] !== undefined && other[part] !== undefined,
  );
}

/** Whether two values are told in the same way: 1 of one unit or as exactly, 0 where it cannot be told, less where not. */
export function likeness(one: Value, other: Value): number {
  if (one.sort === "amount" && other.sort === "amount") {
    const [first, second] = [one.amount.counts, other.amount.counts];
    return first === undefined && second === undefined
      ? 0
      : first === second || areOneUnit(one.amount, other.amount)
        ? 1
        : -1;
  }
  if (one.sort === "moment" && other.sort === "moment")
    return (["day", "hour"] as const).every(
      (part) => (one.moment[part] === undefined) === (other.moment[part] === undefined),
    )
      ? 1
      : 0;
  return 0;
}

/** Whether two values may be the same. */
export function mayBeSame(one: Value, other: Value): boolean {
  if (one.sort === "amount" && other.sort === "amount") return areAlike(one.amount, other.amount);
  if (one.sort === "moment" && other.sort === "moment") return agrees(one.moment, other.moment);
  if (one.sort !== "name" || other.sort !== "name") return false;
  return one.words.some((word) => word.length > 1 && other.words.includes(word));
}
