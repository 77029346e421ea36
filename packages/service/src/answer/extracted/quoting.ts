import { stripFormatting } from "../visible.ts";

/**
 * Document text as it may stand in an answer. What a document says stays data: a citation mark, a block of code or a
 * picture written in it must not become one of the answer's own.
 */
export function quotable(text: string): string {
  return withoutMarksOfItsOwn(stripFormatting(text)).replace(/^[^\S\n\r\u2028\u2029]*(?:```|~~~)/gm, (fence) =>
    fence.replace(/[`~]{3}/, "'''"),
  );
}

/** A block of code from a document, fenced so that nothing in it can close the fence. */
export function quotableCode(code: string): string {
  let longest = 2;
  for (const run of code.matchAll(/`+/g)) longest = Math.max(longest, run[0].length);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${stripFormatting(code)}\n${fence}`;
}

const OPENING = /[[【［]/;
const CLOSING = /[\]】］]/;
const DIGIT = /[\d０-９]/;
/** Joiners are as good as blanks: what is seen is a bracket and a digit. */
const BLANK = /[\s\u200c\u200d]/;

/**
 * Escapes every opening bracket from which only blanks and further opening brackets lead to a digit, with the brackets
 * that close it, and takes the "!" off pictures. By hand, from the end: a pattern would begin anew at every bracket.
 */
function withoutMarksOfItsOwn(text: string): string {
  const marks = openingsOfMarks(text);
  let quoted = "";
  let from = 0;
  let inMark = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (marks.has(at) || (inMark && CLOSING.test(character))) {
      quoted += text.slice(from, at);
      // A second backslash would take the first one's effect away.
      if (!isEscaped(text, at)) quoted += "\\";
      quoted += marks.has(at) ? "[" : "]";
      from = at + 1;
      inMark = true;
    } else if (inMark && !/[,，;]/.test(character) && !DIGIT.test(character) && !BLANK.test(character)) inMark = false;
  }
  return withoutPictures(quoted + text.slice(from));
}

function openingsOfMarks(text: string): Set<number> {
  const openings = new Set<number>();
  let leadsToDigit = false;
  for (let at = text.length - 1; at >= 0; at--) {
    const character = text.charAt(at);
    if (OPENING.test(character)) {
      if (leadsToDigit) openings.add(at);
    } else if (character === "\\" || BLANK.test(character)) continue;
    else leadsToDigit = DIGIT.test(character);
  }
  return openings;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - backslashes - 1] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

function withoutPictures(text: string): string {
  let quoted = "";
  let to = text.length;
  for (let at = text.length - 1; at > 0; at--) {
    if (text[at] !== "[") continue;
    let first = at;
    while (text[first - 1] === "!") first--;
    if (first === at) continue;
    quoted = text.slice(at, to) + quoted;
    to = first;
    at = first;
  }
  return text.slice(0, to) + quoted;
}
