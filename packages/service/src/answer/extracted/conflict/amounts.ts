/** Numbers with what they count, as two documents are compared by them: 14 days are two weeks, and 8,964 is some 9,000. */
import { type Quantity, quantitiesOf, sameQuantity } from "@threadlore/language/meaning";
import { stem } from "@threadlore/language/stems";

/** A number in a sentence, its parts put together: "2 hours and 52 minutes" is one, and so is "4 to 6 weeks". */
export interface Amount extends Quantity {
  /** Where it says from what to what: the larger one, in the same unit. */
  readonly upTo?: number;
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
  month: 365.25 / 12,
  quarter: 365.25 / 4,
  year: 365.25,
  decade: 3652.5,
  century: 36_525,
};
/** Working days are days to some, and to others five sevenths of them. */
const WORKDAYS = 1.4;
const MONTHS: ReadonlySet<string> = new Set(["month", "quarter", "year"]);
/** How far apart the parts of one amount stand: " and a ", " y ". */
const JOINT = 8;
const ROOM = 0.1;
/** Letters of "half" and the like: what is counted after it is another thing. */
const HALF = 5;

/** The amounts of a sentence, in order, but for mere ordinals. */
export function amountsOf(text: string, language: string | undefined): Amount[] {
  const amounts: Amount[] = [];
  for (const quantity of quantitiesOf(text, language)) {
    if (quantity.unit === "ordinal") continue;
    const amount = withUnit(quantity, text, language);
    const before = amounts.at(-1);
    const whole = before === undefined ? undefined : (together(before, amount, text) ?? range(before, amount, text));
    if (whole !== undefined) amounts[amounts.length - 1] = whole;
    else amounts.push(amount);
  }
  return amounts.filter((amount, at) => !isPronoun(text, amount) && !isPer(amount, amounts[at + 1], text));
}

/** "1日1万円", "1人につき3台", "一天补500元": one of a unit right before what there is of another for each of it. */
const EACH = /^\s?(?:あたり|当たり|につき|ごとに|に|[付給给发补收])?\s?$/u;

function isPer(one: Amount, next: Amount | undefined, text: string): boolean {
  if (one.value !== 1 || one.unit === undefined || next?.unit === undefined || next.unit === one.unit) return false;
  return EACH.test(text.slice(one.end, next.start));
}

const TO = /^\s?(?:[-–—~〜至到]|to|or|bis|oder|à|a|ou|o|до|или|から)\s?$/iu;
const AND = /^\s?(?:and|und|et|y|e|и|と)\s?$/iu;
const BETWEEN = /(?<![\p{L}])(?:between|zwischen|entre|tra|fra|между)\s$/iu;

/** "4 to 6 weeks", "between 40 and 50 people". */
function range(one: Amount, other: Amount, text: string): Amount | undefined {
  const joint = text.slice(one.end, other.start);
  const isJoined = TO.test(joint) || (AND.test(joint) && BETWEEN.test(text.slice(0, one.start)));
  if (!isJoined || one.value >= other.value) return undefined;
  if (one.unit !== undefined && one.unit !== other.unit) return undefined;
  return { ...other, value: one.value, upTo: other.value, start: one.start };
}

/** "Two of them", "both": in words and of nothing, a number seldom answers. */
function isPronoun(text: string, { counts, value, start, end }: Amount): boolean {
  return counts === undefined && value < 20 && !/\p{N}/u.test(text.slice(start, end));
}

/** "Stations: 24", as a table's row says it. */
const LABEL = /(\p{L}+)\s?[:：]\s?$/u;
const MAX_LABEL = 40;
/** "15 A": what looks like a unit is one, though we do not know it. */
const SYMBOL = /^\s?(\p{Lu}\p{L}{0,2})(?![\p{L}\p{N}])/u;
const SYMBOL_END = 6;

function withUnit(quantity: Quantity, text: string, language: string | undefined): Amount {
  const { unit = SYMBOL.exec(text.slice(quantity.end, quantity.end + SYMBOL_END))?.[1], start } = quantity;
  if (unit !== undefined)
    return { ...quantity, unit, counts: isTime(unit) || isMoney(unit) ? unit : stem(unit, language) };
  const label = LABEL.exec(text.slice(Math.max(0, start - MAX_LABEL), start))?.[1];
  return { ...quantity, counts: label === undefined ? undefined : stem(label, language) };
}

