/** Numbers with what they count, as two documents are compared by them: 14 days are two weeks, and 8,964 is some 9,000. */
import { type Quantity, quantitiesOf, sameQuantity } from "@threadlore/language/meaning";
import { stem } from "@threadlore/language/stems";

/** A number in a sentence, its parts put together: "2 hours and 52 minutes" is one. */
export interface Amount extends Quantity {
  /** What is compared: nouns by their stem, so that "request" counts as "requests" does. */
  readonly counts: string | undefined;
}

/** Units of time in days. How long a month is differs, so those are compared with some room. */
const DAYS: Readonly<Record<string, number>> = {
  millisecond: 1 / 86_400_000,
  second: 1 / 86_400,
  minute: 1 / 1440,
  hour: 1 / 24,
  day: 1,
  week: 7,
  month: 30.4,
  quarter: 91.3,
  year: 365.25,
  decade: 3652.5,
  century: 36_525,
};
/** Working days are days to some, and to others five sevenths of them. */
const WORKDAYS = 1.4;
const MONTHS: ReadonlySet<string> = new Set(["month", "quarter", "year"]);
/** How far apart the parts of one amount stand: " and ", " y ". */
const JOINT = 6;
const ROOM = 0.1;

/** The amounts of a sentence, in order, but for mere ordinals. */
export function amountsOf(text: string, language: string | undefined): Amount[] {
  const amounts: Amount[] = [];
  for (const quantity of quantitiesOf(text, language)) {
    if (quantity.unit === "ordinal") continue;
    const before = amounts.at(-1);
    const whole = before === undefined ? undefined : together(before, quantity, text);
    if (whole !== undefined) amounts[amounts.length - 1] = whole;
    else amounts.push({ ...quantity, counts: countedBy(quantity, language) });
  }
  return amounts;
}

function countedBy({ unit }: Quantity, language: string | undefined): string | undefined {
  return unit === undefined || isTime(unit) || isMoney(unit) ? unit : stem(unit, language);
}

function together(one: Amount, other: Quantity, text: string): Amount | undefined {
  if (one.unit === undefined || !isTime(one.unit) || other.start - one.end > JOINT) return undefined;
  if (/\p{P}/u.test(text.slice(one.end, other.start))) return undefined;
  const end = other.end;
  // "an hour and a half": the half is one of the unit before it.
  if (other.value === 0.5 && !isTime(other.unit)) return { ...one, value: one.value + 0.5, end: other.start + 5 };
  const [size, part] = [DAYS[one.unit], DAYS[other.unit ?? ""]];
  if (size === undefined || part === undefined || part >= size) return undefined;
  return { ...one, value: one.value + (other.value * part) / size, end };
}

export function isTime(unit: string | undefined): boolean {
  return unit !== undefined && (unit in DAYS || unit === "workday");
}

export function isMoney(unit: string | undefined): boolean {
  return unit !== undefined && /^[A-Z]{3}$/.test(unit);
}

/** Units of measures, which a bare number does not leave out. */
const MEASURES =
  /^[A-Z]{3}$|metre|gram|litre|byte|watt|mile$|^(?:percent|permille|degree|tonne|pound|foot|inch|yard|hertz|cent)$/;

function isMeasured({ unit }: Amount): boolean {
  return unit !== undefined && MEASURES.test(unit);
}

/** Whether two amounts are of the same thing, so that one may contradict the other. */
export function areComparable(one: Amount, other: Amount): boolean {
  if (isTime(one.unit) || isTime(other.unit)) return isTime(one.unit) && isTime(other.unit);
  if (one.counts === other.counts) return true;
  if (isMeasured(one) !== isMeasured(other)) return false;
  // Nothing of one unit is nothing of another only where both measure the same.
  return sameQuantity({ ...one, value: 0 }, { ...other, value: 0 });
}

/** Whether two amounts may well be the same one: in other units, rounded, or about. */
export function areAlike(one: Amount, other: Amount): boolean {
  if (isTime(one.unit) && isTime(other.unit)) return isSameTime(one, other);
  return sameQuantity(one, other) || isRounded(one, other) || isRounded(other, one);
}

function isSameTime(one: Amount, other: Amount): boolean {
  const isLoose = one.approximate || other.approximate || MONTHS.has(one.unit ?? "") !== MONTHS.has(other.unit ?? "");
  return daysOf(one).some((days) =>
    daysOf(other).some((others) => Math.abs(days - others) <= Math.max(days, others) * (isLoose ? ROOM : 1e-6)),
  );
}

function daysOf({ value, unit }: Amount): number[] {
  return unit === "workday" ? [value, value * WORKDAYS] : [value * (DAYS[unit ?? ""] ?? 1)];
}

/** So much may a number lose that is rounded without a word about it. */
const ROUNDING = 0.05;
const LEAST_ROUNDED = 100;

/** Whether one is the other, rounded to fewer digits. What is paid is not rounded, unless it is much. */
function isRounded(one: Amount, other: Amount): boolean {
  const isFine = !Number.isInteger(other.value) || one.value >= (isMoney(one.unit) ? 100 : 1) * LEAST_ROUNDED;
  if (!isFine || Math.abs(one.value - other.value) > ROUNDING * Math.max(one.value, other.value)) return false;
  const place = placeOf(one.value);
  return placeOf(other.value) < place && Math.round(other.value / place) * place === one.value;
}

/** The place of the last digit that is not 0: 100 of 1,200, 0.1 of 29.6. */
function placeOf(value: number): number {
  if (value === 0) return 1;
  let place = 0.001;
  while (Number.isInteger(Number((value / (place * 10)).toFixed(6))) && place < 1e12) place *= 10;
  return place;
}
