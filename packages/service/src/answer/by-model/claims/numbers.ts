/** Numbers, dates and times of a claim that its passages do not hold. */
import { isMeasure, type Moment, type Quantity, sameQuantity } from "@threadlore/language/meaning";
import type { TextFacts } from "./text-facts.ts";

/** A value of a claim, as it is written there. */
export interface SaidValue {
  readonly start: number;
  readonly end: number;
}

/**
 * The values of a claim that no passage holds. What the question said itself does not count beside a value that a passage
 * holds: "a trip of four hours may be in first class, since it is above three".
 */
export function numbersNotIn(
  claim: TextFacts,
  passages: readonly TextFacts[],
  question: TextFacts | undefined,
): SaidValue[] {
  const isHeld = (value: Quantity | Moment, by: readonly TextFacts[]) =>
    by.some((passage) => ("value" in value ? holdsQuantity(passage, value) : holdsMoment(passage, value)));
  const values: (Quantity | Moment)[] = [
    ...claim.quantities.filter((quantity) => tellsSomething(claim.text, quantity)),
    ...claim.moments,
  ];
  const missing = values.filter((value) => !isHeld(value, passages));
  const isEcho = question !== undefined && missing.length < values.length;
  return isEcho ? missing.filter((value) => !isHeld(value, [question])) : missing;
}

/** "One" and "first" are as often no numbers: only a 1 in digits is. */
function tellsSomething(text: string, { value, unit, start, end }: Quantity): boolean {
  return value !== 1 || (isMeasure(unit) && /\p{Nd}/u.test(text.slice(start, end)));
}

function holdsQuantity(passage: TextFacts, said: Quantity): boolean {
  if (passage.quantities.some((held) => isSame(said, held))) return true;
  if (passage.digits.has(said.value)) return true;
  return passage.moments.some(
    (moment) => [moment.year, moment.day, moment.hour].includes(said.value) && !isMoney(said.unit),
  );
}

/** By unit where both have one that can be compared; a counted noun may be named otherwise. */
function isSame(said: Quantity, held: Quantity): boolean {
  if (isOrdinal(held) && !isOrdinal(said) && said.unit !== undefined && !isTime(said.unit)) return false;
  const [one, other] = [
    { ...said, approximate: false },
    { ...held, approximate: false },
  ];
  if (sameQuantity(one, other) || (said.approximate && isNear(said, held))) return true;
  const isCompared = isMeasure(said.unit) && isMeasure(held.unit) && dayOf(said.unit) !== dayOf(held.unit);
  if (!isCompared && isEqual(said.value, held.value)) return true;
  // "Within 10 minutes, at the desk within 30": half an hour is what the second one says.
  if (held.unit === undefined && said.unit === "hour" && isEqual(said.value * 60, held.value)) return true;
  return isShare(said, held) || isShare(held, said) || isCent(said, held) || isCent(held, said);
}

const isOrdinal = ({ unit }: Quantity): boolean => unit === "ordinal";
const isTime = (unit: string): boolean => ["day", "week", "month", "year"].includes(unit);

/** What is said to be about so much may be so much more or less, as a share of it. */
const ABOUT = 0.05;

function isNear(said: Quantity, held: Quantity): boolean {
  return said.unit === held.unit && Math.abs(said.value - held.value) <= ABOUT * held.value;
}

/** A working day is called a day, too. */
const dayOf = (unit: string | undefined) => (unit === "workday" ? "day" : unit);

/** Half of it is 50 percent. */
function isShare(one: Quantity, other: Quantity): boolean {
  return one.unit === "percent" && other.unit !== "percent" && other.value < 1 && isEqual(one.value / 100, other.value);
}

/** 35 cents are 0.35 euros. */
function isCent(one: Quantity, other: Quantity): boolean {
  return (
    isMoney(one.unit) &&
    !isMoney(other.unit) &&
    /^(?:c|penn|pence)/.test(other.unit ?? "") &&
    isEqual(one.value * 100, other.value)
  );
}

const isMoney = (unit: string | undefined) => unit !== undefined && /^[A-Z]{3}$/.test(unit);
const isEqual = (one: number, other: number) =>
  Math.abs(one - other) <= 1e-9 * Math.max(Math.abs(one), Math.abs(other));

/** A day with its month, and a time with its minutes, in one place; all else anywhere. */
function holdsMoment(passage: TextFacts, said: Moment): boolean {
  const { moments } = passage;
  const dated =
    said.day === undefined ||
    moments.some(
      ({ day, month }) => day === said.day && (said.month === undefined || month === undefined || month === said.month),
    );
  return (
    (dated || (said.month === undefined && holdsNumber(passage, said.day))) &&
    (said.month === undefined ||
      moments.some(
        ({ month, months = 1 }) =>
          month !== undefined && said.month !== undefined && said.month >= month && said.month < month + months,
      )) &&
    (said.year === undefined ||
      moments.some(
        ({ year, years = 1 }) =>
          year !== undefined && said.year !== undefined && said.year >= year && said.year < year + years,
      ) ||
      holdsNumber(passage, said.year)) &&
    (said.weekday === undefined || moments.some(({ weekday }) => weekday === said.weekday)) &&
    (said.hour === undefined ||
      moments.some(({ hour, minute = 0 }) => hour === said.hour && minute === (said.minute ?? 0)) ||
      ((said.minute ?? 0) === 0 && holdsNumber(passage, said.hour)))
  );
}

/** "From 9 to 17": a number without a measure may be a time. */
function holdsNumber({ quantities, digits }: TextFacts, number: number | undefined): boolean {
  return (
    number !== undefined &&
    (digits.has(number) || quantities.some(({ value, unit }) => value === number && !isMeasure(unit)))
  );
}
