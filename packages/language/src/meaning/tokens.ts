/**
 * A text as the meaning rules read it: words and runs of digits, folded for comparison, each with its place.
 * Scripts that write no spaces give one token per character, so that a phrase is a run of tokens in every script.
 */
import { foldWord } from "../folding.ts";

/** A word, a run of digits, or one character of a script without spaces. */
export interface Token {
  /** Folded: lower case, no accents, no vocalisation, digits as 0-9. */
  readonly text: string;
  /** The same without an article or preposition written onto it (Arabic, Hebrew); absent where nothing is. */
  readonly bare?: string;
  /** As written. */
  readonly raw: string;
  /** UTF-16 offsets in the text; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly isNumber: boolean;
}

/** What is read of a text, in UTF-16 units; what follows is left out, which keeps time and memory bounded. */
export const MAX_TEXT = 100_000;
/** No word of any language is longer; a longer run of letters is cut into pieces. */
const MAX_WORD = 64;

const TOKEN =
  /\p{Nd}{1,64}|[\p{Script=Katakana}ー]{1,64}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}々〆]|[[\p{L}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]]{1,64}/gv;

/** One character that has one form only: folding it would cost the most where there are the most of them. */
const IS_SIGN = /^[\u3041-\u3096\u4e00-\u9fff]$/;

/** What was read last: numbers, moments and names of a sentence are looked for one after the other. */
let last: { readonly text: string; readonly tokens: readonly Token[] } = { text: "", tokens: [] };
/** Longer ones are not kept. */
const MAX_KEPT = 10_000;

/** The tokens of a text, in order; at most its first `MAX_TEXT` units are read. */
export function tokensOf(text: string): readonly Token[] {
  if (text === last.text) return last.tokens;
  const tokens = readTokens(text);
  if (text.length <= MAX_KEPT) last = { text, tokens };
  return tokens;
}

function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.slice(0, MAX_TEXT).matchAll(TOKEN)) {
    const [raw] = match;
    const isNumber = /^\p{Nd}/u.test(raw);
    const folded = isNumber ? plainDigits(raw) : IS_SIGN.test(raw) ? raw : foldWord(raw);
    if (folded === "") continue;
    const bare = isNumber ? undefined : withoutClitics(folded);
    tokens.push({ text: folded, bare, raw, start: match.index, end: match.index + raw.length, isNumber });
  }
  return tokens;
}

/** Where Unicode's decimal digits begin, for the scripts in use; each has its ten digits in a row. */
const ZEROS = [0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];

/** A run of decimal digits of any script as 0-9; digits of an unlisted script become "0". */
export function plainDigits(digits: string): string {
  if (/^[0-9]+$/.test(digits)) return digits;
  let plain = "";
  for (const digit of digits) {
    const code = digit.codePointAt(0) ?? 0;
    const zero = ZEROS.find((first) => code >= first && code < first + 10) ?? code;
    plain += String(code - zero);
  }
  return plain;
}

/** "والمدينة" -> "مدينة", "בעיר" -> "עיר": what is written onto the front of a word of Arabic or Hebrew. */
const ARABIC = /^[\u0621-\u064a]{3,}$/;
const HEBREW = /^[\u05d0-\u05ea]{3,}$/;

function withoutClitics(word: string): string | undefined {
  if (word.length > MAX_WORD) return undefined;
  if (ARABIC.test(word)) {
    const rest = word.replace(/^[وف]?(?:[بك]?ال|لل|[بلك])/, "");
    if (rest !== word && rest.length > 1) return rest;
    const plain = word.replace(/^[وف]/, "");
    return plain !== word && plain.length > 2 ? plain : undefined;
  }
  if (HEBREW.test(word)) {
    const rest = word.replace(/^ו?[הבלכמש]/, "");
    return rest !== word && rest.length > 1 ? rest : undefined;
  }
  return undefined;
}

/** Whether a character between two tokens ends what belongs together: a comma, a stop, a bracket. */
export function isBroken(text: string, left: Token, right: Token): boolean {
  return (
    right.start - left.end > 0 && /[,;:.!?()[\]{}،؛؟。、，！？「」『』|\n]/.test(text.slice(left.end, right.start))
  );
}
