/** Numbers written in words, and in the signs of Chinese and Japanese. */
import type { CompiledLexicon } from "./lexicon/all.ts";
import { isBroken, type Token, tokensOf } from "./tokens.ts";

/** What a number word says. */
interface WordValue {
  readonly value: number;
  /** "once", "dreimal": so many times; "يومين": a unit of its own. */
  readonly unit?: string;
  /** "a", "ein": a number only before a unit. */
  readonly isWeak: boolean;
}

interface NumberWords {
  readonly exact: ReadonlyMap<string, WordValue>;
  readonly beginnings: readonly (readonly [string, WordValue])[];
}

/** A number in words, with the tokens it takes. */
export interface WordNumber {
  readonly value: number;
  readonly unit?: string;
  readonly isWeak: boolean;
  /** The token after it. */
  readonly end: number;
  readonly isOrdinal: boolean;
}

const read = new Map<string, NumberWords>();

function wordsOf(list: string, key: string): NumberWords {
  const known = read.get(key);
  if (known !== undefined) return known;
  const exact = new Map<string, WordValue>();
  const beginnings: [string, WordValue][] = [];
  for (const entry of list.split(" ")) {
    const [word = "", written = "", unit] = entry.split(":");
    const value: WordValue = {
      value: Number.parseFloat(written),
      unit: unit ?? (written.endsWith("x") ? "times" : undefined),
      isWeak: written.endsWith("?"),
    };
    const folded = tokensOf(word)
      .map(({ text }) => text)
      .join("");
    if (folded === "" || Number.isNaN(value.value)) continue;
    if (word.endsWith("*")) beginnings.push([folded, value]);
    else exact.set(folded, value);
  }
  const words = { exact, beginnings };
  read.set(key, words);
  return words;
}

function lookUp({ exact, beginnings }: NumberWords, token: Token): WordValue | undefined {
  const direct = exact.get(token.text) ?? (token.bare === undefined ? undefined : exact.get(token.bare));
  return direct ?? beginnings.find(([beginning]) => token.text.startsWith(beginning))?.[1];
}

const JOINERS: ReadonlySet<string> = new Set(["and", "et", "y", "und"]);

/** The number in words at a token: "one hundred and five", "dos mil", "двадцать один". `first` is a value already read from digits. */
export function wordNumberAt(
  lexicon: CompiledLexicon,
  text: string,
  tokens: readonly Token[],
  at: number,
): WordNumber | undefined {
  const words = wordsOf(lexicon.words.numbers ?? "", lexicon.language);
  const ordinals = wordsOf(lexicon.words.ordinals ?? "", `${lexicon.language} ordinals`);
  const first = tokens[at];
  if (first === undefined || first.isNumber) return undefined;
  const ordinal = lookUp(ordinals, first);
  const start = valueAt(words, first, lexicon.language);
  if (ordinal !== undefined && start === undefined) {
    return { value: ordinal.value, isWeak: ordinal.isWeak, end: at + 1, isOrdinal: true, unit: "ordinal" };
  }
  if (start === undefined) return undefined;
  const sum = new Sum(lexicon.language);
  sum.add(start.value);
  let end = at + 1;
  let isWeak = start.isWeak;
  let part: number | undefined;
  while (start.unit === undefined && end < tokens.length) {
    const before = tokens[end - 1];
    const next = tokens[end];
    if (before === undefined || next === undefined || isBroken(text, before, next)) break;
    const isJoiner = JOINERS.has(next.text);
    const later = isJoiner ? tokens[end + 1] : next;
    const more = later === undefined ? undefined : valueAt(words, later, lexicon.language);
    // "Eine halbe Stunde", "one half": what stands before the part is an article.
    if (more !== undefined && more.value < 1 && !isJoiner && start.value === 1 && end === at + 1)
      return { ...more, end: end + 1, isOrdinal: false };
    if (
      more === undefined ||
      more.unit !== undefined ||
      (more.isWeak && !isJoiner) ||
      halfAfter(tokens, end) > 0 ||
      !sum.add(more.value)
    )
      break;
    // "a quarter", "eine halbe": so much of one, and no more than that.
    if (isWeak && !isJoiner && more.value < 1) part = more.value;
    isWeak = false;
    end += isJoiner ? 2 : 1;
  }
  const half = start.unit === undefined ? halfAfter(tokens, end) : 0;
  return {
    value: (part ?? sum.total()) + (half > 0 ? 0.5 : 0),
    unit: start.unit,
    isWeak: isWeak && half === 0,
    end: end + half,
    isOrdinal: false,
  };
}

const HALVES = ["and a half", "et demi", "et demie", "y medio", "y media", "с половинои", "с половиной", "ونصف"].map(
  (phrase) => tokensOf(phrase).map(({ text }) => text),
);

/** How many tokens "and a half" takes behind a number; 0 where it is not there. */
function halfAfter(tokens: readonly Token[], at: number): number {
  const half = HALVES.find((words) => words.every((word, index) => tokens[at + index]?.text === word));
  return half?.length ?? 0;
}

/** What a word multiplies by: "million", "тыс", "bin"; nothing where it is no such word. */
export function multiplierOf(lexicon: CompiledLexicon, token: Token): number | undefined {
  const short = SHORT[token.text];
  const word = lookUp(wordsOf(lexicon.words.numbers ?? "", lexicon.language), token);
  if (
    word !== undefined &&
    (word.value >= 1000 || (word.value === 100 && !lexicon.isUnspaced)) &&
    word.unit === undefined
  )
    return word.value;
  return short;
}