function together(one: Amount, other: Quantity, text: string): Amount | undefined {
  if (one.unit === undefined || !isTime(one.unit) || other.start - one.end > JOINT) return undefined;
  if (/\p{P}/u.test(text.slice(one.end, other.start))) return undefined;
  const end = other.end;
  // "an hour and a half": the half is one of the unit before it, and "and a half" alone reads as 1.5.
  if ((other.value === 0.5 || other.value === 1.5) && !isTime(other.unit))
    return { ...one, value: one.value + 0.5, end: other.start + HALF };
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

/** Measures that others are converted to, and never exactly. */
const IMPERIAL = /^(?:mile|pound|foot|inch|yard)$/;

/** Whether an amount is of a measure or of money. */
export function isMeasured({ unit }: Amount): boolean {
  return unit !== undefined && MEASURES.test(unit);
}

/** Whether two amounts are of the same thing, so that one may contradict the other. */
export function areComparable(one: Amount, other: Amount): boolean {
  if (areOneUnit(one, other)) return true;
  if (isTime(one.unit) || isTime(other.unit) || isMeasured(one) || isMeasured(other)) return false;
  // A label says what a number is, but not that another word does not say the same.
  return one.unit === undefined || other.unit === undefined;
}

/** Whether two amounts are of one unit, or of units of one kind. */
export function areOneUnit(one: Amount, other: Amount): boolean {
  if (isTime(one.unit) || isTime(other.unit)) return isTime(one.unit) && isTime(other.unit);
  if (one.counts === undefined || other.counts === undefined) return one.counts === other.counts;
  // Nothing of one unit is nothing of another only where both measure the same.
  if (one.counts === other.counts) return true;
  return (
    one.unit !== undefined && other.unit !== undefined && sameQuantity({ ...one, value: 0 }, { ...other, value: 0 })
  );
}

/** Whether two amounts may well be the same one: in other units, rounded, about, or the one within what the other spans. */
export function areAlike(one: Amount, other: Amount): boolean {
  if (one.upTo !== undefined || other.upTo !== undefined) return spans(one, other) || spans(other, one);
  if (isTime(one.unit) && isTime(other.unit)) return isSameTime(one, other);
  // Whoever converts miles to kilometres rounds.
  if (IMPERIAL.test(one.unit ?? "") !== IMPERIAL.test(other.unit ?? ""))
    return sameQuantity({ ...one, approximate: true }, other);
  return sameQuantity(one, other) || isRounded(one, other) || isRounded(other, one);
}

/** Whether one amount spans the other. */
function spans(one: Amount, other: Amount): boolean {
  const { upTo, ...from } = one;
  const { upTo: last = other.value, ...first } = other;
  const to = { ...from, value: upTo ?? one.value };
  const isUnder = areAlike(from, first) || isLess(from, first);
  return isUnder && (areAlike(to, { ...first, value: last }) || isLess({ ...first, value: last }, to));
}

/** Whether an amount is less than another one of its kind; not, where their units cannot be compared. */
export function isLess(one: Amount, other: Amount): boolean {
  const [less, more] = sizesOf(one, other);
  return less < more;
}

/** How many times the larger of two amounts is the smaller, as a power of ten; 0 where that cannot be told. */
export function magnitudesBetween(one: Amount, other: Amount): number {
  const [first, second] = sizesOf(one, other);
  return first > 0 && second > 0 ? Math.abs(Math.log10(first / second)) : 0;
}

/** Two amounts in one unit; both nothing where they have none in common. */
function sizesOf(one: Amount, other: Amount): readonly [number, number] {
  if (isTime(one.unit) && isTime(other.unit)) return [daysOf(one)[0] ?? 0, daysOf(other)[0] ?? 0];
  const areAlone = one.unit === undefined || other.unit === undefined || one.unit === other.unit;
  return areAlone || !(isMeasured(one) && isMeasured(other)) ? [one.value, other.value] : [0, 0];
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
