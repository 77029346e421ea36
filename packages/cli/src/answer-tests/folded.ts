import { visibleText } from "@threadlore/ask";

/** What changes how a sign looks, and not which it is: stretched Arabic, variants, joiners of emoji. */
// oxlint-disable-next-line no-misleading-character-class -- it is these signs that are looked for
const LOOKS = /[\u0640\u200D\uFE00-\uFE0F]/g;
const SINGLE_QUOTES = /[\u2018-\u201B\u02BC\u2032\u00B4`]/g;
const DOUBLE_QUOTES = /[\u201C-\u201F\u00AB\u00BB\u2033]/g;
const DASHES = /[\u2010-\u2015\u2212]/g;
/** Scripts that are written without spaces: one beside them is the writer's taste. */
const UNSPACED = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}";
const TASTE = new RegExp(`(?<=[${UNSPACED}]) | (?=[${UNSPACED}])`, "gu");

/** Digits of other scripts than 0 to 9; every script has its ten in a row. */
const FOREIGN_DIGITS = /[^\P{Nd}0-9]/gu;
const DIGIT = /^\p{Nd}$/u;

/** A text as texts are compared: without case, width, kinds of spaces, quotes, dashes and digits, in any script. */
export function folded(text: string): string {
  const plain = visibleText(text.normalize("NFKC"))
    .replaceAll(LOOKS, "")
    .replaceAll(SINGLE_QUOTES, "'")
    .replaceAll(DOUBLE_QUOTES, '"')
    .replaceAll(DASHES, "-")
    .replaceAll(FOREIGN_DIGITS, digitOf);
  const small = plain.toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFKC").replaceAll(/\s+/g, " ");
  // A space stands where a mark of citation stood, or where French has one.
  return small
    .replaceAll(/ (?=[.,;:!?…])/g, "")
    .trim()
    .replaceAll(TASTE, "");
}

/** As many as there are before it in its row. */
function digitOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  let value = 0;
  while (DIGIT.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value % 10);
}

/**
 * Whether a folded text holds another. A number is found only as a whole one: `5 days` is neither in `15 days` nor in
 * `2.5 days`.
 */
export function holds(text: string, sought: string): boolean {
  if (sought === "") return true;
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) {
    const isCut =
      (/^\p{Nd}/u.test(sought) && /\p{Nd}[.,]?$/u.test(text.slice(Math.max(0, at - 3), at))) ||
      (/\p{Nd}$/u.test(sought) && /^[.,]?\p{Nd}/u.test(text.slice(at + sought.length, at + sought.length + 3)));
    if (!isCut) return true;
  }
  return false;
}
