/** Numbers written in digits: grouping and decimals as the language writes them, and what only looks like a number. */
import { plainDigits } from "./tokens.ts";

/** A number in a text. */
export interface Numeral {
  readonly value: number;
  /** UTF-16 offsets; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Digits in one run, nothing between them: it may be a year. */
  readonly isPlain: boolean;
}

/** Languages that write 1.5 for one and a half; the others write 1,5. */
const DECIMAL_POINT: ReadonlySet<string> = new Set(["en", "ja", "zh", "ko", "th", "he", "hi", "ar", "fa"]);
/** Languages that group with blanks; a plain blank between digits means nothing elsewhere. */
const GROUPED_BY_BLANK: ReadonlySet<string> = new Set("fr ru uk pl cs sv no fi hu es pt".split(" "));

/** Longer runs of digits are keys and account numbers. */
const MAX_DIGITS = 15;
/** A run of digits with the single marks between them; no alternative overlaps another, so it is read once. */
const RUN = /\p{Nd}+(?:[.,'’٫٬،:/\u00a0\u202f\u2009 -]\p{Nd}+)*/gu;

/** The numbers of a text that are written in digits, without dates, versions, phone numbers and other codes. */
export function numeralsOf(text: string, language: string): Numeral[] {
  const found: Numeral[] = [];
  for (const match of text.matchAll(RUN)) {
    const start = match.index;
    const run = match[0];
    if (isCode(text, start, start + run.length) || isPhone(text, start, run)) continue;
    found.push(...readRun(run, start, language));
  }
  return found;
}

/** Written onto letters ("ENG-1234", "H2O", "v2"), or behind a word that numbers things ("ISO 9001", "page 12"). */
function isCode(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 12), start);
  const after = text.slice(end, end + 2);
  if (
    /[\p{Script=Latin}\p{Script=Cyrillic}_@#/\\][-_]?$/u.test(before) &&
    !/(?:^|[^\p{L}])(?:US|A|C|HK|NZ|EUR|USD|GBP|Rs|CHF|к)$/u.test(before)
  )
    return true;
  if (/^(?:[-_]\p{Lu}|[_@\\]|\.\p{Ll})/u.test(after)) return true;
  return NUMBERED.test(before);
}

/** Words that number what follows; looked at in the few characters before it. */
const NUMBERED =
  /(?:^|[^\p{L}])(?:ISO(?:\/IEC)?|DIN|EN|RFC|IEEE|ANSI|No|Nos|Nr|Núm|№|#|§|art|ch|chap|fig|vol|p|pp|S|Seite|page|pages|pág|página|стр|страница|с|гл|chapter|Kapitel|section|figure|table|Tabelle|room|Raum|line|версия|version|Version|versión|numéro|número|n[°ºo]|第|ص|صفحة|رقم|row|step|level|item|gate|bus|highway|interstate|route)\.?[\s\u00a0]?$/iu;

/** "+49 30 123456", "(555) 123-4567", "030 1234567": many digits in groups that no number is grouped in. */
function isPhone(text: string, start: number, run: string): boolean {
  const groups = run.split(/[^\p{Nd}]+/u);
  const digits = groups.join("").length;
  if (text[start - 1] === "+" && digits >= 7) return true;
  if (digits > MAX_DIGITS && groups.length === 1) return true;
  if (/[\s-]/.test(run) && digits >= 7 && groups.length >= 3 && groups.slice(1).some((group) => group.length !== 3)) {
    return !/ - | [-] /.test(run);
  }
  return (
    /^\p{Nd}/u.test(run) && plainDigits(groups[0] ?? "").startsWith("0") && (groups[0]?.length ?? 0) > 1 && digits >= 6
  );
}

/** A run may hold several numbers: "10-15", "12 500 30". */
function readRun(run: string, start: number, language: string): Numeral[] {
  const found: Numeral[] = [];
  for (const part of run.matchAll(/[^\s\u00a0\u202f\u2009-]+(?:[ \u00a0\u202f\u2009]\p{Nd}{3}(?!\p{Nd}))*/gu)) {
    let written = part[0];
    const at = start + part.index;
    if (/ /.test(written) && !(GROUPED_BY_BLANK.has(language) && /^\p{Nd}{1,3} /u.test(written))) {
      for (const piece of written.matchAll(/[^ ]+/g)) push(found, piece[0], at + piece.index, language);
      continue;
    }
    written = written.replace(/[.,'’،:/]+$/, "");
    push(found, written, at, language);
  }
  return found;
}

function push(found: Numeral[], written: string, start: number, language: string): void {
  const value = valueOf(written, language);
  if (value === undefined) return;
  found.push({ value, start, end: start + written.length, isPlain: /^\p{Nd}+$/u.test(written) });
}

/** The value of digits with marks between them; nothing where they are no number: "2.3.1", "24/7", "12:30". */
export function valueOf(written: string, language: string): number | undefined {
  if (written.length > 40) return undefined;
  const plain = written
    .replace(/\p{Nd}+/gu, plainDigits)
    .replace(/[ \u00a0\u202f\u2009'’٬]/g, "")
    .replace("٫", ".")
    .replace(/،/g, ",");
  const isArabicMark = written.includes("٫");
  if (/^[0-9]+$/.test(plain)) {
    if (plain.length > MAX_DIGITS || (plain.length > 1 && plain.startsWith("0"))) return undefined;
    return Number(plain);
  }
  const fraction = /^([0-9]{1,2})\/([0-9]{1,2})$/.exec(plain);
  if (fraction !== null) return fractionOf(Number(fraction[1]), Number(fraction[2]));
  if (/[:/]/.test(plain)) return undefined;
  const marks = plain.replace(/[0-9]/g, "");
  const point = DECIMAL_POINT.has(language) || isArabicMark ? "." : ",";
  const last = marks.at(-1) ?? "";
  const isMixed = marks.includes(".") && marks.includes(",");
  if (isMixed)
    return marks.indexOf(last) === marks.length - 1 ? grouped(plain, last === "." ? "," : ".", last) : undefined;
  if (marks.length > 1) return grouped(plain, last, "");
  if (last === point) return Number(plain.replace(last, "."));
  // The other mark: groups of three where it can be, else somebody writes decimals the other way.
  return /^[1-9][0-9]{0,2}[.,][0-9]{3}$/.test(plain)
    ? Number(plain.replace(last, ""))
    : Number(plain.replace(last, "."));
}

const PARTS: ReadonlySet<number> = new Set([2, 3, 4, 5, 6, 8, 10, 12, 16]);

function fractionOf(upper: number, lower: number): number | undefined {
  return upper > 0 && upper < lower && PARTS.has(lower) && (lower <= 8 || upper % 2 === 1) ? upper / lower : undefined;
}

/** Groups of three (of two before the last one in India), with decimals after the other mark or without. */
function grouped(plain: string, group: string, decimal: string): number | undefined {
  const at = decimal === "" ? plain.length : plain.indexOf(decimal);
  const groups = plain.slice(0, at).split(group);
  const isGrouped = groups.every((digits, index) => {
    if (index === 0) return digits.length > 0 && digits.length <= 3 && !digits.startsWith("0");
    return digits.length === 3 || (digits.length === 2 && index < groups.length - 1);
  });
  return isGrouped ? Number(groups.join("") + (decimal === "" ? "" : `.${plain.slice(at + 1)}`)) : undefined;
}
