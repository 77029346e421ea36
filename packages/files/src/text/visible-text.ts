/** A text a person can see all of, and how many characters were taken out for that. */
export interface VisibleText {
  readonly text: string;
  readonly dropped: number;
}

/**
 * Never visible wherever they stand (docs/threats.md, T34): tag characters, bidi controls, zero-width spaces and
 * joiners that join nothing, soft hyphens, control characters other than tab and newline.
 */
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- these are the characters to be dropped
  /[\u{E0000}-\u{E007F}\u061C\u200E\u200F\u202A-\u202E\u2066-\u206F\u200B\u2060-\u2065\uFEFF\u180E\u00AD\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0\uFFF9-\uFFFB\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/gu;

/**
 * Joiners (U+200C, U+200D) and variation selectors are seen in emoji and in several scripts, but only one, or one of
 * each, at a time: a run of them carries a hidden text.
 */
const JOINER = String.raw`[\u200C\u200D]`;
const SELECTOR = String.raw`[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]`;
const RUN = new RegExp(`${JOINER}{2,}|${SELECTOR}{2,}|(?:${JOINER}|${SELECTOR}){3,}`, "gu");

/** Drops and counts invisible characters, makes newlines `\n`, and replaces what is not Unicode. Linear. */
export function visibleText(text: string): VisibleText {
  let dropped = 0;
  const count = (match: string) => {
    dropped += [...match].length;
    return "";
  };
  const lines = text.toWellFormed().replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n");
  return { text: lines.replace(INVISIBLE, count).replace(RUN, count), dropped };
}

/** White space of any kind and length as one space, none at the ends. A space by itself, as most are, stays as it is. */
export const oneLine = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, " ").trim();

/** A text that goes on after so many characters, with a sign that it does. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;

/** What stands between commas, without what is empty. */
export const commaSeparated = (text: string): string[] =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
