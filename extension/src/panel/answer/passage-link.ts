/** Addresses that open a document at a passage, by text fragment. */
import { termsOf } from "@threadlore/documents";

const MIN_WORDS = 3;
const EDGE_WORDS = 5;
const MAX_WHOLE_WORDS = 8;
/** As much of a script that has no spaces between its words. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{6}|[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{8}/u;
/** Where a sentence ends; scripts that put a space between sentences and none between words end it there. */
const SENTENCE_END =
  /\n+|(?<=[.!?।؟۔])\s+|(?<=[。！？])|(?<=[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}])\s+(?=[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}])/u;

/** A piece of a document, and where in it that is, for the end of a link after `#`. */
export interface Passage {
  readonly text: string;
  readonly fragment?: string;
}

/**
 * `href` at the passage that has most to do with what is said: by the page of a PDF, else by a text fragment that names
 * its most telling sentence; `href` itself where the passages give neither. A browser that does not find the text opens
 * the document at its top, so a wrong guess costs nothing.
 *
 * @param near what is said where the passage is cited: a sentence that is said there is chosen
 * @param question what was asked: of several sentences that are said, the one that has most to do with it
 */
export function passageLink(href: string, passages: readonly Passage[], near: string, question = ""): string {
  const url = URL.parse(href);
  if (url === null) return href;
  const sheet = nearest(passages, near)?.fragment;
  if (sheet !== undefined && /^page=\d+$/.test(sheet)) return `${href.split("#", 1)[0] ?? ""}#${sheet}`;
  const place = bestPlace(passages, near, question);
  if (place === undefined || /\.pdf$/i.test(url.pathname)) return href;
  const [start, end] = place;
  const text = end === undefined ? inFragment(start) : `${inFragment(start)},${inFragment(end)}`;
  // Of several, a browser goes to the first it finds: the passage, or else what the address names.
  const [address = "", named] = href.split(":~:", 2);
  return `${address}${address.includes("#") ? "" : "#"}:~:text=${text}${named === undefined ? "" : `&${named}`}`;
}

/** The words a place begins and ends with; where it has few, all of them. */
type Ends = readonly [start: string, end?: string];

function bestPlace(passages: readonly Passage[], near: string, question: string): Ends | undefined {
  const sentences = passages
    .flatMap(({ text }) => text.split(SENTENCE_END))
    // What markup a passage still carries is not on the page.
    .map((sentence) =>
      sentence
        .replace(/^[\s#>*\-•|]+/, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter((sentence) => sentence.split(" ").length >= MIN_WORDS || WITHOUT_SPACES.test(sentence))
    .filter((sentence) => !/[*`[\]]|(?:^|\s)_|_(?:\s|$)/.test(sentence))
    .flatMap((text) => ({ text, ends: endsOf(text) ?? [] }))
    .filter(({ ends }) => ends.length > 0);
  const [saidThere, asked] = [termsOf(near), termsOf(question)];
  const said = sentences.filter(({ text }) => {
    const terms = termsOf(text);
    return shared(terms, saidThere) >= SAID * terms.size;
  });
  const most = Math.max(0, ...said.map(({ text }) => shared(termsOf(text), asked)));
  const telling = said.filter(({ text }) => shared(termsOf(text), asked) === most);
  const [start, end] = nearest(telling.length > 0 ? telling : sentences, near)?.ends ?? [];
  return start === undefined ? undefined : [start, end];
}

/** Part of a sentence's words that make it one that is said. */
const SAID = 0.6;

/** A row of a table is found by its first and its last cell, a long sentence by its first and last words. */
function endsOf(sentence: string): Ends | undefined {
  const cells = sentence.split(" | ").map((cell) => cell.replaceAll("|", "").trim());
  if (cells.length > 1) {
    const [first = "", last = ""] = [cells[0], cells.at(-1)];
    // A letter by itself is found anywhere.
    return first.length > 1 && [first, last].every((cell) => /[\p{L}\p{N}]/u.test(cell)) ? [first, last] : undefined;
  }
  const words = sentence.split(" ");
  if (words.length <= MAX_WHOLE_WORDS) return [sentence];
  return [words.slice(0, EDGE_WORDS).join(" "), words.slice(-EDGE_WORDS).join(" ")];
}

function shared(terms: ReadonlySet<string>, wanted: ReadonlySet<string>): number {
  let count = 0;
  for (const term of terms) if (wanted.has(term)) count += 1;
  return count;
}

/** The passage that has most to do with what is said. */
export function nearest<Found extends Passage>(passages: readonly Found[], near: string): Found | undefined {
  const wanted = termsOf(near);
  let chosen: Found | undefined;
  let most = -1;
  for (const passage of passages) {
    const score = shared(termsOf(passage.text), wanted);
    if (score > most) [chosen, most] = [passage, score];
  }
  return chosen;
}

/** Words as they stand in a text fragment, where `-`, `,` and `&` mean something. */
export const inFragment = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll("-", "%2D");
