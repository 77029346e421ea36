/** Looking for words in what people wrote, in any script. Pure. */

/** A text as it is compared: without capitals, accents and points, and with one spelling for each letter. */
export function folded(text: string): string {
  // Marks that make another letter, as in Thai or Hindi, stay; those a reader may leave out go.
  return text.normalize("NFKD").replaceAll(OPTIONAL_MARKS, "").normalize("NFKC").toLowerCase();
}

/** Accents of Latin, Greek and Cyrillic letters, and the points of Hebrew and Arabic. */
const OPTIONAL_MARKS = /[\u0300-\u036F\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC]/g;

/** What is looked for: the words of a query, as they are compared. */
export function wordsOf(query: string): string[] {
  return [...new Set(folded(query).split(/\s+/))].filter((word) => word !== "");
}

/** Whether all words stand somewhere in a text that is folded. */
export const hasAll = (plain: string, words: readonly string[]): boolean => words.every((word) => plain.includes(word));

/** A line with what was found in it. */
export interface FoundLine {
  readonly before: string;
  readonly found: string;
  readonly after: string;
}

/** Longest stretch that is shown before what was found, and after it. */
const BEFORE = 40;
const AFTER = 120;

/** The line of a text that holds most of the words, cut around the first of them; undefined: none holds any. */
export function lineWith(text: string, words: readonly string[]): FoundLine | undefined {
  let best: { line: string; word: string; count: number } | undefined;
  for (const line of text.split("\n")) {
    const plain = folded(line);
    const there = words.filter((word) => plain.includes(word));
    const [word] = there.toSorted((one, other) => other.length - one.length);
    if (word !== undefined && there.length > (best?.count ?? 0)) best = { line, word, count: there.length };
    if (best?.count === words.length) break;
  }
  return best && cutAround(best.line, best.word);
}

function cutAround(line: string, word: string): FoundLine {
  const end = least(0, line.length, (at) => folded(line.slice(0, at)).includes(word));
  const start = least(0, end, (at) => !folded(line.slice(at, end)).includes(word)) - 1;
  const before = line.slice(0, start).trimStart();
  const after = line.slice(end).trimEnd();
  return {
    before: before.length > BEFORE ? `…${before.slice(-BEFORE).toWellFormed()}` : before,
    found: line.slice(start, end),
    after: after.length > AFTER ? `${after.slice(0, AFTER).toWellFormed()}…` : after,
  };
}

/** The least number between two for which something holds that holds for all above it. */
function least(low: number, high: number, holds: (at: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return to;
}
