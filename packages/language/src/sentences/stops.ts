import { foldWord } from "../folding.ts";
import { isFunctionWord, isWrittenFunctionWord } from "../function-words.ts";
import { abbreviationKind, type AbbreviationKind, hasOrdinalDots } from "./abbreviations.ts";

/** A stop in a text, with places in UTF-16 units. */
export interface Stop {
  /** The stop itself: one mark or several. */
  readonly marks: string;
  /** Where the sentence began that it may end. */
  readonly sentence: number;
  readonly start: number;
  /** The first unit behind the marks. */
  readonly after: number;
  /** The first unit behind the quotes and brackets that close after it. */
  readonly end: number;
}

const OPENERS = /[\s\p{Ps}\p{Pi}\p{Pf}"'¿¡*_]*/uy;
const WORD = /[\p{L}\p{N}\p{M}'’-]{1,32}/uy;

/** Scripts whose stops no blank follows. */
const UNSPACED = /^[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\u3000-\u303f]/v;

/** What goes on after a stop that only looks like the end. */
const GOES_ON = /^[\p{Ll}.,;:)\]%&=+/–—…-]/u;

/** Particles and commas after a quotation in Japanese or Chinese. */
const AFTER_QUOTE = /[とってはがをにのもでへや的地得、，]|から|[他她我][^，。：]{0,4}[说說道问問]/y;
const AFTER_EXCLAMATION = /と[言云思い聞叫答問述話呼]|という|って(?!も)|[、，]/y;

/** So many dots are a line that leads to a page number. */
const LEADER = /^\.{4,}$/;

/** Whether a stop ends its sentence. `languageOfText` is called where the language matters. */
export function endsSentence(text: string, stop: Stop, languageOfText: () => string | undefined): boolean {
  const { marks, end } = stop;
  if (end >= text.length) return true;
  if (!/^[.!?…\u2024]+$/.test(marks)) return endsAtFullMark(text, stop);
  // Dots inside "3.5", "example.com" and "?q=1"; only Chinese and Japanese put no blank after such a stop.
  if (!/\s/.test(text.charAt(end))) return /[.!?]$/.test(marks) && isBetweenCharacters(text, stop);
  const isClosed = end > stop.after;
  const next = nextOf(text, end);
  if (next.isParagraphEnd || (marks.includes("?") && !isClosed)) return true;
  if (GOES_ON.test(next.first) || LEADER.test(marks)) return false;
  return marks !== "." || endsAtDot(text, stop, next.word, languageOfText);
}

/** Stops that mean nothing else, but in quotations, cries and full-width decimals. */
function endsAtFullMark(text: string, { marks, after, end }: Stop): boolean {
  if (/[，、；：]/.test(text.charAt(end))) return false;
  if (end > after) return !matches(AFTER_QUOTE, text, end);
  if (marks === "．") return !/[0-9０-９]/.test(text.charAt(end));
  return !/[！？]$/.test(marks) || !matches(AFTER_EXCLAMATION, text, end);
}

interface Next {
  /** The first character of what follows, behind blanks and opening quotes and brackets; "" at the end. */
  readonly first: string;
  /** The first word, in so far as it begins with that character. */
  readonly word: string;
  readonly isParagraphEnd: boolean;
}

function nextOf(text: string, from: number): Next {
  const at = endOf(OPENERS, text, from);
  if (at >= text.length) return { first: "", word: "", isParagraphEnd: true };
  const first = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const end = endOf(WORD, text, at);
  // A letter with a dot is an initial, no word.
  const isInitial = end === at + 1 && text.charAt(end) === "." && !/^\p{N}/u.test(first);
  const word = isInitial ? "" : text.slice(at, end);
  return { first, word, isParagraphEnd: /\n[^\S\n]*\n|\u2029/.test(text.slice(from, at)) };
}

function isBetweenCharacters(text: string, { start, end }: Stop): boolean {
  return start > 0 && UNSPACED.test(text.charAt(start - 1)) && UNSPACED.test(text.charAt(end));
}

/** So many UTF-16 units before a dot are looked at: the longest abbreviations, with their blanks. */
const MAX_TOKEN = 24;

/** The word before a dot, with short words and their dots before it that may belong to it: "z. B", "J. R. R". */
const TOKEN = /(?<![\p{L}\p{N}\p{M}])(?:\p{L}{1,2}\.[ \u00a0\u202f]?)*[\p{L}\p{M}\p{N}.°ºª’'-]+$/u;
const BLANKS = /[ \u00a0\u202f]/g;
const INITIALS = /^(?:\p{L}\p{M}*\.)*\p{L}\p{M}*$/u;
const NO_INITIAL = /[\p{sc=Hang}\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/v;
const NUMBER = /^\p{Nd}{1,4}$/u;
const ROMAN = /^[IVXLC]{2,6}$/;

function endsAtDot(text: string, stop: Stop, next: string, languageOfText: () => string | undefined): boolean {
  const from = Math.max(stop.sentence, stop.start - MAX_TOKEN);
  const read = text.slice(from, stop.start);
  const token = TOKEN.exec(read)?.[0];
  if (token === undefined) return true;
  const before = read.slice(0, -token.length);
  const word = token.replace(BLANKS, "");
  const isNumber = NUMBER.test(word);
  // "1. Open the portal": a number of its own is no sentence.
  if ((isNumber || word.length === 1) && from === stop.sentence && before.trim() === "") return false;
  const language = languageOfText();
  const isBegun = /^\p{Lu}/u.test(next) && isWrittenFunctionWord(next, language);
  if (isNumber || ROMAN.test(word)) return stop.end > stop.after || endsAtNumber(word, next, language, isBegun);
  const kind = kindOf(word.toLowerCase(), before, language);
  // "им" and "im" are pronouns too.
  if (kind === "leading") return isBegun && isFunctionWord(foldWord(word), language);
  if (kind === "trailing") return !/^\p{N}/u.test(next);
  if (kind === "naming") return isBegun;
  if (kind === "counting" && /^(?:\p{N}|[IVXLC]+$)/u.test(next)) return false;
  if (!INITIALS.test(word) || NO_INITIAL.test(word)) return true;
  // One small letter may be a word that ends the sentence: "я", "है".
  if (!word.includes(".") && !/^\p{Lu}/u.test(word) && isFunctionWord(foldWord(word), language)) return true;
  return isBegun;
}

/** The longest abbreviation at the end of a word with dots in it: "p.ej" of "a.p.ej". */
function kindOf(word: string, before: string, language: string | undefined): AbbreviationKind | undefined {
  for (let rest = word; ; rest = rest.slice(rest.indexOf(".") + 1)) {
    const kind = abbreviationKind(rest, language);
    // "г" is a year behind a number, and a town elsewhere.
    const isUnit = kind === "trailing" && rest.length === 1;
    if (kind !== undefined && (!isUnit || /[\p{N}IVX]\s*$/u.test(before))) return kind;
    if (!rest.includes(".")) return undefined;
  }
}

/** Whether a number with a dot ends a sentence: it may be an ordinal, or a part of a date. */
function endsAtNumber(number: string, next: string, language: string | undefined, isBegun: boolean): boolean {
  const isDate = /^\p{N}{1,2}(?!\p{N})/u.test(next);
  if (number.length === 4) return !(isDate && (language === "ko" || language === "hu"));
  if (number.length === 3 && NUMBER.test(number)) return true;
  return !hasOrdinalDots(language) && !(isDate && language === "ko") ? true : isBegun;
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
