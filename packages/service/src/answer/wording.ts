/** As many words in a row are a text's own wording rather than a coincidence; fewer where it has no more. */
const RUN = 6;

/**
 * What takes out of a text the passages that are word for word in another: each becomes "…". For an answer that is
 * stored while the text it was drawn from must not be (specification section 2, additional_context). The other text is
 * gone through once, at the first use.
 */
export function wordingRemover(other: string | null): (text: string) => string {
  if (other === null || other.trim() === "") return (text) => text;
  let known: Wording | undefined;
  return (text) => (text === "" ? "" : withoutKnown(text, (known ??= wordingOf(other))));
}

interface Wording {
  readonly run: number;
  readonly runs: ReadonlySet<string>;
}

function wordingOf(other: string): Wording {
  const words = wordSpans(other);
  const run = Math.min(RUN, words.length);
  const runs = new Set<string>();
  if (run > 0) for (let at = 0; at + run <= words.length; at++) runs.add(keyOf(words, at, run));
  return { run, runs };
}

function withoutKnown(text: string, { run, runs }: Wording): string {
  if (run === 0) return text;
  const own = wordSpans(text);
  const taken = own.map(() => false);
  for (let at = 0; at + run <= own.length; at++) {
    if (runs.has(keyOf(own, at, run))) taken.fill(true, at, at + run);
  }
  let kept = "";
  let from = 0;
  for (let at = 0; at < own.length; at++) {
    if (taken[at] !== true) continue;
    let last = at;
    while (taken[last + 1] === true) last++;
    kept += `${text.slice(from, own[at]?.start)}…`;
    from = own[last]?.end ?? text.length;
    at = last;
  }
  return kept + text.slice(from);
}

interface WordSpan {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Where words are not set apart by spaces, every character counts as one. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}])+/gu;

function wordSpans(text: string): WordSpan[] {
  const spans: WordSpan[] = [];
  for (const match of text.matchAll(WORD)) {
    spans.push({ word: match[0].toLowerCase(), start: match.index, end: match.index + match[0].length });
  }
  return spans;
}

function keyOf(words: readonly WordSpan[], at: number, run: number): string {
  let key = "";
  for (let index = at; index < at + run; index++) key += `${words[index]?.word} `;
  return key;
}
