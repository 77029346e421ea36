/** Numbers with what they count, in digits and in words. */
import { lexiconFor, type CompiledLexicon } from "./lexicon/all.ts";
import { momentsOf } from "./moments.ts";
import { hanNumberAt, multiplierOf, wordNumberAt } from "./number-words.ts";
import { numeralsOf } from "./numerals.ts";
import { hitsIn } from "./phrases.ts";
import { MAX_TEXT, type Token, tokensOf } from "./tokens.ts";
import { inBase, SIGNS, unitAt } from "./units.ts";

/** A number in a text. */
export interface Quantity {
  readonly value: number;
  /** "day", "percent", "EUR", "kilometre", "people", "times", "ordinal", …, or the noun counted, folded; absent where none is said. */
  readonly unit: string | undefined;
  /** UTF-16 offsets of number and unit; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** About, nearly, some. */
  readonly approximate: boolean;
}

interface Scene {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly lexicon: CompiledLexicon;
  /** Where each token begins, by offset. */
  readonly indexAt: ReadonlyMap<number, number>;
  /** Offsets at which "about" and the like end. */
  readonly aboutEnds: readonly number[];
}

/**
 * The numbers of a text, in order, but for dates, times of day, versions, phone numbers and numbers of pages or
 * standards. `language` is a BCP 47 tag and says how digits are grouped; by default it is told from the text.
 */
export function quantitiesOf(text: string, language?: string): Quantity[] {
  const read = text.slice(0, MAX_TEXT);
  const lexicon = lexiconFor(language, read);
  const tokens = tokensOf(read);
  const indexAt = new Map(tokens.map(({ start }, index) => [start, index]));
  const aboutEnds = hitsIn(lexicon.about, tokens).map(({ end }) => tokens[end - 1]?.end ?? 0);
  const scene: Scene = { text: read, tokens, lexicon, indexAt, aboutEnds };
  const taken = new Uint8Array(read.length);
  for (const { start, end } of momentsOf(read, lexicon.language)) taken.fill(1, start, end);
  const found: Quantity[] = [];
  for (const quantity of [...digitQuantities(scene), ...signQuantities(scene), ...wordQuantities(scene)]) {
    if (taken.subarray(quantity.start, quantity.end).includes(1)) continue;
    taken.fill(1, quantity.start, quantity.end);
    found.push(quantity);
  }
  return withSharedUnits(
    read,
    found.toSorted((one, other) => one.start - other.start),
  );
}

/** "10-15 people", "three or four days": the first has the unit of the second. */
function withSharedUnits(text: string, found: readonly Quantity[]): Quantity[] {
  return found.map((quantity, index) => {
    const next = found[index + 1];
    if (quantity.unit !== undefined || next?.unit === undefined || next.start - quantity.end > 6) return quantity;
    const between = text.slice(quantity.end, next.start);
    return /^\s?(?:[-–—~〜至到]|to|or|bis|oder|à|a|ou|o|до|или|إلى|أو)\s?$/u.test(between)
      ? { ...quantity, unit: next.unit }
      : quantity;
  });
}

