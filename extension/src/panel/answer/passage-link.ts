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
  const place = bestPlace(passages, near, wordsBeside(url, question));
  if (place === undefined || /\.pdf$/i.test(url.pathname)) return href;
  const [start, end] = place;
  const text = end === undefined ? inFragment(start) : `${inFragment(start)},${inFragment(end)}`;
  // Of several, a browser goes to the first it finds: the passage, or else what the address names.
  const [address = "", named] = href.split(":~:", 2);
  return `${address}${address.includes("#") ? "" : "#"}:~:text=${text}${named === undefined ? "" : `&${named}`}`;
}

/** The words a place begins and ends with; where it has few, all of them. */
type Ends = readonly [start: string, end?: string];

function bestPlace(passages: readonly Passage[], near: string, asked: ReadonlySet<string>): Ends | undefined {
  const sentences = passages
    .flatMap(({ text }) => sentencesOf(text))
    .flatMap((text) => ({ text, terms: termsOf(text), ends: endsOf(text) ?? [] }))
    .filter(({ ends }) => ends.length > 0);
  const saidThere = termsOf(near);
  const said = sentences.filter(({ terms }) => shared(terms, saidThere) >= SAID * terms.size);
  const answers = answersTo(
    asked,
    said.map(({ terms }) => terms),
  );
  const most = Math.max(0, ...answers);
  const telling = said.filter((_, at) => answers[at] === most);
  const [start, end] = nearest(telling.length > 0 ? telling : sentences, near)?.ends ?? [];
  return start === undefined ? undefined : [start, end];
}

/** Part of a sentence's words that make it one that is said. */
const SAID = 0.6;

/** What markdown writes between the header of a table and its rows. */
const RULE = /^[\s|:-]*-[\s|:-]*\|[\s|:-]*$/;
/** Lists of data: braces stand between what belongs together, and a name with its value says enough. */
const DATA = /"\s*:\s*["\d[{]/;

/** What of a text can be looked for: whole sentences, rows, values of data; neither headers nor what says little. */
function sentencesOf(text: string): string[] {
  const isData = DATA.test(text);
  const lines = text.split("\n");
  const wanted = lines.filter((line, at) => !RULE.test(line) && !RULE.test(lines[at + 1] ?? ""));
  return wanted.flatMap((line) =>
    line
      .split(isData ? /[{}[\]]+/ : SENTENCE_END)
      .map(seen)
      .filter((one) => (isData ? DATA.test(one) : one.split(" ").length >= MIN_WORDS || WITHOUT_SPACES.test(one))),
  );
}

/** A sentence as it stands on the page: without marks of lists and quotes, and without a word that is cut off. */
function seen(sentence: string): string {
  return sentence
    .replace(/^(?:[\s#>*•|…,]|-+(?![\p{L}\p{N}-]))+/u, "")
    .replace(/\s*\S*…$|,\s*$/, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** The words of a question beside those that name the document, which its address has too; where there are no others, all. */
function wordsBeside({ pathname }: URL, question: string): ReadonlySet<string> {
  const asked = termsOf(question);
  const named = termsOf(pathname.replaceAll(/%[0-9a-f]{2}|_/gi, " "));
  const beside = [...asked].filter((word) => !named.has(word));
  return beside.length === 0 ? asked : new Set(beside);
}

/** How much of a question each text answers: a word of it that few of them have says more. */
function answersTo(asked: ReadonlySet<string>, texts: readonly ReadonlySet<string>[]): number[] {
  const found = Array.from(asked, (word) => texts.map((terms) => has(terms, word)));
  const weights = found.map((one) => Math.log(texts.length / Math.max(1, one.filter(Boolean).length)));
  return texts.map((_, at) => found.reduce((sum, one, term) => sum + (one[at] === true ? (weights[term] ?? 0) : 0), 0));
}

/** As long has to be what words have in common that end otherwise, and as much may end otherwise. */
const MIN_STEM = 4;
const MAX_ENDING = 3;

function has(terms: ReadonlySet<string>, asked: string): boolean {
  if (terms.has(asked)) return true;
  for (const term of terms) {
    const [short, long] = term.length < asked.length ? [term, asked] : [asked, term];
    if (short.length >= MIN_STEM && long.length - short.length <= MAX_ENDING && long.startsWith(short)) return true;
  }
  return false;
}

/** What markdown makes of marks stands otherwise on the page. */
const MARKED = /[*`[\]]|^_|_$/;

/** A row of a table is found by its first and its last cell, a long sentence by its first and last words. */
function endsOf(sentence: string): Ends | undefined {
  const cells = sentence.split(" | ").map((cell) => cell.replace(/^[|*`\s]+|[|*`\s]+$/g, ""));
  if (cells.length > 1) {
    const [first = "", last = ""] = [cells[0], cells.at(-1)];
    // A letter by itself is found anywhere.
    const isTelling = (cell: string) => /[\p{L}\p{N}]/u.test(cell) && !MARKED.test(cell);
    return first.length > 1 && isTelling(first) && isTelling(last) ? [first, last] : undefined;
  }
  const words = sentence.split(" ");
  const marked = words.findIndex((word) => MARKED.test(word));
  if (marked === -1) {
    if (words.length <= MAX_WHOLE_WORDS) return [sentence];
    return [words.slice(0, EDGE_WORDS).join(" "), words.slice(-EDGE_WORDS).join(" ")];
  }
  // What stands before the first and behind the last mark is on the page as it is.
  const [before, after] = [words.slice(0, marked), words.slice(words.findLastIndex((word) => MARKED.test(word)) + 1)];
  if (before.length < MIN_WORDS)
    return after.length < MIN_WORDS ? undefined : [after.slice(0, MAX_WHOLE_WORDS).join(" ")];
  const end = after.length < MIN_WORDS - 1 ? undefined : after.slice(-EDGE_WORDS).join(" ");
  return [before.slice(0, EDGE_WORDS).join(" "), end];
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
