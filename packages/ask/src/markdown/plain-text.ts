/** Which characters of a text no inline rule gives a meaning to. */

const SPECIAL = /[\\`*_~[\]!<&$\n【［]/g;

/** Where the next character stands that a rule may give a meaning to; the text's length when there is none. */
export function nextSpecial(text: string, from: number): number {
  SPECIAL.lastIndex = from;
  return SPECIAL.exec(text)?.index ?? text.length;
}

/** Whether no rule gives anything in a text a meaning, whatever follows it. */
export function isPlainText(text: string): boolean {
  return nextSpecial(text, 0) === text.length;
}

/** A text up to the first character that a rule may give a meaning to. */
export function plainStart(text: string): string {
  return text.slice(0, nextSpecial(text, 0));
}

/** Where the last plain character of such a text stands; -1 when there is none. */
export function lastPlainCharacter(text: string): number {
  let at = text.length - 1;
  while (at >= 0 && !isPlain(text.charCodeAt(at))) at -= 1;
  return at;
}

/** A character no rule gives a meaning to: letters, digits, and everything beyond ASCII that is one code unit. */
export function isPlain(code: number): boolean {
  if (code >= 0x30 && code <= 0x39) return true;
  if ((code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)) return true;
  return code >= 0xc0 && code < 0xd800 && !(code >= 0x2000 && code <= 0x303f);
}