const VULGAR: Readonly<Record<string, number>> = { "½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125 };

function digitQuantities(scene: Scene): Quantity[] {
  const { text, lexicon } = scene;
  const found: Quantity[] = [];
  let covered = 0;
  for (const numeral of numeralsOf(text, lexicon.language)) {
    if (numeral.start < covered) continue;
    let { value, end } = numeral;
    const part = VULGAR[text[end] ?? ""];
    if (part !== undefined) {
      value += part;
      end += 1;
    }
    const multiplied =
      lexicon.isUnspaced || lexicon.language === "ko" ? bySigns(text, value, end) : byWords(scene, value, end);
    const quantity = withUnit(scene, multiplied.value, numeral.start, multiplied.end);
    found.push(quantity);
    covered = multiplied.end;
  }
  return found;
}

const SIGN_SIZES: Readonly<Record<string, number>> = {
  百: 100,
  千: 1000,
  万: 1e4,
  萬: 1e4,
  亿: 1e8,
  億: 1e8,
  兆: 1e12,
  만: 1e4,
  억: 1e8,
  천: 1000,
  조: 1e12,
};

/** "2万5千", "114万3530": each sign multiplies what stands before it, and they add up. */
function bySigns(text: string, first: number, from: number): { readonly value: number; readonly end: number } {
  let total = 0;
  let part = first;
  let end = from;
  for (let steps = 0; steps < 6; steps++) {
    const size = SIGN_SIZES[text[end] ?? ""];
    if (size === undefined) break;
    end++;
    const double = part * size;
    const next = SIGN_SIZES[text[end] ?? ""];
    total += next !== undefined && next > size ? double * next : double;
    if (next !== undefined && next > size) end++;
    const more = /^[0-9][0-9,]{0,12}/.exec(text.slice(end, end + 13))?.[0].replace(/,+$/, "");
    part = 0;
    if (more === undefined) break;
    part = Number(more.replaceAll(",", ""));
    end += more.length;
  }
  return { value: total + part, end };
}

/** "3 million", "1.5 Mio.", "2 тыс." */
function byWords(
  { text, tokens, lexicon }: Scene,
  first: number,
  from: number,
): { readonly value: number; readonly end: number } {
  let value = first;
  let end = from;
  let at = firstFrom(tokens, end);
  for (let steps = 0; steps < 2; steps++) {
    const token = tokens[at];
    if (
      token === undefined ||
      token.isNumber ||
      token.start - end > 2 ||
      !/^[\s\u00a0-]*$/.test(text.slice(end, token.start))
    )
      break;
    const size = multiplierOf(lexicon, token);
    if (size === undefined || (size === 1000 && token.raw === "K") || (token.text === "k" && token.start > end)) break;
    value *= size;
    end = token.end;
    at++;
  }
  return { value, end };
}

/** The first token that begins at an offset or behind it. */
function firstFrom(tokens: readonly Token[], offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function withUnit(scene: Scene, value: number, start: number, end: number): Quantity {
  const { text, tokens, lexicon } = scene;
  const approximate = isAbout(scene, start, end);
  const signBefore = /([€$£¥￥₹₽₩฿₫₺₪₴])\s?$/u.exec(text.slice(Math.max(0, start - 2), start))?.[1];
  if (signBefore !== undefined) return { value, unit: SIGNS[signBefore], start: start - 1, end, approximate };
  const codeBefore = /(?:^|[^\p{L}])(EUR|USD|GBP|JPY|CHF|CNY|US)\s?\$?$/u.exec(
    text.slice(Math.max(0, start - 6), start),
  )?.[1];
  if (codeBefore !== undefined)
    return { value, unit: codeBefore === "US" ? "USD" : codeBefore, start, end, approximate };
  const signAfter = /^[\s\u00a0\u202f]?([€$£¥￥₹₽₩฿₫₺₪₴%％٪‰℃°])/u.exec(text.slice(end, end + 2));
  const unitSign = SIGNS[signAfter?.[1] ?? ""];
  if (signAfter !== null && unitSign !== undefined)
    return { value, unit: unitSign, start, end: end + signAfter[0].length, approximate };
  const at = firstFrom(tokens, end);
  const unit = unitAt(lexicon, text, tokens, at);
  if (unit === undefined || (tokens[at]?.start ?? 0) - end > 2)
    return { value, unit: percentBefore(scene, start), start, end, approximate };
  return { value, unit: unit.unit, start, end: tokens[unit.end - 1]?.end ?? end, approximate };
}

/** "yüzde 30", "百分之30". */
function percentBefore({ text }: Scene, start: number): string | undefined {
  return /(?:yüzde\s|百分之|ร้อยละ\s?)$/u.test(text.slice(Math.max(0, start - 8), start)) ? "percent" : undefined;
}

/** How far "about" may stand from its number. */
const NEAR = 4;

function isAbout({ text, aboutEnds }: Scene, start: number, end: number): boolean {
  if (/[~≈±]\s?$/.test(text.slice(Math.max(0, start - 2), start))) return true;
  if (/^\s?(?:左右|前後|程度|ほど|くらい|ぐらい|上下|정도|余り)/u.test(text.slice(end, end + 4))) return true;
  let low = 0;
  let high = aboutEnds.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((aboutEnds[middle] ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const last = aboutEnds[low - 1];
  return last !== undefined && start - last < NEAR && /^[\s\p{Sc}]*$/u.test(text.slice(last, start));
}

/** 三十, 百分之三十, 三分之一, 一半. */
function signQuantities(scene: Scene): Quantity[] {
  const { text, lexicon, tokens } = scene;
  if (lexicon.language !== "zh" && lexicon.language !== "ja") return [];
  const found: Quantity[] = [];
  for (const match of text.matchAll(
    /(第|百分之)?([〇零一二三四五六七八九十百千万萬亿億两兩]{1,24})(分之[一二三四五六七八九十])?/gu,
  )) {
    const [whole, before, written = "", over] = match;
    const number = hanNumberAt(written);
    if (number === undefined || number.length !== written.length) continue;
    const start = match.index;
    const end = start + whole.length;
    if (before === "百分之")
      found.push({ value: number.value, unit: "percent", start, end, approximate: isAbout(scene, start, end) });
    else if (over !== undefined) {
      const upper = hanNumberAt(over.slice(2))?.value ?? 0;
      found.push({ value: upper / Math.max(1, number.value), unit: undefined, start, end, approximate: false });
    } else if (before === "第") found.push({ value: number.value, unit: "ordinal", start, end, approximate: false });
    else {
      const unit = unitAt(lexicon, text, tokens, firstFrom(tokens, end));
      // One sign alone is a part of words (一方, 三井); with a counter behind it, it counts.
      if (unit === undefined && (written.length < 2 || !/[十百千万亿億]/.test(written))) continue;
      if (
        unit !== undefined &&
        /[\p{Script=Han}]/u.test(text[start - 1] ?? "") &&
        written.length === 1 &&
        written === "一"
      )
        continue;
      found.push(withUnit(scene, number.value, start, end));
    }
  }
  return found;
}

function wordQuantities(scene: Scene): Quantity[] {
  const { text, tokens, lexicon } = scene;
  if (lexicon.words.numbers === undefined) return [];
  const found: Quantity[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    const number = wordNumberAt(lexicon, text, tokens, at);
    const last = tokens[(number?.end ?? 0) - 1];
    if (token === undefined || number === undefined || last === undefined) continue;
    const quantity = readWord(scene, number, token, last);
    if (quantity !== undefined) found.push(quantity);
    at = number.end - 1;
  }
  return found;
}

function readWord(
  scene: Scene,
  number: NonNullable<ReturnType<typeof wordNumberAt>>,
  first: Token,
  last: Token,
): Quantity | undefined {
  const { text, tokens, lexicon } = scene;
  const approximate = isAbout(scene, first.start, last.end);
  const place = { start: first.start, end: last.end, approximate };
  if (number.unit !== undefined)
    return number.isWeak ? undefined : { value: number.value, unit: number.unit, ...place };
  const unit = unitAt(lexicon, text, tokens, overArticle(scene, number));
  if (number.isWeak && (unit === undefined || !unit.isKnown)) return undefined;
  // "one" is a pronoun as often as a number.
  if (number.value === 1 && unit?.isKnown !== true) return undefined;
  if (unit === undefined) return { value: number.value, unit: undefined, ...place };
  return { value: number.value, unit: unit.unit, ...place, end: tokens[unit.end - 1]?.end ?? last.end };
}

/** Words between a part and what it is a part of: "half an hour", "a quarter of an hour", "un quart d'heure". */
const PART_OF: ReadonlySet<string> = new Set("a an of une un eine einer de d una".split(" "));

/** The token at which the unit begins: articles behind a part belong to it. */
function overArticle(
  { tokens, lexicon }: Scene,
  { value, end }: { readonly value: number; readonly end: number },
): number {
  if (value >= 1 || lexicon.words.numbers === undefined) return end;
  const next = tokens.slice(end, end + 3).findIndex(({ text }) => !PART_OF.has(text));
  return next < 0 ? end : end + next;
}

/** Values that are said to be about right agree within this share of the larger. */
const TOLERANCE = 0.1;

/** Whether two quantities say the same: two weeks and 14 days; about 40 and 41. Without a unit only the value counts. */
export function sameQuantity(one: Quantity, other: Quantity): boolean {
  const [unit, value] = inBase(one.value, one.unit);
  const [otherUnit, otherValue] = inBase(other.value, other.unit);
  if (one.unit === undefined || other.unit === undefined)
    return isClose(one.value, other.value, one.approximate || other.approximate);
  return unit === otherUnit && isClose(value, otherValue, one.approximate || other.approximate);
}

function isClose(one: number, other: number, approximate: boolean): boolean {
  const largest = Math.max(Math.abs(one), Math.abs(other));
  return Math.abs(one - other) <= largest * (approximate ? TOLERANCE : 1e-9);
}
