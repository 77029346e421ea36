/** Addresses that open a page where a highlight of it stands, by text fragment. Pure. */
import { canonicalUrl } from "@threadlore/documents";
import { inFragment } from "../answer/passage-link.ts";

/** Most words that are named one by one; of longer texts the first and the last ones are. */
const MAX_WHOLE_WORDS = 10;
const EDGE_WORDS = 5;
/** A line with fewer words is found elsewhere too. */
const TELLING_WORDS = 3;

/**
 * The address of a page at a text of it. Where a browser does not find the text, it opens the page at its top.
 * Throws TypeError when `page` is no web address.
 */
export function highlightLink(page: string, text: string): string {
  const address = canonicalUrl(page);
  const place = placeOf(text);
  return place === undefined ? address : `${address}${address.includes("#") ? "" : "#"}:~:text=${place}`;
}

function placeOf(text: string): string | undefined {
  const lines = text.split("\n").map(withoutMarks).filter(isFound);
  const telling = lines.filter((line) => wordsOf(line).length >= TELLING_WORDS);
  const [first = lines[0], last = lines.at(-1)] = [telling[0], telling.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (first === last && wordsOf(first).length <= MAX_WHOLE_WORDS) return inFragment(first);
  return `${inFragment(beginningOf(first))},${inFragment(endOf(last))}`;
}

/** What a list, a quotation or a heading begins with is not on the page. */
const withoutMarks = (line: string): string =>
  line
    .replace(/^(?:[\s#>*•|-]|\d+\.\s)+/, "")
    .replaceAll(/\s+/gu, " ")
    .trim();

/** It has words, and nothing that the reading has written between them. */
const isFound = (line: string): boolean => /[\p{L}\p{N}]/u.test(line) && !/[*`[\]|]/.test(line);

function beginningOf(line: string): string {
  const last = wordsOf(line).slice(0, EDGE_WORDS).at(-1);
  return last === undefined ? line : line.slice(0, last.index + last.segment.length);
}

function endOf(line: string): string {
  return line.slice(wordsOf(line).at(-EDGE_WORDS)?.index ?? 0);
}

/** Words of any script: browsers find a text only where words begin and end. */
function wordsOf(line: string): Intl.SegmentData[] {
  const parts = new Intl.Segmenter(undefined, { granularity: "word" }).segment(line);
  return Array.from(parts).filter(({ isWordLike }) => isWordLike === true);
}
