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
 * @param near what is said where the passage is cited: of several sentences the one that shares most words is chosen
 */
export function passageLink(href: string, passages: readonly Passage[], near: string): string {
  const url = URL.parse(href);
  if (url === null) return href;
  const place = nearest(passages, near)?.fragment;
  if (place !== undefined && /^page=\d+$/.test(place)) return `${href.split("#", 1)[0] ?? ""}#${place}`;
  const sentence = bestSentence(passages, near);
  if (sentence === undefined || /\.pdf$/i.test(url.pathname)) return href;
  const words = sentence.split(" ");
  const whole = words.length <= MAX_WHOLE_WORDS;
  const start = encode(words.slice(0, whole ? words.length : EDGE_WORDS).join(" "));
  const end = whole ? "" : `,${encode(words.slice(-EDGE_WORDS).join(" "))}`;
  // Of several, a browser goes to the first it finds: the passage, or else what the address names.
  const [address = "", named] = href.split(":~:", 2);
  return `${address}${address.includes("#") ? "" : "#"}:~:text=${start}${end}${named === undefined ? "" : `&${named}`}`;
}

function bestSentence(passages: readonly Passage[], near: string): string | undefined {
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
    .filter((sentence) => !/[*_`[\]|]/.test(sentence))
    .map((text) => ({ text }));
  return nearest(sentences, near)?.text;
}

/** The passage that has most to do with what is said. */
export function nearest<Found extends Passage>(passages: readonly Found[], near: string): Found | undefined {
  const wanted = termsOf(near);
  let chosen: Found | undefined;
  let most = -1;
  for (const passage of passages) {
    let score = 0;
    for (const word of termsOf(passage.text)) if (wanted.has(word)) score += 1;
    if (score > most) [chosen, most] = [passage, score];
  }
  return chosen;
}

/** `-`, `,` and `&` mean something in a text fragment. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll("-", "%2D");
