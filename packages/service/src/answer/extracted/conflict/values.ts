/** What a sentence answers with: the amounts, moments or names in it that the question does not say itself. */
import { foldedWordsOf } from "@threadlore/language";
import { type AnswerKind, agrees, type Moment, momentsOf, namesOf } from "@threadlore/language/meaning";
import type { AskedQuestion } from "../asked.ts";
import { type Amount, amountsOf, areAlike, areComparable, isMoney, isTime } from "./amounts.ts";
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
const NAME = /^(?:[^\p{Ll}\p{P}][^\p{N}«»"“”„]*)$/u;

/** Which sorts of value answer a question. */
export function sortsFor({ kind }: AskedQuestion): readonly (Sort | "stance")[] {
  return SORTS[kind] ?? [];
}

/** The values of one sort in a text, those nearest to the question's words first. */
export function valuesIn(question: AskedQuestion, sort: Sort, text: string, language: string | undefined): Answer[] {
  const places = placesOf(question, text, language);
  return allValues(sort, text, language)
    .filter((value) => isNew(question, value) && fits(question, value))
    .map((value) => ({ value, distance: distanceTo(places, value, text) }))
    .toSorted((one, other) => one.distance - other.distance)
    .map(({ value, distance }) => ({ ...value, distance }));
}

/** Every value of one sort in a text, in order. */
export function allValues(sort: Sort, text: string, language: string | undefined): Value[] {
  switch (sort) {
    case "amount":
      return amountsOf(text, language).map((amount) => ({ sort, amount, start: amount.start, end: amount.end }));
    case "moment":
      return momentsOf(text, language).map((moment) => ({ sort, moment, start: moment.start, end: moment.end }));
    case "name": {
      const moments = momentsOf(text, language);
      return namesOf(text, language)
        .filter(({ start, end }) => NAME.test(text.slice(start, end)))
        .filter((name) => !moments.some(({ start, end }) => start < name.end && name.start < end))
        .map(({ start, end }) => ({ sort, words: foldedWordsOf(text.slice(start, end)), start, end }));
    }
  }
}

function isNew({ said, words }: AskedQuestion, value: Value): boolean {
  switch (value.sort) {
    case "amount":
      return !said.has(String(value.amount.value));
    case "moment": {
      const { year, month, day, hour, weekday } = value.moment;
      return (
        (year !== undefined && !said.has(String(year))) ||
        [month, day, hour, weekday].some((part) => part !== undefined)
      );
    }
    case "name":
      return !value.words.some((word) => said.has(word) || words.some((asked) => asked.word === word));
  }
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

/** Both tell a day, or both a year, or both a time of day. */
function arePrecise(one: Moment, other: Moment): boolean {
  return (["year", "month", "hour", "weekday"] as const).some(
    (part) => one[part] !== undefined && other[part] !== undefined,
  );
}

/** Whether two values may be the same. */
export function mayBeSame(one: Value, other: Value): boolean {
  if (one.sort === "amount" && other.sort === "amount") return areAlike(one.amount, other.amount);
  if (one.sort === "moment" && other.sort === "moment") return agrees(one.moment, other.moment);
  if (one.sort !== "name" || other.sort !== "name") return false;
  return one.words.some((word) => word.length > 1 && other.words.includes(word));
}