const SHORT: Readonly<Record<string, number>> = {
  mio: 1e6,
  mrd: 1e9,
  mn: 1e6,
  bn: 1e9,
  k: 1e3,
  mln: 1e6,
  mld: 1e9,
  tsd: 1e3,
  млн: 1e6,
  млрд: 1e9,
  тыс: 1e3,
};

/** Number words add up in few ways; what does not fit begins a new number. */
class Sum {
  readonly #isFrench: boolean;
  /** "Un diez por ciento" is ten, not eleven: what stands before a ten is an article. */
  readonly #isRomance: boolean;
  #done = 0;
  #current = 0;
  #last = Number.POSITIVE_INFINITY;

  constructor(language: string) {
    this.#isFrench = language === "fr";
    this.#isRomance = ["fr", "es", "pt", "it", "ro"].includes(language);
  }

  /** Takes a word in; false where it cannot belong to the same number. */
  add(value: number): boolean {
    if (value === 100 && this.#last !== Number.POSITIVE_INFINITY && this.#current > 0 && this.#current < 100)
      this.#current *= 100;
    else if (value >= 1000) {
      if (this.#last >= 1000 && this.#last !== Number.POSITIVE_INFINITY && value >= this.#last && this.#current === 0)
        return false;
      this.#done += Math.max(1, this.#current) * value;
      this.#current = 0;
    } else if (this.#isFrench && value === 20 && this.#current % 100 === 4) this.#current += 76;
    else if (this.#fits(value)) this.#current += value;
    else return false;
    this.#last = value;
    return true;
  }

  total(): number {
    return this.#done + this.#current;
  }

  #fits(value: number): boolean {
    if (this.#last === Number.POSITIVE_INFINITY || this.#last >= 1000) return true;
    if (value < 1) return this.#last >= 1;
    if (this.#last >= 100) return value < 100;
    if (value >= 100) return false;
    if (this.#isFrench && value < 20 && (this.#last === 60 || this.#current % 100 === 80)) return true;
    if (this.#isFrench && value < 10 && this.#last === 10) return true;
    if (this.#last >= 20) return value < 10;
    // Arabic and older German say the ones first: "خمسة وعشرون".
    return this.#last < 10 && (value >= 20 ? value % 10 === 0 : value === 10) && !this.#isRomance;
  }
}

function valueAt(words: NumberWords, token: Token, language: string): WordValue | undefined {
  const value = lookUp(words, token);
  if (value !== undefined || language !== "de") return value;
  return germanCompound(words, token.text);
}

const GERMAN_PARTS = ["tausend", "hundert"] as const;
const MAX_COMPOUND = 48;

/** "zweihundertfünfundvierzig": hundreds and thousands split it, "und" turns ones and tens round. */
function germanCompound(words: NumberWords, word: string): WordValue | undefined {
  if (word.length > MAX_COMPOUND) return undefined;
  for (const part of GERMAN_PARTS) {
    const at = word.indexOf(part);
    if (at < 0) continue;
    const front = at === 0 ? 1 : germanValue(words, word.slice(0, at));
    const back =
      at + part.length === word.length ? 0 : germanValue(words, word.slice(at + part.length).replace(/^und/, ""));
    if (front === undefined || back === undefined) return undefined;
    return { value: front * (part === "tausend" ? 1000 : 100) + back, isWeak: false };
  }
  const joint = word.indexOf("und");
  if (joint < 1) return undefined;
  const ones = words.exact.get(word.slice(0, joint))?.value;
  const tens = words.exact.get(word.slice(joint + 3))?.value;
  return ones !== undefined && tens !== undefined && ones < 10 && tens >= 20 && tens < 100
    ? { value: ones + tens, isWeak: false }
    : undefined;
}

function germanValue(words: NumberWords, word: string): number | undefined {
  return words.exact.get(word)?.value ?? germanCompound(words, word)?.value;
}

const HAN_DIGITS = "〇一二三四五六七八九";
const HAN_UNITS: Readonly<Record<string, number>> = {
  十: 10,
  百: 100,
  千: 1000,
  万: 1e4,
  萬: 1e4,
  亿: 1e8,
  億: 1e8,
  兆: 1e12,
};
const HAN_OTHERS: Readonly<Record<string, number>> = { 零: 0, 两: 2, 兩: 2, 廿: 20, 壱: 1, 弐: 2, 参: 3 };
const HAN_NUMBER = /^[〇零一二三四五六七八九十百千万萬亿億兆两兩]{1,24}/;

/** The number in Han signs at the beginning of a text ("二百五十", "二〇二一", "2万5千" after its digits), and its length. */
export function hanNumberAt(
  text: string,
  first = Number.NaN,
): { readonly value: number; readonly length: number } | undefined {
  const run = HAN_NUMBER.exec(text.slice(0, 24))?.[0];
  if (run === undefined) return undefined;
  if (Number.isNaN(first) && /^[〇零一二三四五六七八九]{2,}$/.test(run)) {
    return { value: Number([...run].map((sign) => digitOf(sign)).join("")), length: run.length };
  }
  let total = 0;
  let section = 0;
  let digit = Number.isNaN(first) ? undefined : first;
  for (const sign of run) {
    const unit = HAN_UNITS[sign];
    if (unit === undefined) digit = digitOf(sign);
    else if (unit < 1e4) {
      section += (digit ?? 1) * unit;
      digit = undefined;
    } else {
      total += (section + (digit ?? (section === 0 ? 1 : 0))) * unit;
      section = 0;
      digit = undefined;
    }
  }
  return { value: total + section + (digit ?? 0), length: run.length };
}

function digitOf(sign: string): number {
  const digit = HAN_DIGITS.indexOf(sign);
  return digit >= 0 ? digit : (HAN_OTHERS[sign] ?? 0);
}
