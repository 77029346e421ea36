/** Numbers whose thousands are parted: "2,500", "2.500", "2 500", "2'500", "1,50,000". */

/** What parts thousands somewhere, in one UTF-16 unit. */
const MARKS = String.raw`[.,'’٬，．\u00a0\u2009\u202f ]`;

/** Letters that make one word with digits beside them. */
const LETTER = String.raw`[[\p{L}]--[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]]`;

/** A number of its own: no part of a version, a date or a longer run of digits. The groups of India are of two. */
const GROUPED = new RegExp(
  String.raw`(?<!${LETTER}|\p{Nd}|\p{Nd}${MARKS})\p{Nd}{1,3}` +
    String.raw`(?:(${MARKS})\p{Nd}{3}(?:\1\p{Nd}{3})*(?!\1?\p{Nd})|(?:,\p{Nd}{2})+,\p{Nd}{3}(?!,?\p{Nd}))(?!${LETTER})`,
  "vy",
);
const MARK = new RegExp(MARKS);
const EVERY_MARK = new RegExp(MARKS, "g");
const DIGIT = /\p{Nd}/u;
const ZERO = /[0٠۰०０]/;

/** Numbers are not longer; what is longer is a list. */
const MAX_LENGTH = 27;

/** Languages that part thousands with a blank. In others two numbers may stand side by side. */
const WITH_BLANKS = new Set("fr ru uk bg pl cs sk hu fi sv no da et lv lt pt es it hr sl sr".split(" "));

/** A number with parted thousands where it stands in a text. */
export interface GroupedNumber {
  /** As it is written without the marks between its groups. */
  readonly digits: string;
  /** The first UTF-16 unit that is no part of it. */
  readonly end: number;
  /** Whether it may as well be several numbers: "Table 3 100 metres". */
  readonly isDoubtful: boolean;
}

/** The number with parted thousands that begins with a word of at most three letters; `undefined` where there is none. */
export function groupedNumberAt(
  text: string,
  start: number,
  end: number,
  language: string | undefined,
): GroupedNumber | undefined {
  const code = text.charCodeAt(start);
  if ((code > 0x39 && code < 0x660) || !MARK.test(text.charAt(end)) || !DIGIT.test(text.charAt(start)))
    return undefined;
  GROUPED.lastIndex = start;
  const match = GROUPED.exec(text);
  // "0.500" is less than one.
  if (match === null || match[0].length > MAX_LENGTH || ZERO.test(text.charAt(start))) return undefined;
  const [written, mark] = match;
  if (mark === "." && isAddress(written)) return undefined;
  return {
    digits: written.replace(EVERY_MARK, ""),
    end: start + written.length,
    isDoubtful: mark === " " && (language === undefined || !WITH_BLANKS.has(language)),
  };
}

function isAddress(written: string): boolean {
  const parts = written.split(".");
  return parts.length === 4 && parts.every((part) => Number(part) <= 255);
}
