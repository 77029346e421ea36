/** Units every language shares: symbols, codes, abbreviations; how they are compared; and what a text's unit is. */
import { type CompiledLexicon } from "./lexicon/all.ts";
import { hitAt } from "./phrases.ts";
import type { Token } from "./tokens.ts";

/** Signs before or after a number. */
export const SIGNS: Readonly<Record<string, string>> = {
  "€": "EUR",
  $: "USD",
  "£": "GBP",
  "¥": "JPY",
  "￥": "JPY",
  "₹": "INR",
  "₽": "RUB",
  "₩": "KRW",
  "฿": "THB",
  "₫": "VND",
  "₺": "TRY",
  "₪": "ILS",
  "₴": "UAH",
  "%": "percent",
  "％": "percent",
  "٪": "percent",
  "‰": "permille",
  "°": "degree",
  "℃": "degree",
};

const WRITTEN: Readonly<Record<string, string>> = {
  eur: "EUR",
  usd: "USD",
  gbp: "GBP",
  jpy: "JPY",
  chf: "CHF",
  cny: "CNY",
  rmb: "CNY",
  sek: "SEK",
  nok: "NOK",
  dkk: "DKK",
  pln: "PLN",
  czk: "CZK",
  huf: "HUF",
  ron: "RON",
  rub: "RUB",
  uah: "UAH",
  inr: "INR",
  krw: "KRW",
  kr: "SEK",
  ft: "foot",
  zl: "PLN",
  kc: "CZK",
  cad: "CAD",
  aud: "AUD",
  brl: "BRL",
  s: "second",
  ms: "millisecond",
  min: "minute",
  h: "hour",
  d: "day",
  km: "kilometre",
  m: "metre",
  cm: "centimetre",
  mm: "millimetre",
  kg: "kilogram",
  g: "gram",
  mg: "milligram",
  t: "tonne",
  l: "litre",
  ml: "millilitre",
  kb: "kilobyte",
  mb: "megabyte",
  gb: "gigabyte",
  tb: "terabyte",
  kib: "kilobyte",
  mib: "megabyte",
  gib: "gigabyte",
  lb: "pound",
  lbs: "pound",
  mi: "mile",
  kmh: "kilometre",
  kw: "kilowatt",
  mw: "megawatt",
  gw: "gigawatt",
  hz: "hertz",
  nm: "nanometre",
  km2: "square kilometre",
};

/** A unit in terms of another: 1 week = 7 days. Months and years stay apart from days: how many days is not said. */
const SIZES: Readonly<Record<string, readonly [base: string, factor: number]>> = {
  millisecond: ["second", 0.001],
  minute: ["second", 60],
  hour: ["second", 3600],
  day: ["second", 86_400],
  week: ["second", 604_800],
  quarter: ["month", 3],
  year: ["month", 12],
  decade: ["month", 120],
  century: ["month", 1200],
  kilobyte: ["byte", 1e3],
  megabyte: ["byte", 1e6],
  gigabyte: ["byte", 1e9],
  terabyte: ["byte", 1e12],
  nanometre: ["metre", 1e-9],
  millimetre: ["metre", 0.001],
  centimetre: ["metre", 0.01],
  kilometre: ["metre", 1000],
  mile: ["metre", 1609.344],
  foot: ["metre", 0.3048],
  inch: ["metre", 0.0254],
  yard: ["metre", 0.9144],
  milligram: ["gram", 0.001],
  kilogram: ["gram", 1000],
  tonne: ["gram", 1e6],
  pound: ["gram", 453.592],
  millilitre: ["litre", 0.001],
  kilowatt: ["watt", 1e3],
  megawatt: ["watt", 1e6],
  gigawatt: ["watt", 1e9],
  permille: ["percent", 0.1],
};

/** A value in the base of its unit; the unit itself where it has no other. */
export function inBase(value: number, unit: string | undefined): readonly [base: string | undefined, value: number] {
  const size = unit === undefined ? undefined : SIZES[unit];
  return size === undefined ? [unit, value] : [size[0], value * size[1]];
}

/** Whether a unit is a currency. */
export function isMoney(unit: string | undefined): boolean {
  return unit !== undefined && /^[A-Z]{3}$/.test(unit);
}

const TIMES: ReadonlySet<string> = new Set(
  "millisecond second minute hour day workday week month quarter year decade century".split(" "),
);

/** Whether a unit is one of time. */
export function isTimeUnit(unit: string | undefined): boolean {
  return unit !== undefined && TIMES.has(unit);
}

/** Whether a unit is one that measures, and not a noun that is counted. */
export function isMeasure(unit: string | undefined): boolean {
  return unit !== undefined && (isMoney(unit) || isTimeUnit(unit) || unit in SIZES || BASES.has(unit));
}

const BASES: ReadonlySet<string> = new Set([
  "percent",
  "degree",
  "times",
  ...Object.values(SIZES).map(([base]) => base),
]);

/** A unit and the tokens it takes, or the counted noun. */
export interface UnitHit {
  readonly unit: string;
  /** The token after it. */
  readonly end: number;
  /** Whether it is a unit of ours, not only the next word. */
  readonly isKnown: boolean;
}

/** How many words may stand between a number and its unit: "20 paid working days". */
const MAX_BETWEEN = 2;

/** "5 requests per second" are requests. */
const PER: ReadonlySet<string> = new Set("per pro par por je each every jede jeden jedes chaque cada".split(" "));

/** The unit at a token, or up to two words further; else the word there, as the noun that is counted. */
export function unitAt(
  lexicon: CompiledLexicon,
  text: string,
  tokens: readonly Token[],
  at: number,
): UnitHit | undefined {
  const previous = tokens[at - 1];
  const first = tokens[at];
  if (first === undefined || previous === undefined) return undefined;
  if (!isJoined(text, previous, first)) return undefined;
  const written = first.raw.length <= 3 ? WRITTEN[first.text] : undefined;
  const direct = hitAt(lexicon.units, tokens, at);
  if (direct !== undefined) return { unit: direct.key, end: direct.end, isKnown: true };
  if (written !== undefined && !(first.raw.length === 1 && lexicon.stops.has(first.text))) {
    return { unit: written, end: at + 1, isKnown: true };
  }
  const word = first.isNumber || first.text.length < 2 ? undefined : first.text;
  if (lexicon.isUnspaced || word === undefined || lexicon.stops.has(word) || lexicon.skips.has(word)) return undefined;
  for (let next = at + 1; next <= at + MAX_BETWEEN; next++) {
    const token = tokens[next];
    const before = tokens[next - 1];
    if (token === undefined || before === undefined || token.isNumber || !isJoined(text, before, token)) break;
    if (lexicon.stops.has(token.text) || PER.has(token.text)) break;
    const hit = hitAt(lexicon.units, tokens, next);
    if (hit !== undefined) return { unit: hit.key, end: hit.end, isKnown: true };
  }
  return { unit: word, end: at + 1, isKnown: false };
}

/** Only blanks, a hyphen or a dot of an abbreviation between two tokens. */
function isJoined(text: string, left: Token, right: Token): boolean {
  return right.start - left.end <= 3 && /^[½¼¾⅓⅔⅛\s\u00a0\u202f.’'-]*$/.test(text.slice(left.end, right.start));
}
