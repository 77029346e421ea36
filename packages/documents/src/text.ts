import { oneLine, visibleText } from "@threadlore/files";

/** What can be seen of a text, on one line and at most so long. `read`: how much of the text is looked at. */
export function shownLine(text: string, most: number, read = 2 * most): string {
  return oneLine(visibleText(text.slice(0, read)).text)
    .slice(0, most)
    .toWellFormed();
}

const NO_TEXT = /^\s*$/;

/** Whether a text holds nothing to read. */
export const isBlank = (text: string): boolean => NO_TEXT.test(text);

const WORD = /[\p{L}\p{N}_]+/gu;
const TELLING_WORD = /[\p{L}\p{N}]{3,}/gu;
/** A sign of a script that is written without blanks. */
const SIGN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Words in lower case; where a script has no blanks, its signs. */
export function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  return SIGN.test(text) ? words.flatMap((word) => (SIGN.test(word) ? [...word] : [word])) : words;
}

/** The words of a text that tell what it is about, in lower case; where a script has no blanks, two signs are a word. */
export function termsOf(text: string): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(TELLING_WORD)) {
    if (!SIGN.test(word)) terms.add(word);
    else for (let at = 0; at + 1 < word.length; at += 1) terms.add(word.slice(at, at + 2));
  }
  return terms;
}
